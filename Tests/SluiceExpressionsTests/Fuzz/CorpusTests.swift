import Foundation
import SluiceExpressions
import Testing

/// Interesting texts that the fuzzer has found, and random variations of them.
struct CorpusTests {
    static func corpus() throws -> [[UInt8]] {
        let folder = packageRoot.appending(path: "Fuzz/Corpus/cel")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
    }

    @Test func theCorpusIsReplayed() throws {
        let corpus = try CorpusTests.corpus()
        #expect(corpus.count >= 30)
        for bytes in corpus {
            let problems = exerciseCEL(bytes)
            #expect(problems.isEmpty, "\(problems) \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    /// Without a fuzzer's coverage, but on every machine.
    @Test func damagedCorpusIsSurvived() throws {
        var random = ExpressionGenerator(state: 8)
        let corpus = try CorpusTests.corpus()
        for _ in 0..<500 * scale {
            var bytes = random.pick(corpus)
            for _ in 0..<1 + random.next(4) {
                let at = random.next(bytes.count + 1)
                switch random.next(4) {
                case 0 where at < bytes.count: bytes.remove(at: at)
                case 1 where at < bytes.count: bytes[at] = UInt8(random.next(256))
                case 2: bytes.insert(contentsOf: random.pick(corpus).prefix(20), at: at)
                default: bytes.insert(random.pick(Array("()[]{}.,?:+-*/%!&|<>='\"\\01eu".utf8)), at: at)
                }
            }
            let problems = exerciseCEL(bytes)
            #expect(problems.isEmpty, "\(problems) \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    /// The largest expressions: generated ones joined to 64 KB, whole and damaged. Each is compiled and evaluated at the
    /// default limits within three seconds of processor time in debug mode, and answered in the same way by each route.
    @Test(arguments: [" && ", " || ", " + ", ", "], [0, 1, 4])
    func theLargestTextsAreSurvived(_ separator: String, _ damage: Int) throws {
        var random = ExpressionGenerator(state: UInt64(100 + damage))
        let (length, variables) = (CELLimits().maximumTextLength, RandomExpressionTests.variables)
        for _ in 0..<scale {
            let type: CELType = [" + ": .int, ", ": random.pick([.string, .double, .list(.int)])][separator] ?? .bool
            var text = random.expression(type, 4)
            while true {
                let next = separator + random.expression(type, 1 + random.next(5))
                guard text.utf8.count + next.utf8.count <= length - 2 else { break }
                text += next
            }
            #expect(text.utf8.count > length - 5_000)
            if separator == ", " { text = "[\(text)]" }
            var bytes = Array(text.utf8)
            for _ in 0..<damage {
                let at = random.next(bytes.count)
                switch random.next(3) {
                case 0: bytes[at] = random.pick(Array("()[]{}.,?:+-*/%!&|<>='\"\\01eu\u{0}\u{7F}".utf8))
                case 1: bytes.remove(at: at)
                // Half of the text is torn off.
                default: bytes.removeSubrange(random.pick([0..<at, at..<bytes.count]))
                }
                if bytes.isEmpty { bytes = [65] }
            }
            let damaged = String(decoding: bytes, as: UTF8.self)
            let start = ThreadTime.now
            if let program = try? CELExpression(damaged, variables: variables) {
                _ = try? program.evaluate(RandomExpressionTests.bindings)
            }
            #if !SLUICE_SANITIZER
            #expect(ThreadTime.now - start < ThreadTime.limit, "\(damaged.prefix(200))")
            #else
            _ = start
            #endif
            let problems = exerciseCEL(bytes).map { String($0.prefix(300)) }
            #expect(problems.isEmpty, "\(problems) \(damaged.prefix(200))")
        }
    }
}

/// The folder of the package.
let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The factor by which a test multiplies its number of random cases: `SLUICE_CEL_SCALE`, 1 by default.
let scale = ProcessInfo.processInfo.environment["SLUICE_CEL_SCALE"].flatMap(Int.init) ?? 1
