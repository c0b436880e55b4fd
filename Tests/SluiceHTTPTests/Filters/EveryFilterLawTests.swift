#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceTestSupport
import SluiceTesting
import Testing

/// Tests that every HTTP filter obeys the laws: alone, with a state that all calls share, and around a breaker that opens and
/// load shedding that refuses.
@Suite struct EveryFilterLawTests {
    typealias F = any SimpleFilter<TransportRequest, TransportResponse>

    /// A way to make a filter for a test, with the clock of its test.
    struct Kind: Sendable, CustomStringConvertible {
        let description: String
        let make: @Sendable (TestClock) -> F

        init(_ name: String, _ make: @escaping @Sendable (TestClock) -> F) {
            description = name
            self.make = make
        }
    }

    static let token: StaticString = "{\"access_token\": \"t\"}"

    static let kinds: [Kind] = [
        Kind("AuthFilter") { AuthFilter<TransportRequest, TransportResponse>.http(clock: $0) {} },
        Kind("BasicAuthFilter") { _ in BasicAuthFilter(user: "ada", password: "secret") },
        Kind("BearerFilter") { BearerFilter(token: { "t" }, refresh: {}, clock: $0) },
        Kind("BodyFilter") { _ in BodyFilter() },
        Kind("CacheFilter") { clock in
            CacheFilter(HTTPCache(), clock: WallClock(start: Date(timeIntervalSince1970: 0), clock: clock))
        },
        Kind("CallTimeoutFilter") { CallTimeoutFilter(.seconds(60), of: .attempt, clock: $0) },
        Kind("CoalescingFilter") { CoalescingFilter(clock: $0) },
        Kind("ContentTypeFilter") { _ in ContentTypeFilter() },
        Kind("CookieFilter") { _ in CookieFilter(CookieJar()) },
        Kind("DeadlineHeaderFilter") { DeadlineHeaderFilter(clock: $0) },
        Kind("HeaderFilter") { _ in HeaderFilter([.userAgent: "a"]) },
        Kind("HeaderFilter of a provider") { _ in HeaderFilter(purpose: .attempt) { _ in [.userAgent: "a"] } },
        Kind("HTTPLogFilter") { HTTPLogFilter(clock: $0) },
        Kind("HTTPMetricsFilter") { _ in HTTPMetricsFilter() },
        Kind("HTTPTracingFilter") { _ in HTTPTracingFilter() },
        Kind("IdentityFilter") { _ in IdentityFilter { _ in "ada" } },
        Kind("LogSessionFilter") { _ in LogSessionFilter<TransportRequest, TransportResponse> { _ in } },
        Kind("OAuthFilter") { clock in
            let server = AnyNode<TransportRequest, TransportResponse> { _ in
                TransportResponse(body: Array("\(token)".utf8))
            }
            let client = OAuthClient(
                "robot",
                tokenEndpoint: URL(fileURLWithPath: "/").secure,
                transport: server
            )
            return OAuthFilter.clientCredentials(client, clock: clock)
        },
        Kind("ProgressFilter") { ProgressFilter(clock: $0, upload: { _ in }, download: { _ in }) },
        Kind("RedirectFilter") { _ in RedirectFilter() },
        Kind("RetryFilter") { clock in
            RetryFilter<TransportRequest, TransportResponse>.http(
                maxAttempts: 3,
                backoff: .constant(.seconds(1)),
                clock: clock,
                wallClock: WallClock(start: Date(timeIntervalSince1970: 0), clock: clock)
            )
        },
        Kind("SignatureFilter") { _ in SignatureFilter { _ in [.userAgent: "signed"] } },
        Kind("StatusFilter") { _ in StatusFilter() },
    ]

    private func check(_ clock: TestClock, _ make: @escaping @Sendable () -> F) async throws {
        @Sendable func open(_ filter: some SimpleFilter<TransportRequest, TransportResponse>) -> AnyFilter<
            TransportRequest, TransportResponse, TransportRequest, TransportResponse
        > { AnyFilter(filter) }
        try await checkLaws(clock: clock) { open(make()) }
    }

    @Test(arguments: kinds) func alone(_ kind: Kind) async throws {
        let clock = TestClock()
        try await check(clock) { kind.make(clock) }
    }

    /// All calls of all laws pass through the same filter, whose state was used before.
    @Test(arguments: kinds) func withASharedState(_ kind: Kind) async throws {
        let clock = TestClock()
        let shared = kind.make(clock)
        try await check(clock) { shared }
    }

    /// Around a breaker that opens at the second failure, load shedding that drops calls, and a limit.
    @Test(arguments: kinds) func aroundABreakerAndShedding(_ kind: Kind) async throws {
        let clock = TestClock()
        try await check(clock) {
            Around(kind.make(clock), clock)
        }
    }

