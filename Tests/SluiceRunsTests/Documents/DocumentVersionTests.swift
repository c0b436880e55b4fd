import Foundation
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// A document is the same where its id, its revision, and its text are.
@Suite struct DocumentVersionTests {
    /// Texts that differ by a byte, or only by the way in which Unicode writes a character.
    static let others: [(String, String)] = [
        ("{}", "{ }"), ("{}", "[]"), ("\"caf\u{E9}\"", "\"cafe\u{301}\""),
        ("\u{212B}ngstr\u{F6}m", "\u{C5}ngstr\u{F6}m"),
        (String(repeating: "x", count: 100) + "\u{2126}", String(repeating: "x", count: 100) + "\u{3A9}"),
        // These are as long as each other, and equal in Swift.
        ("\u{1E0B}\u{323}", "\u{1E0D}\u{307}"),
        (String(repeating: "x", count: 50) + "\u{1E0B}\u{323}", String(repeating: "x", count: 50) + "\u{1E0D}\u{307}"),
    ]

    private func stored(_ text: String, _ revision: Int = 1, id: String = "a") -> StoredStream {
        StoredStream(id: id, revision: revision, name: nil, text: text)
    }

    @Test(arguments: others.indices) func theTextCounts(_ index: Int) {
        let (one, other) = Self.others[index]
        #expect(DocumentVersion(stored(one)) != DocumentVersion(stored(other)))
        #expect(
            DocumentVersion(stored(one)) == DocumentVersion(stored(String(decoding: Array(one.utf8), as: UTF8.self)))
        )
        #expect(DocumentVersion(stored(one)) != DocumentVersion(stored(one, 2)))
        #expect(DocumentVersion(stored(one)) != DocumentVersion(stored(one, id: "b")))
    }

    /// A run takes up a revision that it knows with another text, as one has it that follows a hub whose store was replaced:
    /// the new text is stored with the run.
    @Test(arguments: others.indices, [true, false]) func aRunIsStoredWithItsText(_ index: Int, _ isResumed: Bool) throws
    {
        let (one, other) = Self.others[index]
        var (recorder, status) = (RunRecorder("a", upTo: 10_000), RunStatus(stream: "a", pace: Pace(at: 0)))
        recorder.begin(status, at: .distantPast)
        status.run = 1
        func documents(after texts: [String]) -> [StoredStream]? {
            recorder.touch()
            recorder.note(status, documents: texts.map { stored($0) }, at: .distantPast)
            let batch = recorder.batch()
            _ = recorder.finish(batch.map { _ in nil })
            return batch.last?.documents
        }
        #expect(documents(after: [one])?.map(\.text) == [one])
        #expect(documents(after: [one]) == nil)
        if isResumed {
            recorder.resume(
                StoredRun(
                    stream: "a",
                    run: 1,
                    revision: 1,
                    state: "running",
                    isPaused: false,
                    speed: 1,
                    error: nil,
                    savedAt: .distantPast,
                    checkpoint: nil,
                    outputs: 0,
                    documents: [stored(one)]
                )
            )
        }
        let bytes = documents(after: [other])?.map { Array($0.text.utf8) }
        #expect(bytes == [Array(other.utf8)])
        #expect(documents(after: [other]) == nil)
    }

    /// A compiled document is of no use once a text has changed, whatever its revision.
    @Test(arguments: others.indices) func aJobMatchesByTexts(_ index: Int) throws {
        let (one, other) = Self.others[index]
        func job(_ text: String) -> CompileJob {
            var set = DocumentSet()
            set.put(SetDocument(reading: stored(text)))
            return set.job(checking: ["a"])
        }
        #expect(job(one).matches(job(one)))
        #expect(!job(one).matches(job(other)))
        #expect(job(one).versions == job(one).versions && job(one).versions != job(other).versions)
    }
}
