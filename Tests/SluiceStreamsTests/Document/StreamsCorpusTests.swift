import Foundation
import SluiceTestSupport
import Testing

/// The initial inputs of the fuzzer and those that it has found, and damaged forms of them.
@Suite struct StreamsCorpusTests {
    private static func corpus() throws -> [[UInt8]] {
        let folder = DiagramTests.root.appending(path: "Fuzz/Corpus/streams")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
    }

    @Test func theCorpusIsReplayed() throws {
        let corpus = try Self.corpus()
        #expect(corpus.count >= 80)
        for bytes in corpus { #expect(exerciseStreams(bytes).isEmpty, "\(String(decoding: bytes, as: UTF8.self))") }
    }

    @Test func damagedCorpusIsSurvived() throws {
        var random = Seeded(seed: 77)
        let corpus = try Self.corpus()
        for _ in 0..<1000 {
            var bytes = corpus.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let at = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where at < bytes.count: bytes.remove(at: at)
                case 1 where at < bytes.count:
                    bytes[at] = Array("0129-.e\"{}[],:xai".utf8).randomElement(using: &random) ?? 0
                case 2: bytes.insert(contentsOf: (corpus.randomElement(using: &random) ?? []).prefix(40), at: at)
                default: bytes.insert(UInt8.random(in: 32...126, using: &random), at: at)
                }
            }
            let problems = exerciseStreams(bytes)
            #expect(problems.isEmpty, "\(problems) \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
