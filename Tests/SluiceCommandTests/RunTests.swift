#if Command
import Foundation
import SluiceClient
import SluiceJSON
import SluiceStreams
import SluiceTestSupport
import Testing

/// A file that is gone after the test.
final class TemporaryFile: Sendable {
    let path: String

    init(_ text: String, name: String = "stream.json") throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent(name).path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    deinit { try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent()) }
}

@Suite(.timeLimit(.minutes(30))) struct RunTests {
    /// The encoded `serialStreamA` of the seed.
    static var serialStreamA: String {
        get throws {
            let items = (1...4).map { StreamItem(value: $0, operators: [.delay(seconds: 1)]) }
            let model = StreamModel(id: UUID(), name: "Serial Stream A", description: nil, stream: items)
            return String(decoding: try JSONEncoder().encode(model), as: UTF8.self)
        }
    }

    static let lines = [
        #"{"time": 1, "value": 1}"#, #"{"time": 2, "value": 2}"#, #"{"time": 3, "value": 3}"#,
        #"{"time": 4, "value": 4}"#,
        #"{"time": 4, "completed": true}"#,
    ]

    /// A source that only a hub has is refused before anything runs.
    @Test func aWebhookNeedsAHub() async throws {
        let file = try TemporaryFile(#"{"source": {"webhook": {"name": "in", "auth": "none"}}}"#)
        let outcome = try await Tool.sluice.run(["run", file.path])
        #expect(outcome.status == 65 && outcome.lines == [])
        #expect(outcome.errors.contains(":1:1: error: webhook: a webhook is received by a hub, and not here"))
        let reader = try TemporaryFile(#"{"source": {"subscribe": "a"}}"#)
        let other = try await Tool.sluice.run(["run", reader.path])
        #expect(other.status == 65 && other.errors.contains("no hub is known here whose streams could be read"))
        #expect(other.errors.contains("hint: name it with --hub"))
        #expect(try await Tool.sluice.run(["run", reader.path, "--hub", "nowhere"]).status == 64)
    }

    /// `subscribe` reads the streams of the hub that is named.
    @Test func aHubIsRead() async throws {
        let folder = try ScratchFolder()
        let hub = try await ServedHub(store: folder.path + "/hub.sqlite")
        let client = try hub.client
        _ = try await client.create(#"{"id": "numbers", "source": {"values": [1, 2, 3]}}"#)
        try await client.start("numbers")
        let reader = try TemporaryFile(#"{"source": {"subscribe": {"stream": "numbers", "from": "start"}}}"#)
        let outcome = try await Tool.sluice.run(["run", reader.path, "--hub", hub.address, "--take", "3"])
        #expect(outcome.status == 0)
        #expect(try outcome.lines.map { try JSON(parsing: $0)["value"] } == [1, 2, 3])
    }

    /// The sinks of a document deliver, and the command ends when they have everything.
    @Test func sinksDeliver() async throws {
        let folder = try ScratchFolder()
        let text = #"{"source": {"values": [1, 2, 3]}, "sinks": [{"id": "log", "lines": {"path": "out.log"}}]}"#
        let file = try TemporaryFile(text)
        let path = folder.path + "/out.log"
        let outcome = try await Tool.sluice.run(["run", file.path, "--files", folder.path])
        #expect(outcome.status == 0 && outcome.lines.count == 4, "\(outcome.errors)")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.contains(/[123]/) }, "\(lines)")
        for option in ["--virtual", "--no-sinks"] {
            try FileManager.default.removeItem(atPath: path)
            let outcome = try await Tool.sluice.run(["run", file.path, "--files", folder.path, option])
            #expect(outcome.status == 0 && !FileManager.default.fileExists(atPath: path), "\(option)")
            try Data().write(to: URL(fileURLWithPath: path))
        }
    }

    /// A sink that may deliver nothing is an error, not silence.
    @Test func blockedSinkIsAnError() async throws {
        let file = try TemporaryFile(
            #"{"source": {"values": [1]}, "sinks": [{"id": "log", "lines": {"path": "out.log"}}]}"#
        )
        let outcome = try await Tool.sluice.run(["run", file.path])
        #expect(outcome.status == 69 && outcome.errors.contains("the sink log is blocked"), "\(outcome.errors)")
        #expect(outcome.errors.contains("--files FOLDER allows those of a folder"))
    }

    @Test func virtualTimeIsAtOnce() async throws {
        let file = try TemporaryFile(Self.serialStreamA)
        let outcome = try await Tool.sluice.run(["run", file.path, "--virtual"])
        #expect(outcome.lines == Self.lines)
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
        let years = try TemporaryFile(#"{"stream": [{"value": 1, "operators": [{"delay": {"seconds": 1000000000}}]}]}"#)
        let late = try await Tool.sluice.run(["run", years.path, "--virtual"])
        #expect(late.lines.first == #"{"time": 1000000000, "value": 1}"#)
    }

    @Test func liveTimeIsASecondApart() async throws {
        let file = try TemporaryFile(Self.serialStreamA)
        let clock = ContinuousClock()
        let start = clock.now
        let running = try Tool.sluice.start(["run", file.path])
        var seen: [(line: String, time: Duration)] = []
        for await line in running.lines { seen.append((line, start.duration(to: clock.now))) }
        #expect(seen.map(\.line) == Self.lines)
        // None is early; how late one is read depends on what else the machine does.
        for (second, entry) in zip(1...4, seen) { #expect(entry.time >= .seconds(second), "\(entry)") }
    }

    @Test func readsStandardInput() async throws {
        let outcome = try await Tool.sluice.run(["run", "-", "--virtual"], input: Self.serialStreamA)
        #expect(outcome.lines == Self.lines)
    }

    @Test func stopsWhereItIsTold() async throws {
        let text = try Self.serialStreamA
        let until = try await Tool.sluice.run(["run", "-", "--virtual", "--until", "2"], input: text)
        #expect(until.lines == Array(Self.lines.prefix(2)))
        let take = try await Tool.sluice.run(["run", "-", "--virtual", "--take", "3"], input: text)
        #expect(take.lines == Array(Self.lines.prefix(3)))
        let live = try await Tool.sluice.run(["run", "-", "--until", "0.1"], input: text)
        #expect(live.lines == [] && live.status == 0)
        let none = try await Tool.sluice.run(["run", "-", "--take", "0"], input: text)
        #expect(none.lines == [] && none.status == 0)
    }

    /// Lines that are written together don't wait for the next ones.
    @Test(.timeLimit(.minutes(5))) func linesComeBeforeAWait() async throws {
        let file = try TemporaryFile(#"{"source": {"concat": [{"values": [1, 2, 3]}, {"timer": {"seconds": 3600}}]}}"#)
        let running = try Tool.sluice.start(["run", file.path])
        var seen: [String] = []
        for await line in running.lines {
            seen.append(line)
            if seen.count == 3 { running.signal(SIGINT) }
        }
        #expect(seen == (1...3).map { #"{"time": 0, "value": \#($0)}"# })
        _ = await running.outcome()
    }

    @Test func interruptEndsIt() async throws {
        let file = try TemporaryFile(
            #"{"stream": [{"value": 1}, {"value": 2, "operators": [{"delay": {"seconds": 60}}]}]}"#
        )
        let running = try Tool.sluice.start(["run", file.path])
        for await line in running.lines {
            #expect(line == #"{"time": 0, "value": 1}"#)
            running.signal(SIGINT)
        }
        let outcome = await running.outcome()
        #expect(outcome.status == 130 || outcome.status == -SIGINT)  // a shell makes 130 of the signal
    }

    @Test func readerThatLeavesIsNoFailure() async throws {
        let file = try TemporaryFile(
            #"{"stream": [\#((0..<50_000).map { #"{"value": \#($0)}"# }.joined(separator: ","))]}"#
        )
        let shell = Tool(URL(fileURLWithPath: "/bin/bash"))
        let outcome = try await shell.run(
            [
                "-c", #""$0" run "$1" --virtual | head -1; exit ${PIPESTATUS[0]}"#, Tool.products.path + "/sluice",
                file.path,
            ]
        )
        #expect(outcome.lines == [#"{"time": 0, "value": 0}"#])
        #expect(outcome.status == 0 || outcome.status == 141)  // 141: ended by the closed pipe, as head's users expect
        #expect(outcome.errors == "")
    }
}
#endif
