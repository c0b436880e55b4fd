#if Command
import Foundation
import SluiceTestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct ServeTests {
    @Test func servesUntilItIsInterrupted() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appendingPathComponent("hub.sqlite").path
        let running = try Tool.sluice.start(["serve", "--port", "0", "--store", store])
        var address = ""
        for await line in running.lines {
            address = line.split(separator: " ").first { $0.hasPrefix("http://") }.map(String.init) ?? ""
            break
        }
        #expect(address.hasPrefix("http://127.0.0.1:"))
        let list = try await Tool.sluice.run(["call", "GET", address + "streams"])
        #expect(list.status == 0)
        #expect(list.output.contains("Serial Stream A") && list.output.contains("Serial Stream B"))

        // Other names and other pages are refused.
        for header in ["Host: example.com", "Origin: http://example.com"] {
            let refused = try await Tool.sluice.run(["call", "GET", address + "streams", "--header", header])
            #expect(refused.status == 1, "\(header)")
        }

        // The port is taken now: a clear error.
        let port = address.split(separator: ":").last?.dropLast().description ?? ""
        let second = try await Tool.sluice.run(["serve", "--port", port, "--store", folder.path + "/second.sqlite"])
        #expect(second.status == 69)
        #expect(
            second.errors.hasPrefix("serve: error: cannot listen on 127.0.0.1:\(port): choose another port with --port")
        )
        #expect(second.errors.split(separator: "\n").count == 1)

        // An open event stream does not hold the end up.
        let id = "serial-stream-a"
        #expect(try await Tool.sluice.run(["call", "POST", address + "streams/\(id)/start"]).status == 0)
        let events = try Tool.sluice.start(["call", "GET", address + "streams/\(id)/events", "--raw"])
        // Printed when it is whole: when the hub has ended it.
        try await running.waitUntil { await isListenedTo(address) }
        running.signal(SIGINT)
        let seen = await events.outcome().output
        #expect(seen.contains("event: run\ndata: {\"stream\":\"\(id)\",\"run\":1,\"revision\":1,\"state\":\"running\""))
        #expect(await running.outcome().status == 130)
    }

    private func isListenedTo(_ address: String) async -> Bool {
        let metrics = try? await Tool.sluice.run(["call", "GET", address + "metrics", "--raw"])
        return metrics?.lines.contains("sluice_subscribers 1") ?? false
    }

    /// A failed run resumes with `on-failure`: it is still the first run, and its time, which stops between attempts,
    /// passes a second. With `never`, it remains failed.
    @Test(arguments: [("on-failure", #""run":1,.*"state":"restarting","time":[1-9]"#), ("never", #""state":"failed""#)])
    func aFailedRunResumesIfAsked(_ policy: String, _ expected: String) async throws {
        let folder = try ScratchFolder()
        let hub = try await ServedHub(store: folder.path + "/hub.sqlite", "--restart", policy)
        let file = try folder.write(#"{"id": "a", "source": {"fail": "no more"}}"#, "a.json")
        #expect(try await Tool.sluice.run(["push", hub.address, file]).status == 0)
        #expect(try await Tool.sluice.run(["call", "POST", hub.address + "streams/a/start"]).status == 0)
        try await hub.running.waitUntil {
            let run = try? await Tool.sluice.run(["call", "GET", hub.address + "streams/a/run", "--raw"])
            return run?.output.range(of: expected, options: .regularExpression) != nil
        }
    }

    @Test func whenToBeginAnewIsNeverOrOnFailure() async throws {
        let outcome = try await Tool.sluice.run(["serve", "--restart", "always"])
        #expect(outcome.status == 64)
        let text =
            "The value 'always' is invalid for '--restart <restart>'. Please provide one of 'never' and 'on-failure'."
        #expect(outcome.errors.contains(text))
    }

    @Test func storeThatIsNone() async throws {
        let file = try TemporaryFile(String(repeating: "x", count: 5000))
        let outcome = try await Tool.sluice.run(["serve", "--port", "0", "--store", file.path])
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.hasPrefix(
                "\(file.path): error: is not a Sluice store (file is not a database): choose another file"
            )
        )
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }
}
#endif
