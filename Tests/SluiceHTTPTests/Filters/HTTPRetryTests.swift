#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceTesting
import Testing

@Suite struct HTTPRetryTests {
    let clock = TestClock()
    let now = Date(timeIntervalSince1970: 784_111_777)

    func retry(_ attempts: Int = 3) -> RetryFilter<TransportRequest, TransportResponse> {
        .http(maxAttempts: attempts, backoff: .none, clock: clock, wallClock: WallClock(start: now, clock: clock))
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func whatIsTriedAgain(_ status: Int) async throws {
        let (plain, asError) = (Stub(.of(status), .of(200)), Stub(.of(status), .of(200)))
        #expect(try await retry().andThen(plain.node).process(.get()).status == .ok)
        #expect(try await retry().andThen(StatusFilter()).andThen(asError.node).process(.get()).status == .ok)
        #expect(plain.requests.count == 2)
        #expect(asError.requests.count == 2)
    }

    @Test(arguments: [400, 401, 403, 404, 409, 501, 505, 599])
    func whatIsNot(_ status: Int) async throws {
        let stub = Stub(.of(status), .of(200))
        #expect(try await retry().andThen(stub.node).process(.get()).status.code == status)
        let error = await #expect(throws: HTTPError.self) {
            try await retry().andThen(StatusFilter()).andThen(Stub(.of(status), .of(200)).node).process(.get())
        }
        #expect(error?.response?.status.code == status)
        #expect(stub.requests.count == 1)
    }

    @Test func connectionsThatFail() async throws {
        let codes: [(HTTPError.Code, HTTPError.Timeout?, Int)] = [
            (.unreachable, nil, 3), (.timedOut, .idle, 3), (.timedOut, .total, 1), (.badRequest, nil, 1),
            (.bodyTooLarge, nil, 1),
        ]
        for (code, timeout, count) in codes {
            let stub = Stub { request, _ in throw HTTPError(code, "no", request: request, timeout: timeout) }
            await #expect(throws: HTTPError.self) { try await retry().andThen(stub.node).process(.get()) }
            #expect(stub.requests.count == count, "\(code)")
        }
    }

    @Test func onlyWhatMayBeSentTwice() async throws {
        let once = RequestBody.stream(RequestStream(count: 1, isReplayable: false) { "a" })
        func tries(_ method: HTTPRequest.Method, _ headers: HTTPFields = [:], _ body: RequestBody? = nil) async -> Int {
            let key = CallContext.current.idempotencyKey
            let stub = Stub { request, _ in
                if key != nil { #expect(request.headers[.idempotencyKey] == "\"k\"") }
                throw HTTPError(.unreachable, "no", request: request)
            }
            let request = try? TransportRequest(method, .of("https://example.com/"), headers: headers, body: body)
            if let request { _ = try? await retry().andThen(stub.node).process(request) }
            return stub.requests.count
        }
        #expect(await tries(.put, [:], "a") == 3)
        #expect(await tries(.post, [:], "a") == 1)
        #expect(await tries(.post, [.idempotencyKey: "k"], "a") == 3)
        #expect(await tries(.put, [:], once) == 1)
        var context = CallContext()
        context.idempotencyKey = "k"
        await withCallContext(context) {
            #expect(await tries(.post, [:], "a") == 3)
            #expect(await tries(.post, [:], once) == 1)
        }
    }

    @Test(arguments: ["30", "Sun, 06 Nov 1994 08:50:07 GMT"])
    func waitsAsLongAsTheAnswerAsks(_ hint: String) async throws {
        let stub = Stub(.of(503, [.retryAfter: hint]), .of(200))
        let node = retry().andThen(StatusFilter()).andThen(stub.node)
        let call: Observer<TransportResponse> = node.start(try .get())
        await clock.sleepers(1)
        // The callers return spread over the time that was asked for.
        let wait = try #require(clock.untilNext)
        #expect(wait >= .seconds(30) && wait <= .seconds(60))
        clock.advance(by: wait)
        #expect(try await call.value.status == .ok)
    }

    @Test func doesNotWaitTooLong() async throws {
        let stub = Stub(.of(503, [.retryAfter: "61"]), .of(200))
        #expect(try await retry().andThen(stub.node).process(.get()).status.code == 503)
    }
}
#endif
