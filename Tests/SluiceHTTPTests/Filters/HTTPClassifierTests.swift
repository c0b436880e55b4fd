#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceTesting
import Testing

/// Tests of the classifier, which is the default of every filter.
@Suite(.timeLimit(.minutes(20))) struct HTTPClassifierTests {
    typealias Result = Swift.Result<TransportResponse, any Error>

    private func post(_ body: RequestBody? = "a") throws -> TransportRequest {
        TransportRequest(.post, try .of("https://example.com/"), body: body)
    }

    @Test func statuses() {
        let classifier = HTTPClassifier()
        for status in 100...699 where status != 103 {
            let expected: ResponseClass =
                switch status {
                case 408, 425, 429, 500, 502, 503, 504: .retryable()
                case 500...: .failure
                default: .success
                }
            #expect(classifier.responseClass(of: TransportResponse.of(status)) == expected, "\(status)")
        }
        let hint = TransportResponse.of(503, [.retryAfter: "7"])
        #expect(classifier.responseClass(of: hint) == .retryable(after: .seconds(7)))
        #expect(classifier.responseClass(of: HTTPError(.badStatus, "", request: nil, response: hint)).isFailure)
    }

    /// Five 404s don't open a breaker; five 503s do, as answers and as errors.
    @Test(arguments: [(404, false), (401, false), (503, true), (500, true)], [true, false])
    func breakers(_ status: (Int, Bool), _ isError: Bool) async throws {
        let breaker = BreakerFilter<TransportRequest, TransportResponse>(Breaker(opensOn: .consecutiveFailures(5)))
        let stub = Stub(.of(status.0))
        let inner = isError ? AnyNode(StatusFilter().andThen(stub.node)) : stub.node
        for _ in 0..<10 { _ = try? await breaker.andThen(inner).process(.get()) }
        #expect(stub.requests.count == (status.1 ? 5 : 10))
    }

    /// A generic retry repeats transient failures of requests that may be sent twice.
    @Test func retries() async throws {
        func count(_ request: TransportRequest, _ status: Int) async -> Int {
            let stub = Stub(.of(status))
            _ = try? await RetryFilter(maxAttempts: 3).andThen(stub.node).process(request)
            return stub.requests.count
        }
        #expect(await count(try .get(), 503) == 3)
        #expect(await count(try .get(), 404) == 1)
        #expect(await count(try post(), 404) == 1)
        #expect(await count(try post(), 503) == 1)
    }

    /// The same retry around a whole chain, which reports the failure only by its error.
    @Test func retriesAroundChains() async throws {
        for (method, status, count) in [
            (HTTPRequest.Method.get, 503, 3), (.get, 404, 1), (.post, 404, 1), (.post, 503, 1),
        ] {
            let stub = Stub(.of(status))
            let chain = URLChainBuilder<URL>(transport: stub.node).plain(try .of("https://example.com/"), method)
            _ = try? await RetryFilter(maxAttempts: 3).andThen(chain).process(())
            #expect(stub.requests.count == count, "\(method) \(status)")
        }
    }

    /// A POST is repeated if it is known that nothing was sent.
    @Test func unsentRequests() async throws {
        for (isUnsent, body, count) in [
            (true, "a" as RequestBody, 3), (false, "a", 1),
            (true, .stream(RequestStream(count: 1, isReplayable: false) { "a" }), 1),
        ] {
            let stub = Stub { request, _ in
                throw HTTPError(.unreachable, "no", request: request, isUnsent: isUnsent)
            }
            let retry = RetryFilter.http(maxAttempts: 3, backoff: .none)
            _ = try? await retry.andThen(stub.node).process(try post(body))
            #expect(stub.requests.count == count)
        }
        // No server listens there.
        let refused = TransportRequest(.post, try .of("http://127.0.0.1:9/"))
        let error = await #expect(throws: HTTPError.self) { try await HTTPTransport().process(refused) }
        #expect(error?.isUnsent == true)
        // The server closes the connection without an answer.
        let server = try HostileServer("")
        defer { server.stop() }
        let sent = TransportRequest(.post, try server.url())
        let unknown = await #expect(throws: HTTPError.self) { try await HTTPTransport().process(sent) }
        #expect(unknown?.isUnsent == false)
        #expect(unknown?.message.hasSuffix("; the server may have processed the request") == true)
    }

    /// A hedge with its defaults sends a slow request a second time only if the server may process it twice.
    @Test(
        arguments: [
            (HTTPRequest.Method.get, nil, 2), (.put, nil, 2), (.post, nil, 1), (.patch, nil, 1), (.post, "key-1", 2),
        ] as [(HTTPRequest.Method, String?, Int)]
    )
    func hedgedRequests(_ method: HTTPRequest.Method, _ key: String?, _ count: Int) async throws {
        let clock = TestClock()
        let hedge = HedgeFilter<TransportRequest, TransportResponse>(extraLoad: 0.5, clock: clock)
        let quick = Stub { _, _ in
            clock.advance(by: .milliseconds(10))
            return .of(200)
        }
        for _ in 0..<20 { _ = try await hedge.andThen(quick.node).process(.get()) }
        clock.advance(by: .seconds(3))
        let gate = Context<Void>()
        let slow = Stub { _, number in
            if number == 1 { try await gate.value }
            return .of(200)
        }
        var context = CallContext()
        context.idempotencyKey = key
        let sent = context
        let request = TransportRequest(method, try .of("https://example.com/"), body: "a")
        let call = Task { try await withCallContext(sent) { try await hedge.andThen(slow.node).process(request) } }
        func pass() async {
            clock.advance(by: .milliseconds(1))
            await Task.yield()
        }
        while slow.requests.count < count { await pass() }
        for _ in 0..<500 { await pass() }
        #expect(slow.requests.count == count)
        gate.emit(())
        #expect(try await call.value.status == .ok)
    }

    @Test func hedges() throws {
        #expect(try !post().mayBeHedged)
        #expect(try TransportRequest.get().mayBeHedged)
        #expect(try post().identified(by: "k").mayBeHedged)
    }

    @Test func fallbacks() async throws {
        let fallback = FallbackFilter<TransportRequest, TransportResponse> { _, _ in .of(203) }
        for (status, expected) in [(503, 203), (501, 203), (404, 404), (200, 200)] {
            let answer = try await fallback.andThen(Stub(.of(status)).node).process(.get())
            #expect(answer.status.code == expected)
            let node = fallback.andThen(StatusFilter()).andThen(Stub(.of(status)).node)
            let code: Int
            do { code = try await node.process(.get()).status.code } catch let error as HTTPError {
                code = error.response?.status.code ?? 0
            }
            #expect(code == expected)
        }
    }

    @Test func shedding() async throws {
        let filter = SheddingFilter<TransportRequest, TransportResponse>()
        for status in [503, 429, 404, 500] { _ = try await filter.andThen(Stub(.of(status)).node).process(.get()) }
        #expect(filter.counts.refused == 2)
        #expect(filter.counts.accepted == 2)
    }

    @Test(arguments: [(503, true), (404, false)]) func balancers(_ status: Int, _ isTakenOut: Bool) async throws {
        let bad = Stub(.of(status))
        let good = Stub(.of(200))
        let balancer = Balancer<TransportRequest, TransportResponse>(
            over: ["bad", "good"],
            accrual: .consecutiveFailures(3),
            connect: { $0 == "bad" ? bad.node : good.node }
        )
        for _ in 0..<100 { _ = try await balancer.process(.get()) }
        #expect((bad.requests.count <= 3) == isTakenOut)
    }

    // MARK: - Idempotency-Key

    /// The key of the call is sent with each attempt, and only then is a POST repeated.
    @Test(arguments: ["key-1", nil]) func keysAreSent(_ key: String?) async throws {
        let server = try OriginServer { _, number in .of(number == 1 ? 503 : 200) }
        var context = CallContext()
        context.idempotencyKey = key
        let request = TransportRequest(.post, try server.url(), body: "a")
        try await withCallContext(context) {
            _ = try await RetryFilter.http(backoff: .none).andThen(HTTPTransport()).process(request)
        }
        let sent = server.requests.map { $0["Idempotency-Key"] }
        #expect(sent == (key == nil ? [nil] : ["\"key-1\"", "\"key-1\""]))
    }

    /// Every way to send a request writes the key: a chain, a generic retry, a hedge, the transport alone.
    @Test func everySenderWritesTheKey() async throws {
        var context = CallContext()
        context.idempotencyKey = "a\"\\é"
        let text = #""a\"\\%C3%A9""#
        let request = try post()
        try await withCallContext(context) {
            let stub = Stub(.of(200))
            _ = try await RetryFilter(maxAttempts: 2).andThen(stub.node).process(request)
            _ = try await HedgeFilter().andThen(stub.node).process(request)
            _ = try await URLChainBuilder<URL>(transport: stub.node).plain(request.url, .post).process()
            #expect(stub.requests.map { $0.headers[.idempotencyKey] } == [text, text, text])
            // A key that the request already has stays.
            var own = request
            own.headers[.idempotencyKey] = "own"
            _ = try await RetryFilter(maxAttempts: 2).andThen(stub.node).process(own)
            #expect(stub.requests.last?.headers[.idempotencyKey] == "own")
            let server = try OriginServer { _, _ in .of(200) }
            _ = try await HTTPTransport().process(TransportRequest(.post, try server.url()))
            #expect(server.requests.map { $0["Idempotency-Key"] } == [text])
        }
    }
}
#endif
