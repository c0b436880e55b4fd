#if HTTP && Server
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Sluice
import SluiceFilters
import SluiceServer
import SluiceTesting
import Testing

private struct Failure: Error {}

/// A counter of attempts, from any thread.
private final class Tries: Sendable {
    private let count = Locked(0)
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

@Suite struct FilterMiddlewareTests {
    let gate = Gate()

    /// A gate that holds and counts handlers until it is opened.
    final class Gate: Sendable {
        private let waiting = Locked<(open: Bool, entered: Int, observers: [Context<Void>])>((false, 0, []))

        var entered: Int { waiting.withLock { $0.entered } }

        func pass() async throws {
            let context = Context<Void>()
            let isOpen = waiting.withLock { state in
                state.entered += 1
                if !state.open { state.observers.append(context) }
                return state.open
            }
            if !isOpen { try await context.value }
        }

        func open() {
            let observers = waiting.withLock { state in
                state.open = true
                return state.observers
            }
            for observer in observers { observer.emit(()) }
        }
    }

    private func application(
        _ filter: some SimpleFilter<Request, Response>,
        _ handler: @escaping @Sendable () async throws -> String = { "done" }
    ) -> some ApplicationProtocol {
        let router = Router()
        router.add(middleware: FilterMiddleware(filter))
        router.get("/") { _, _ in try await handler() }
        return Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
    }

    @Test func whatAnswersPasses() async throws {
        try await application(RetryFilter<Request, Response>(maxAttempts: 2)).test(.router) { client in
            try await client.execute(uri: "/", method: .get) { response in
                #expect(response.status == .ok)
                #expect(String(buffer: response.body) == "done")
            }
        }
    }

    @Test func tooManyCallsInATimeAre429() async throws {
        let clock = TestClock()
        let rate = RateFilter<Request, Response>(1, per: .seconds(90), clock: clock)
        try await application(rate).test(.router) { client in
            try await client.execute(uri: "/", method: .get) { #expect($0.status == .ok) }
            clock.advance(by: .milliseconds(500))
            try await client.execute(uri: "/", method: .get) { response in
                #expect(response.status == .tooManyRequests)
                #expect(response.headers[.retryAfter] == "90")
                #expect(
                    String(buffer: response.body)
                        == #"{"error":{"message":"the rate limit is reached: try again in 89.5 seconds"}}"#
                )
            }
        }
    }

    // `.live` uses one connection, on which the second request would wait for the first.
    @Test(arguments: [TestingSetup.router, .ahc()])
    func tooManyCallsAtATimeAre503(_ setup: TestingSetup) async throws {
        let application = application(ConcurrencyFilter<Request, Response>(1)) { [gate] in
            try await gate.pass()
            return "done"
        }
        try await application.test(setup) { client in
            async let first = client.execute(uri: "/", method: .get) { $0.status }
            while gate.entered == 0 { await Task.yield() }
            try await client.execute(uri: "/", method: .get) { response in
                #expect(response.status == .serviceUnavailable)
                #expect(response.headers[.retryAfter] == "1")
            }
            gate.open()
            let status = try await first
            #expect(status == .ok)
        }
    }

    @Test func filtersMayCallAgain() async throws {
        let tries = Tries()
        let application = application(RetryFilter<Request, Response>(maxAttempts: 3)) {
            let count = tries.next()
            if count < 3 { throw Failure() }
            return "try \(count)"
        }
        try await application.test(.router) { client in
            try await client.execute(uri: "/", method: .get) { #expect(String(buffer: $0.body) == "try 3") }
        }
    }

    @Test func aHandlerThatIsLateIsCanceledAndHasEnded() async throws {
        let clock = TestClock()
        let application = application(TimeoutFilter<Request, Response>(.seconds(2), clock: clock)) { [gate] in
            try await gate.pass()
            return "never"
        }
        try await application.test(.router) { client in
            async let status = client.execute(uri: "/", method: .get) { $0.status }
            while gate.entered == 0 { await Task.yield() }
            clock.advance(by: .seconds(2))
            let late = try await status
            #expect(late == .gatewayTimeout)
        }
    }

    @Test func aHedgeIsToldWhatToDoInstead() async throws {
        struct Twice: SimpleFilter<Request, Response> {
            func process(_ request: Request, next: some Node<Request, Response>) async throws -> Response {
                async let one = next.process(request)
                do { return try await next.process(request) } catch {
                    _ = try? await one
                    return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "\(error)")))
                }
            }
        }
        let application = application(Twice()) { [gate] in
            try await gate.pass()
            return "done"
        }
        try await application.test(.router) { client in
            async let body = client.execute(uri: "/", method: .get) { String(buffer: $0.body) }
            while gate.entered == 0 { await Task.yield() }
            gate.open()
            let text = try await body
            #expect(text == "done" || text.contains("make a handler of a node instead"))
        }
    }

    @Test func errorsOfRoutesPass() async throws {
        let application = application(RetryFilter<Request, Response>(maxAttempts: 1)) { throw HTTPError(.notFound) }
        try await application.test(.router) { client in
            try await client.execute(uri: "/", method: .get) { #expect($0.status == .notFound) }
        }
    }

    @Test(arguments: [
        (RateLimitError(retryAfter: .milliseconds(2001)) as any Error, 429, "3" as String?),
        (RateLimitError(retryAfter: .zero), 429, "1"),
        (ThrottledError(), 429, "1"),
        (OverloadedError(limit: 1, waiting: 0), 503, "1"),
        (SheddingError(probability: 0.5), 503, "1"),
        (NoEndpointsError(), 503, "1"),
        (BreakerOpenError(retryAfter: .seconds(5)), 503, "5"),
        (BreakerOpenError(), 503, "1"),
        (DeadlineError(), 504, nil),
        (TimeoutError(duration: .seconds(1)), 504, nil),
        (SupersededError(), 409, nil),
    ]) func statuses(_ error: any Error, _ code: Int, _ retryAfter: String?) throws {
        let answer = try #require(HTTPError(filterError: error))
        #expect(answer.status.code == code)
        #expect(answer.headers[.retryAfter] == retryAfter)
        #expect(answer.body == "\(error)")
    }

    @Test func otherErrorsAreNotOfFilters() { #expect(HTTPError(filterError: Failure())?.status == nil) }
}
#endif
