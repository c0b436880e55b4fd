#if Hub
import HTTPTypes
import SluiceJSON
import SluiceRuns
import SluiceStore
import Testing

@testable import SluiceHub

/// A client may leave at any moment: an edit that was stored reaches the run nevertheless.
@Suite(.timeLimit(.minutes(20))) struct CanceledWriteTests {
    private static func text(_ value: Int) -> String {
        Document.interval("a", 1, operators: #"{"id": "m", "map": {"expression": "\#(value)"}}"#)
    }

    @Test(arguments: 0..<60) func anEditReachesTheRun(_ moment: Int) async throws {
        let hub = try await Hub([Self.text(1)])
        try await hub.hub.run("a").start()
        try await hub.pass(1)
        let write = Task {
            try await hub.hub.replace("a", Array(Self.text(2).utf8), ifRevision: 1, WriteOptions())
        }
        for _ in 0..<moment { await Task.yield() }
        write.cancel()
        let isStored = (try? await write.value) != nil
        let stored = try #require(try await hub.store.read("a")?.revision)
        #expect(stored == 2 || !isStored)
        #expect(try await hub.hub.document("a").stored.revision == stored)
        try await hub.until("the run has it") { hub.hub.around.bus.status(of: "a")?.revision == stored }
    }

    /// Idle sinks take up a stack that was stored.
    @Test(arguments: 0..<60) func aStackReachesItsStreams(_ moment: Int) async throws {
        let stream =
            #"{"id": "a", "source": {"values": [1]}, "sinks": [{"id": "s", "post": {"url": "http://a.example/", "#
            + #""stack": "calls"}}]}"#
        func stack(_ seconds: Int) -> String { #"{"filters": [{"timeout": {"seconds": \#(seconds)}}]}"# }
        let hub = try await Hub([stream])
        let created = try await hub.ask(.put, "/stacks/calls", stack(1), ["If-None-Match": "*"])
        #expect(created.status == .created)
        let write = Task {
            try await hub.hub.replace("calls", Array(stack(2).utf8), ifRevision: 1, as: .stack, WriteOptions())
        }
        for _ in 0..<moment { await Task.yield() }
        write.cancel()
        _ = try? await write.value
        try await hub.settle()
        let stored = try #require(try await hub.store.read("calls")?.text)
        let held = try await hub.ask(.get, "/stacks/calls").text
        #expect(held.contains("2") == stored.contains("2"))
        #expect(try await !hub.hub.document("a").isBlocked)
    }
}
#endif
