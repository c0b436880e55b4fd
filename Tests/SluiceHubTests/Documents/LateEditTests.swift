#if Hub
import Dispatch
import Foundation
import HTTPTypes
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

/// Edits that come while the hub does something with the document of before.
@Suite(.timeLimit(.minutes(20))) struct LateEditTests {
    /// A document that is compiled apart from small ones.
    private static func large(_ value: Int) -> String {
        let note = String(repeating: "a", count: 40_000)
        return #"{"id": "a", "description": "\#(note)", "source": {"interval": {"seconds": 1}}, "#
            + #""operators": [{"id": "m", "map": {"expression": "\#(value)"}}]}"#
    }

    private static let small =
        #"{"id": "a", "source": {"interval": {"seconds": 1}}, "operators": [{"id": "m", "map": {"expression": "2"}}]}"#

    /// The document of a run that is being resumed is compiled when somebody edits it.
    @Test func anEditWhileARunIsResumedIsTakenUp() async throws {
        let store = MemoryStreamStore()
        let first = try await Hub([Self.large(1)], on: store)
        try await first.hub.run("a").start()
        try await first.pass(3)
        let hub = try await Hub(on: MemoryStreamStore(copying: store), clock: first.clock, isResumed: false)
        let gate = DispatchSemaphore(value: 0)
        let isCompiling = Locked(false)
        let blocking = Task {
            try await hub.hub.compiler.perform(size: 1 << 20) {
                isCompiling.withLock { $0 = true }
                gate.wait()
            }
        }
        try await hub.until("the compiler is at work") { isCompiling.withLock { $0 } }
        let resuming = Task { try await hub.hub.run("a") }
        try await hub.until("it is being resumed") { await hub.hub.opening["a"] != nil }
        for _ in 0..<1000 { await Task.yield() }
        let answer = try await hub.ask(.put, "/streams/a?dependents=keep", Self.small, ["If-Match": "\"1\""])
        #expect(answer.status == .ok)
        gate.signal()
        try await blocking.value
        _ = try await resuming.value
        try await hub.pass(3)
        #expect(try await hub.ask(.get, "/streams/a/run").json["revision"] == 2)
        #expect(try await hub.store.outputs(of: "a", run: nil, after: 0, limit: 100).last?.text == "2")
        for one in [first, hub] { await one.hub.shutDown() }
    }

    /// The sinks of a document that was compiled before an edit do not come back.
    @Test func sinksOfBeforeAnEditAreNotUsed() async throws {
        func text(_ sink: String) -> String {
            #"{"id": "a", "source": {"values": [1]}, "sinks": [{"id": "\#(sink)", "outside": {"name": "box"}}]}"#
        }
        var settings = HubSettings()
        settings.host.registerSink("box") { _ in }
        let hub = try await Hub([text("old")], settings: settings)
        try await hub.hub.run("a").start()
        try await hub.pass(2)
        let change = try await hub.hub.checked([], ["a"], keeping: ["a"])
        #expect(try await hub.ask(.put, "/streams/a", text("new"), ["If-Match": "\"1\""]).status == .ok)
        try await hub.pass(1)
        await hub.hub.editSinks(of: "a", at: 1, check: change.checks["a"])
        try await hub.pass(1)
        let sinks = try await hub.ask(.get, "/streams/a/sinks").json
        #expect(sinks.array?.map { $0["id"] } == ["new"])
        await hub.hub.shutDown()
    }
}
#endif
