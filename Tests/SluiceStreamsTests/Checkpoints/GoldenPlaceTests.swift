import Foundation
import Sluice
import SluiceJSON
import SluiceTesting
import Testing

@testable import SluiceStreams

/// Checkpoints of sources of the outside world that earlier versions wrote, in `Tests/Golden/places-1.jsonl`: a run that
/// resumes from one gives the source its place back, and goes on with its own state.
///
/// A place whose text changes keeps its old line, and adds one: `SLUICE_GOLDEN_PLACES=FILE swift test --filter
/// GoldenPlaceTests` writes the lines of the current version to a file.
@Suite(.timeLimit(.minutes(10))) struct GoldenPlaceTests {
    /// A source in a document, with the places of its first two items.
    private struct Example {
        let kind: String
        let source: String
        /// The places; `nil` for a source that has none, whose items are in the journal alone.
        let places: [String]?

        init(_ kind: String, _ arguments: String, _ places: [String]?) {
            (self.kind, source, self.places) = (kind, #"{"\#(kind)": \#(arguments)}"#, places)
        }
    }

    private static let examples = [
        Example(
            "lines",
            #"{"path": "app.log", "follow": true}"#,
            ["66306-1835-24-9ae16a3b2f90404f", "66306-1835-51-9ae16a3b2f90404f"]
        ),
        Example(
            "poll",
            #"{"url": "https://api.example.com/items", "seconds": 5, "paging": {"link": "next"}}"#,
            ["1 https://api.example.com/items?page=2", "2 https://api.example.com/items?page=3"]
        ),
        Example("events", #"{"url": "https://api.example.com/events"}"#, ["ev-41", "ev-42"]),
        Example("request", #"{"url": "https://api.example.com/one"}"#, ["done", "done"]),
        Example("webhook", #"{"name": "orders", "auth": "none"}"#, nil),
        Example("subject", #"{"subject": "orders.in"}"#, ["1764200000000000000/7", "1764200000000000000/9"]),
        Example("subscribe", #"{"stream": "orders", "from": "start"}"#, ["2-17", "3-1"]),
        Example("outside", #"{"name": "sensor"}"#, ["s1", "s2"]),
        Example("schedule", #"{"cron": "0 6 * * *", "zone": "Europe/Berlin"}"#, ["1785470400", "1785556800"]),
    ]

    /// Returns a host whose sources give items and places, and record the place after which they are to begin.
    private static func host(
        _ name: String,
        hasPositions: Bool,
        _ items: [(JSON, String?)],
        isOpen: Bool,
        place: @escaping @Sendable (String?) -> Void
    ) -> StreamHost {
        var host = StreamHost()
        host.register(name, hasPositions: hasPositions) { _, inlet in
            place(inlet.position)
            for (item, position) in items {
                if let position { try await inlet.send(item, at: position) } else { try await inlet.send(item) }
            }
            let forever = AsyncStream<Never> { _ in }
            if isOpen { for await _ in forever {} }
        }
        return host
    }

    private static func registered(_ kind: String) -> String { kind == "outside" ? "sensor" : kind }

    /// Returns the events that a run gives to its end, and the place at which its source began.
    private static func resume(_ golden: JSON) async throws -> (lines: [String], place: String?) {
        let kind = try #require(golden["kind"]?.string)
        let place = Locked<String?>(nil)
        let host = host(
            registered(kind),
            hasPositions: golden["place"] != .null,
            [("3", golden["next"]?.string), ("4", golden["next"]?.string)],
            isOpen: false
        ) { position in place.withLock { $0 = position } }
        let run = try LiveRun(
            StreamDocument(parsing: try #require(golden["document"]).text()),
            from: StreamCheckpoint(parsing: try #require(golden["checkpoint"]).text()),
            host: host,
            clock: TestClock()
        )
        var lines: [String] = []
        while let event = try await run.next() { lines.append(event.line) }
        return (lines, place.withLock { $0 })
    }

    /// Returns the lines of the current version.
    private static func current() async throws -> [String] {
        var lines: [String] = []
        for example in examples {
            let text =
                #"{"source": \#(example.source), "operators": [{"id": "count", "scan": {"initialValue": 0, "expression": "acc + 1"}}]}"#
            let document = try StreamDocument(parsing: text)
            let items = [1, 2].map { (JSON.string("\($0)"), example.places?[$0 - 1]) }
            let run = try LiveRun(
                document,
                host: host(registered(example.kind), hasPositions: example.places != nil, items, isOpen: true) { _ in },
                clock: TestClock()
            )
            _ = try await run.next()
            _ = try await run.next()
            let place = example.places?.last.map(JSON.string) ?? .null
            var golden: JSON.Object = [
                "kind": .string(example.kind), "document": try JSON(parsing: document.text),
                "checkpoint": try JSON(parsing: await run.checkpoint().text), "place": place,
                "next": place,
            ]
            golden["then"] = .array(try await resume(.object(golden)).lines.map(JSON.string))
            lines.append(JSON.object(golden).text())
        }
        return lines
    }

    @Test func everyPlaceIsGivenBack() async throws {
        if let path = ProcessInfo.processInfo.environment["SLUICE_GOLDEN_PLACES"] {
            let text = try await Self.current().joined(separator: "\n") + "\n"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let file = GoldenCheckpointTests.folder.appending(path: "places-1.jsonl")
        let goldens = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map { try JSON(parsing: String($0)) }
        #expect(goldens.compactMap { $0["kind"]?.string } == Self.examples.map(\.kind))
        for golden in goldens {
            let (lines, place) = try await Self.resume(golden)
            #expect(place == golden["place"]?.string, "\(golden)")
            #expect(lines == golden["then"]?.array?.compactMap(\.string) && lines.count == 3, "\(golden)")
        }
    }

    /// The texts of places that this module reads itself.
    @Test func thePlacesOfFilesAndSchedulesAreRead() throws {
        let files = Self.examples[0].places?.compactMap { FilePlace($0) }
        #expect(files?.map(\.offset) == [24, 51] && files?.map(\.text) == Self.examples[0].places)
        #expect(Self.examples.last?.places?.compactMap { Int64($0) } == [1_785_470_400, 1_785_556_800])
    }
}
