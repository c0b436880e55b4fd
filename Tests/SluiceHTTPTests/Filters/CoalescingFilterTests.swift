#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import Testing

@testable import SluiceHTTP

@Suite struct CoalescingFilterTests {
    /// A gate that answers all waiting callers when a given number has asked.
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

    /// Waits until a number of callers share an answer.
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

    /// Different requests are sent separately: the server answers when all have arrived.
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

    /// A body that is too long to keep goes to one caller as it arrives; the others send requests of their own.
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

    /// The lint of stacks knows the role of the filter: a retry inside it serves all callers that share.
    @Test func tellsItsRole() {
        #expect(CoalescingFilter().stackRole == .singleFlight)
        #expect(CacheFilter(HTTPCache()).stackRole == .cache)
        #expect(HTTPMetricsFilter().stackRole == .wireStats)
        #expect(HTTPMetricsFilter(.calls).stackRole == .stats)
        #expect(RedirectFilter().stackRole == .redirects)
        #expect(HeaderFilter { _ in [:] }.stackRole == .credentials)
    }

    /// The key contains the method, the address, all fields, the body, and the user; other methods are shared if
    /// requested.
    @Test func bodiesAndMethods() async throws {
        let requests = try ["a", "b", "a"].map {
            TransportRequest(.post, try .of("https://example.com/"), body: .bytes(Array($0.utf8)))
        }
        for (filter, count) in [(CoalescingFilter(methods: [.post]), 2), (CoalescingFilter(), 3)] {
            let gate = Context<Void>()
            let stub = Stub { request, _ in
                try await gate.value
                return .of(200, [:], String(decoding: request.body?.bytes ?? [], as: UTF8.self))
            }
            let node = filter.andThen(stub.node)
            let calls: [Observer<TransportResponse>] = requests.map { node.start($0) }
            while stub.requests.count < count { await Task.yield() }
            // A POST that is not shared waits for nobody.
            await shared(by: count < calls.count ? calls.count : 0, filter)
            gate.emit(())
            var texts: [String] = []
            for call in calls { texts.append(try await call.value.text()) }
            #expect(texts == ["a", "b", "a"])
            #expect(stub.requests.count == count)
        }
    }

    /// Fields that don't count for equality still separate users; a partition replaces the credentials.
    @Test func users() async throws {
        let users = ["ada", "bob", "ada"]
        let requests = try users.map { try TransportRequest.get("https://example.com/", [.authorization: $0]) }
        let filters = [
            (CoalescingFilter(comparing: []), 2), (CoalescingFilter(comparing: [], partition: { _ in "one" }), 1),
            (CoalescingFilter(partition: { _ in "one" }), 2),
        ]
        for (filter, count) in filters {
            let gate = Context<Void>()
            let stub = Stub { request, _ in
                try await gate.value
                return .of(200, [:], request.headers[.authorization] ?? "")
            }
            let node = filter.andThen(stub.node)
            let calls: [Observer<TransportResponse>] = requests.map { node.start($0) }
            while stub.requests.count < count { await Task.yield() }
            await shared(by: calls.count, filter)
            gate.emit(())
            var texts: [String] = []
            for call in calls { texts.append(try await call.value.text()) }
            if count > 1 { #expect(texts == users) }
            #expect(stub.requests.count == count)
        }
    }

    /// An error is shared, unless a stage further inside has added credentials: then its request and its answer are those of
    /// one user.
    @Test(arguments: [false, true]) func errors(_ addsCredentials: Bool) async throws {
        let filter = CoalescingFilter()
        let stub = Stub { request, number in
            if number == 1 { while filter.waitingCount < 2 { await Task.yield() } }
            var sent = request
            if addsCredentials { sent.headers[.authorization] = "Bearer \(number)" }
            throw HTTPError(.badStatus, "no", request: sent, response: .of(403, [:], "for \(number)"))
        }
        let node = filter.andThen(stub.node)
        let bodies = await withTaskGroup(of: [String?].self) { group in
            for _ in 1...2 {
                group.addTask {
                    let error = await #expect(throws: HTTPError.self) { try await node.process(.get()) }
                    return [try? await error?.response?.text(), error?.request?.headers[.authorization]]
                }
            }
            let all = await group.reduce(into: [[String?]]()) { $0.append($1) }
            return all.sorted { ($0[0] ?? "") < ($1[0] ?? "") }
        }
        let shared: [[String?]] = [["for 1", nil], ["for 1", nil]]
        let own: [[String?]] = [["for 1", "Bearer 1"], ["for 2", "Bearer 2"]]
        #expect(bodies == (addsCredentials ? own : shared))
        #expect(stub.requests.count == (addsCredentials ? 2 : 1))
    }

    /// Cancellation and the deadline of one caller end only its own wait.
    @Test func oneCallerLeaves() async throws {
        let gate = Context<Void>()
        let stub = Stub { _, _ in
            try await gate.value
            return .of(200, [:], "here")
        }
        let filter = CoalescingFilter()
        let node = filter.andThen(stub.node)
        func call(_ deadline: ContinuousClock.Instant? = nil) -> Task<String, any Error> {
            Task {
                var context = CallContext.current
                context.deadline = deadline
                return try await withCallContext(context) { try await node.process(.get()).text() }
            }
        }
        // The first caller, for whom the request was sent, is canceled.
        let canceled = call()
        while stub.requests.isEmpty { await Task.yield() }
        let late = call(.now + .milliseconds(5))
        let patient = call()
        await #expect(throws: DeadlineError()) { try await late.value }
        // The request ends with its last caller, so another one has to wait for it first.
        await shared(by: 2, filter)
        canceled.cancel()
        await #expect(throws: CancellationError.self) { try await canceled.value }
        gate.emit(())
        #expect(try await patient.value == "here")
        #expect(stub.requests.count == 1)
    }

    @Test func obeysTheLaws() async throws { try await checkLaws { CoalescingFilter() } }
}
#endif
