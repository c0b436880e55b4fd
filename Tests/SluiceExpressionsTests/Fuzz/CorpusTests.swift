import Foundation
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
}

/// The folder of the package.
let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The factor by which a test multiplies its number of random cases: `SLUICE_CEL_SCALE`, 1 by default.
let scale = ProcessInfo.processInfo.environment["SLUICE_CEL_SCALE"].flatMap(Int.init) ?? 1
