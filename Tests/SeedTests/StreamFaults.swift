#if HTTP && OpenCombine && SQLite && Server
// The nine faults of the seed's program (combine-magic, final state): ours has none of them.

import Foundation
import SluiceCombine
import SluiceJSON
import SluiceStore
import SluiceStreams
import SluiceTesting
import Testing

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

@Suite struct StreamFaults {
    private static func letters() throws -> StreamLibrary {
        StreamLibrary([
            try StreamDocument(parsing: #"{"name": "A", "source": {"marbles": {"text": "1-3|", "frame": 1}}}"#),
            try StreamDocument(parsing: #"{"name": "B", "source": {"marbles": {"text": "-2-4|", "frame": 1}}}"#),
        ])
    }

    private func saved(_ document: StreamDocument) throws -> StreamDocument {
        try StreamDocument(parsing: document.canonicalText)
    }

    private func values(_ document: StreamDocument, in library: StreamLibrary? = nil) throws -> [JSON] {
        try document.virtualEvents(in: library ?? Self.letters()).compactMap(\.value)
    }

    private func temporaryStore() throws -> (path: String, remove: () -> Void) {
        let url = FileManager.default.temporaryDirectory.appending(path: "sluice-\(UUID()).sqlite")
        return (url.path, { try? FileManager.default.removeItem(at: url) })
    }

    /// a. Choosing combineLatest saved zip.
    @Test func combineLatestIsSavedAsCombineLatest() throws {
        let document = try StreamDocument(parsing: #"{"source": {"combineLatest": [{"ref": "A"}, {"ref": "B"}]}}"#)
        #expect(try values(saved(document)) == [[1, 2], [3, 2], [3, 4]])
        #expect(
            try values(StreamDocument(parsing: #"{"source": {"zip": [{"ref": "A"}, {"ref": "B"}]}}"#)) == [
                [1, 2], [3, 4],
            ]
        )
    }

    /// b. Edits of a join were lost at the next start.
    @Test func anEditedJoinIsThereAfterTheNextStart() async throws {
        let (path, remove) = try temporaryStore()
        defer { remove() }
        let edited = #"{"id": "join", "name": "Join", "source": {"combineLatest": [{"ref": "A"}, {"ref": "B"}]}}"#
        try await SQLiteStreamStore(path: path).create([StreamDraft(id: "join", name: "Join", text: edited)], by: nil)
        let stored = try #require(try await SQLiteStreamStore(path: path).read("join"))
        #expect(stored.text == edited)
        #expect(try values(StreamDocument(parsing: stored.text)) == [[1, 2], [3, 2], [3, 4]])
    }

    /// c. Saving a stream set every delay to a second.
    @Test func delaysStayWhatTheyAre() throws {
        let document = try StreamDocument(
            parsing: #"""
                {"stream": [{"value": "A", "operators": [{"delay": {"seconds": 2}}]},
                            {"value": "B", "operators": [{"delay": {"seconds": 0.25}}]}]}
                """#
        )
        let times = try saved(document).virtualEvents().map(\.time.seconds)
        #expect(times == [2, 2.25, 2.25])
    }

    /// d. An edit of scan set its initial value to 0.
    @Test func theInitialValueOfScanStays() throws {
        let text = #"{"source": {"ref": "A"}, "operators": [{"scan": {"initialValue": 10, "expression": "acc + x"}}]}"#
        let document = try StreamDocument(parsing: text)
        #expect(try values(saved(document)) == [11, 14])
        #expect(try values(saved(StreamDocument(parsing: text.replacing("acc + x", with: "acc * x")))) == [10, 30])
    }

    /// e. Stored data that could not be read was replaced by the defaults, in silence.
    @Test func whatCannotBeReadIsKeptAndSaid() async throws {
        let (path, remove) = try temporaryStore()
        defer { remove() }
        let broken = #"{"id": "x", "stream": [{"value": 1, "operators": [{"delay": {"seconds": "1"}}]}]}"#
        let store = try SQLiteStreamStore(path: path)
        try await store.create([StreamDraft(id: "x", name: nil, text: broken)], by: nil)
        let stored = try #require(try await SQLiteStreamStore(path: path).read("x"))
        #expect(stored.text == broken)
        let document = try StreamDocument(preserving: Array(stored.text.utf8))
        #expect(document.text == broken)
        #expect(document.errors?.description.contains("stream[0].operators[0].delay.seconds: ") == true)
    }

    /// f. One unknown operator failed all of them.
    @Test func anUnknownOperatorIsItsOwnFault() throws {
        let unknown = #"{"name": "C", "source": {"values": [1]}, "operators": [{"fliter": {"expression": "x > 1"}}]}"#
        let document = try StreamDocument(preserving: Array(unknown.utf8))
        #expect(document.errors?.description.contains(#"unknown operator "fliter" (did you mean "filter"?)"#) == true)
        #expect(document.canonicalText.contains(#"{"fliter": {"expression": "x > 1"}}"#))
        var library = try Self.letters()
        library.add(document)
        #expect(try values(StreamDocument(parsing: #"{"source": {"ref": "A"}}"#), in: library) == [1, 3])
    }

    /// g. A reset changed what was stored, and not what was shown.
    @Test func thereIsOneTruth() async throws {
        let (path, remove) = try temporaryStore()
        defer { remove() }
        let (writer, reader) = (try SQLiteStreamStore(path: path), try SQLiteStreamStore(path: path))
        #expect(try await reader.list().isEmpty)
        let text = #"{"id": "a", "source": {"never": {}}}"#
        try await writer.create([StreamDraft(id: "a", name: nil, text: text)], by: nil)
        #expect(try await reader.list().map(\.text) == [text])
    }

    /// h. A value that was left out took the demand with it, and the stream stalled.
    @Test func whatIsLeftOutTakesNoDemand() async throws {
        let flow = Flow.values(1, 2, 3, 4).compactMap { $0 % 2 == 0 ? $0 : nil }
        var seen: [Int] = []
        for try await value in flow.values(clock: TestClock()) { seen.append(value) }
        #expect(seen == [2, 4])
        let subscriber = OneByOne()
        flow.toPublisher(clock: TestClock()).subscribe(subscriber)
        #expect(await subscriber.all() == [2, 4])
    }

    /// i. Letters were gone before dropFirst saw them.
    @Test func lettersReachDropFirst() throws {
        let document = try StreamDocument(
            parsing: #"{"source": {"values": ["A", "B", "C"]}, "operators": [{"dropFirst": {"count": 2}}]}"#
        )
        #expect(try values(document) == ["C"])
    }
}

/// Asks for one value at a time.
private final class OneByOne: Subscriber, Sendable {
    typealias Input = Int
    typealias Failure = any Error

    private let ended: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation

    init() { (ended, continuation) = AsyncStream.makeStream() }

    var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }

    func receive(subscription: any Subscription) { subscription.request(.max(1)) }

    func receive(_ input: Int) -> Subscribers.Demand {
        continuation.yield(input)
        return .max(1)
    }

    func receive(completion: Subscribers.Completion<any Error>) { continuation.finish() }

    func all() async -> [Int] {
        var values: [Int] = []
        for await value in ended { values.append(value) }
        return values
    }
}
#endif
