#if Command
import Foundation
import SluiceClient
import SluiceTestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct StatusTests {
    @Test func itShowsWhatStreamsDo() async throws {
        let folder = try ScratchFolder()
        let hub = try await ServedHub(store: folder.path + "/hub.sqlite")
        let client = try hub.client
        let count = try await client.heads().count
        let idle = try await Tool.sluice.run(["status", hub.address])
        #expect(idle.output == "\(hub.address): \(count) streams (\(count) idle)\n" && idle.status == 0)

        _ = try await client.create(#"{"id": "ticks", "source": {"interval": {"seconds": 3600}}}"#)
        _ = try await client.create(#"{"id": "done", "source": {"values": [1, 2]}}"#)
        let bad = #"{"id": "bad", "source": {"values": [1]}, "operators": [{"map": {"expression": "x / 0"}}]}"#
        _ = try await client.create(bad)
        for id in ["ticks", "done", "bad"] { _ = try await client.start(id) }
        var outcome = try await Tool.sluice.run(["status", hub.address])
        var looks = Looks()
        while !outcome.output.contains("failed") || !outcome.output.contains("completed") {
            await looks.pause()
            outcome = try await Tool.sluice.run(["status", hub.address])
        }
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let states = "1 running, 1 failed, 1 completed"
        #expect(lines.first == "\(hub.address): \(count + 3) streams (\(states), \(count) idle)")
        #expect(lines.dropFirst().first == "STREAM  STATE      IN  OUT  BEHIND  TO DELIVER")
        #expect(lines.contains("ticks   running    0   0"))
        #expect(lines.contains { $0.hasPrefix("done    completed  ") })
        #expect(lines.last?.hasPrefix("bad: ") == true && lines.last?.contains("zero") == true)
        // Something needs attention.
        #expect(outcome.status == 1 && outcome.errors == "")
    }

    @Test func itNeedsOnePlace() async throws {
        for arguments in [[], ["http://127.0.0.1:1", "--nats", "nats://127.0.0.1:1"]] {
            let outcome = try await Tool.sluice.run(["status"] + arguments)
            #expect(outcome.status == 64 && outcome.errors.contains("status takes the address of a hub, or --nats"))
        }
        let outcome = try await Tool.sluice.run(["status", "http://127.0.0.1:1"])
        #expect(outcome.status == 69)
    }
}
#endif
