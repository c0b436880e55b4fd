import Foundation
import SluiceTestSupport
import Testing

/// The initial inputs of the fuzzer and those that it has found, and damaged forms of them.
@Suite struct MarblesCorpusTests {
    private static func corpus() throws -> [[UInt8]] {
        // Tests/SluiceStreamsTests/Marbles/MarblesCorpusTests.swift
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let folder = root.appending(path: "Fuzz/Corpus/marbles")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
    }

    @Test func theCorpusIsReplayed() throws {
        let corpus = try Self.corpus()
        #expect(corpus.count >= 30)
        for bytes in corpus { #expect(exerciseMarbles(bytes).isEmpty, "\(String(decoding: bytes, as: UTF8.self))") }
    }

    @Test func damagedCorpusIsSurvived() throws {
        var random = Seeded(seed: 52)
        let corpus = try Self.corpus()
        for _ in 0..<2000 {
            var bytes = corpus.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where at < bytes.count: bytes.remove(at: at)
                case 1 where at < bytes.count: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 2: bytes.insert(contentsOf: (corpus.randomElement(using: &random) ?? []).prefix(20), at: at)
                default: bytes.insert(Array("-()|#^!' 019ms.\u{e9}".utf8).randomElement(using: &random) ?? 0, at: at)
                }
            }
            let problems = exerciseMarbles(bytes)
            #expect(problems.isEmpty, "\(problems) \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
