#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import SluiceJSON
import SluiceRuns
import SluiceTesting
import Testing

@testable import SluiceClient

/// The store of a stream in the hub, over a transport that loses answers.
@Suite(.timeLimit(.minutes(10))) struct LeasedStoreTests {
    /// Answers calls of the store, after some requests without an answer.
    private final class HubStub: Transport, Sendable {
        typealias Input = TransportRequest
        typealias Output = TransportResponse
        private struct State {
            var lost: Int
            var status = HTTPResponse.Status.ok
            var writes: [Int] = []
        }
        private let state: Locked<State>

        init(losing lost: Int) { state = Locked(State(lost: lost)) }

        var writes: [Int] { state.withLock { $0.writes } }

        func answer(_ status: HTTPResponse.Status) { state.withLock { $0.status = status } }

        func process(_ request: TransportRequest) async throws -> TransportResponse {
            let body = try JSON(parsing: request.body?.bytes ?? [])
            let status = try state.withLock { state in
                if let write = body["write"]?.int { state.writes.append(write) }
                if state.lost > 0 {
                    state.lost -= 1
                    throw HTTPError(.unreachable, "the connection was reset", request: nil)
                }
                return state.status
            }
            return TransportResponse(status: status, body: Array("{}".utf8))
        }
    }

    private func store(
        _ stub: HubStub,
        _ clock: TestClock,
        holds: @escaping @Sendable () -> Bool = { true },
        onLoss: @escaping @Sendable () -> Void = {}
    ) -> LeasedStore<TestClock> {
        LeasedStore(
            HubClient(stub),
            group: "g",
            stream: "a",
            number: 1,
            clock: clock,
            holds: holds,
            onLoss: onLoss
        )
    }

    private let sinks = [SinkCommit(sink: StoredSink(stream: "a", id: "hook", cursor: .start))]

    @Test func aWriteIsSentAgainUnderItsNumberUntilTheHubAnswers() async throws {
        let (stub, clock) = (HubStub(losing: 3), TestClock())
        let store = store(stub, clock)
        let time = movingTime(clock)
        defer { time.cancel() }
        try await store.commit(sinks)
        try await store.commit(sinks)
        #expect(stub.writes == [1, 1, 1, 1, 2])
    }

    @Test func afterTheLeaseNothingIsSent() async throws {
        let stub = HubStub(losing: 0)
        let store = store(stub, TestClock(), holds: { false })
        await #expect(throws: StoreError(.unavailable(reason: "the lease of the stream has ended"))) {
            try await store.commit(sinks)
        }
        await #expect(throws: StoreError.self) { try await store.run(of: "a") }
        #expect(stub.writes == [])
    }

    @Test func aRefusalEndsTheLease() async throws {
        let (stub, count) = (HubStub(losing: 0), Losses())
        stub.answer(.preconditionFailed)
        let store = store(stub, TestClock(), onLoss: { count.add() })
        await #expect(throws: StoreError.self) { try await store.commit(sinks) }
        #expect(count.value == 1)
    }

    private final class Losses: Sendable {
        private let count = Locked(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }
}
#endif
