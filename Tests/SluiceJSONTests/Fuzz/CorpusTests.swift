import Foundation
import Testing

/// Interesting inputs that the fuzzer has found, and random variations of them.
struct CorpusTests {
    static func corpus() throws -> [[UInt8]] {
        let folder = packageRoot.appending(path: "Fuzz/Corpus/json")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
    }

    @Test func theCorpusIsReplayed() throws {
        let corpus = try CorpusTests.corpus()
        #expect(corpus.count >= 30)
        for bytes in corpus { #expect(exerciseJSON(bytes).isEmpty, "\(String(decoding: bytes, as: UTF8.self))") }
    }

    /// Without a fuzzer's coverage, but on every machine.
    @Test func damagedCorpusIsSurvived() throws {
        var random = SeededGenerator(seed: 8)
        let corpus = try CorpusTests.corpus()
        for _ in 0..<3000 * scale {
            var bytes = corpus.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where at < bytes.count: bytes.remove(at: at)
                case 1 where at < bytes.count: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 2: bytes.insert(contentsOf: (corpus.randomElement(using: &random) ?? []).prefix(20), at: at)
                default: bytes.insert(Array("\"\\{}[],:0e-.u\u{e9}".utf8).randomElement(using: &random) ?? 0, at: at)
                }
            }
            let problems = exerciseJSON(bytes)
            #expect(problems.isEmpty, "\(problems) \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
