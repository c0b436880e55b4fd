import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import Testing

@testable import SluiceHTTP

@Suite struct CoalescingFilterTests {
    /// Answers all who wait when so many have asked.
    final class Gate: Sendable {
        private let state = Locked((count: 0, waiting: [Context<Void>]()))
        let size: Int
        init(_ size: Int) { self.size = size }

        func wait() async throws {
            let own = Context<Void>()
            let released = state.withLock { state -> [Context<Void>] in
                state.count += 1
                state.waiting.append(own)
                return state.count >= size ? state.waiting : []
            }
            for context in released { context.emit(()) }
            try await own.value
        }
    }

    /// Waits until so many callers share an answer.
    private func shared(by count: Int, _ filter: CoalescingFilter) async {
        while filter.waitingCount < count { await Task.yield() }
    }

    @Test func equalRequestsAreOne() async throws {
        let gate = Context<Void>()
        let stub = Stub { _, _ in
            try await gate.value
            return .streamed(200, [:], ["a", "b"])
        }
        let filter = CoalescingFilter()
        let node = filter.andThen(stub.node)
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await node.process(.get()).text() } }
            while stub.requests.isEmpty { await Task.yield() }
            await shared(by: 100, filter)
            gate.emit(())
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "ab", count: 100))
        #expect(stub.requests.count == 1)
    }

    /// Requests that differ go out each on its own: the server answers when all are there.
    @Test func whatDiffersIsNotShared() async throws {
        let accept: HTTPFields = [.accept: "a"]
        let requests: [TransportRequest] = [
            try .get("https://example.com/a"), try .get("https://example.com/b"),
            try .get("https://example.com/a", accept),
            try .get("https://example.com/a", [.accept: "b"]),
            TransportRequest(.head, try .of("https://example.com/a")),
            TransportRequest(.post, try .of("https://example.com/a")),
            TransportRequest(.post, try .of("https://example.com/a")),
            TransportRequest(.get, try .of("https://example.com/a"), body: "x"),
        ]
        let gate = Gate(requests.count)
        let stub = Stub { _, _ in
            try await gate.wait()
            return .of(200)
        }
        let node = CoalescingFilter().andThen(stub.node)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for request in requests { group.addTask { _ = try await node.process(request) } }
            try await group.waitForAll()
        }
        #expect(stub.requests.count == requests.count)
    }

    @Test func namedFields() async throws {
        let gate = Context<Void>()
        let stub = Stub { _, _ in
            try await gate.value
            return .of(200)
        }
        let filter = CoalescingFilter(comparing: [.accept])
        let node = filter.andThen(stub.node)
        let calls: [Observer<TransportResponse>] = try ["1", "2"].map {
            node.start(try .get("https://example.com/", [.userAgent: $0, .accept: "a"]))
        }
        while stub.requests.isEmpty { await Task.yield() }
        await shared(by: 2, filter)
        gate.emit(())
        for call in calls { #expect(try await call.value.status == .ok) }
        #expect(stub.requests.count == 1)
    }

    /// A body that is too long to keep goes to one caller as it arrives; the others ask for themselves.
    @Test(arguments: [true, false])
    func longBodies(_ isCounted: Bool) async throws {
        let gate = Context<Void>()
        let stub = Stub { _, number in
            if number == 1 { try await gate.value }
            return .streamed(200, isCounted ? [.contentLength: "9"] : [:], ["one", "two", "six"])
        }
        let filter = CoalescingFilter(maximumBodyBytes: 5)
        let node = filter.andThen(stub.node)
        let calls: [Observer<TransportResponse>] = try (0..<3).map { _ in node.start(try .get()) }
        while stub.requests.isEmpty { await Task.yield() }
        await shared(by: 3, filter)
        gate.emit(())
        for call in calls { #expect(try await call.value.text() == "onetwosix") }
        #expect(stub.requests.count == 3)
    }

    @Test func afterItAnotherBegins() async throws {
        let stub = Stub(.of(200, [:], "1"), .of(200, [:], "2"))
        let node = CoalescingFilter().andThen(stub.node)
        #expect(try await node.process(.get()).text() == "1")
        #expect(try await node.process(.get()).text() == "2")
    }

    /// The lint of stacks knows what it is: a retry inside of it serves all who share.
    @Test func tellsItsRole() {
        #expect(CoalescingFilter().stackRole == .singleFlight)
        #expect(CacheFilter(HTTPCache()).stackRole == .cache)
        #expect(HTTPMetricsFilter().stackRole == .stats)
    }

    @Test func obeysTheLaws() async throws { try await checkLaws { CoalescingFilter() } }
}