    /// The same where the breaker has opened before: each call is refused, and ends.
    @Test(arguments: kinds) func aroundAnOpenBreaker(_ kind: Kind) async throws {
        let clock = TestClock()
        let breaker = Breaker(opensOn: .consecutiveFailures(1), clock: clock)
        let broken = BreakerFilter<TransportRequest, TransportResponse>(breaker)
            .andThen(Stub { _, _ in throw HTTPError(.unreachable, "", request: nil) }.node)
        await #expect(throws: (any Error).self) { try await broken.process(.get()) }
        let filter = kind.make(clock)
        let called = Locked(0)
        let inner = BreakerFilter<TransportRequest, TransportResponse>(breaker)
            .andThen(
                AnyNode<TransportRequest, TransportResponse> { _ in
                    called.withLock { $0 += 1 }
                    return TransportResponse()
                }
            )
        func open(_ filter: some SimpleFilter<TransportRequest, TransportResponse>) -> AnyNode<
            TransportRequest, TransportResponse
        > { AnyNode(filter.andThen(inner)) }
        let node = open(filter)
        let calls = (0..<20).map { _ in Task { try await node.process(.get()) } }
        // A retry may wait; the breaker stays open for longer than all of its pauses.
        let alarm = Task {
            while !Task.isCancelled {
                if let next = clock.untilNext { clock.advance(by: min(next, .milliseconds(10))) }
                await Task.yield()
            }
        }
        for call in calls { await #expect(throws: (any Error).self) { try await call.value } }
        alarm.cancel()
        #expect(called.withLock { $0 } == 0)
    }

    /// Four calls at a time through one filter, around a breaker that opens and closes, and load shedding that drops calls: each
    /// call ends, only a canceled one with `CancellationError`, and nothing is left behind.
    @Test(arguments: kinds) func whileABreakerOpensAndLoadIsShed(_ kind: Kind) async throws {
        let clock = TestClock()
        let breaker = Breaker(
            opensOn: .consecutiveFailures(10),
            backoff: .constant(.seconds(1)),
            clock: clock,
            random: RandomSource(seed: 1)
        )
        let shedding = SheddingFilter<TransportRequest, TransportResponse>(
            over: .seconds(1),
            minimumRate: 1,
            random: RandomSource(seed: 2),
            clock: clock
        )
        let running = Locked(0)
        let server = Stub { _, number in
            running.withLock { $0 += 1 }
            defer { running.withLock { $0 -= 1 } }
            for _ in 0..<number % 4 {
                await Task.yield()
                try Task.checkCancellation()
            }
            return .of(number / 30 % 2 == 0 ? 503 : 200)
        }
        let inner = BreakerFilter<TransportRequest, TransportResponse>(breaker).andThen(shedding).andThen(server.node)
        func open(_ filter: some SimpleFilter<TransportRequest, TransportResponse>) -> AnyNode<
            TransportRequest, TransportResponse
        > { AnyNode(filter.andThen(inner)) }
        let node = open(kind.make(clock))
        let ended = Counter()
        var answers = 0
        for round in 0..<200 {
            let before = ended.value
            let calls = (0..<4).map { number in
                Task {
                    defer { _ = ended.next() }
                    return try await node.process(.get("https://example.com/\(number)")).status.code
                }
            }
            if round % 3 == 0 {
                await Task.yield()
                calls[round % 4].cancel()
            }
            while ended.value < before + calls.count {
                if let next = clock.untilNext { clock.advance(by: min(next, .milliseconds(10))) }
                await Task.yield()
            }
            for (number, call) in calls.enumerated() {
                switch await call.result {
                case .success(200): answers += 1
                case .failure(is CancellationError):
                    #expect(round % 3 == 0 && number == round % 4, "round \(round), call \(number)")
                default: break
                }
            }
            clock.advance(by: .milliseconds(300))
        }
        #expect(breaker.counts.openings > 0)
        #expect(shedding.counts.dropped > 0)
        #expect(answers > 0)
        await until { running.withLock { $0 } == 0 && clock.untilNext == nil }
    }

    /// A filter around a breaker, load shedding, and a limit of concurrency.
    struct Around: SimpleFilter<TransportRequest, TransportResponse> {
        private let filter: F
        private let inner: AnyFilter<TransportRequest, TransportResponse, TransportRequest, TransportResponse>

        init(_ filter: F, _ clock: TestClock) {
            self.filter = filter
            inner = AnyFilter(
                SheddingFilter<TransportRequest, TransportResponse>(clock: clock)
                    .andThen(ConcurrencyFilter(20, queue: 20, clock: clock))
                    .andThen(BreakerFilter(Breaker(opensOn: .consecutiveFailures(2), clock: clock)))
            )
        }

        func process(
            _ request: TransportRequest,
            next: some Node<TransportRequest, TransportResponse>
        ) async throws -> TransportResponse {
            let stack = AnyNode(inner.andThen(next))
            func open(
                _ filter: some SimpleFilter<TransportRequest, TransportResponse>
            ) async throws -> TransportResponse { try await filter.process(request, next: stack) }
            return try await open(filter)
        }
    }

    /// No public filter of the module is missing above.
    @Test func everyFilterIsTested() throws {
        let sources = Tool.root.appendingPathComponent("Sources/SluiceHTTP")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?.allObjects ?? []
        let pattern = /public (?:struct|final class) (\w+)(?:<[^>]*>)?: SimpleFilter</
        var names: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            names.formUnion(text.matches(of: pattern).map { String($0.1) })
        }
        #expect(names.count >= 20)
        #expect(names.subtracting(Self.kinds.map(\.description)) == [])
    }
}

extension URL {
    /// An address that secrets may be sent to.
    fileprivate var secure: URL { URL(string: "https://login.example.com/token") ?? self }
}
#endif
