#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import Testing

/// Tests of the order of the stages, and of the chains that are refused.
@Suite struct ChainStagesTests {
    typealias Builder = URLChainBuilder<URL>
    typealias F = any SimpleFilter<TransportRequest, TransportResponse>

    struct Plain: SimpleFilter<TransportRequest, TransportResponse> {
        func process(
            _ request: TransportRequest,
            next: some Node<TransportRequest, TransportResponse>
        ) async throws -> TransportResponse { try await next.process(request) }
    }

    private static let stub = AnyNode<TransportRequest, TransportResponse>("stub") { _ in TransportResponse() }
    private let builder = Builder(transport: stub)

    private func chain(_ builder: Builder) throws -> RequestChain<Void, TransportResponse> {
        builder.plain(try .of("https://example.com/"))
    }

    /// Every named stage, added in any order, has the position that the picture of the documentation shows.
    @Test(arguments: 0..<20) func everyStageInAnyOrder(_ seed: Int) throws {
        let stages: [(StageName, F)] = [
            (.fallback, Plain()), (.timeout, Plain()), (.log, HTTPLogFilter()), (.callTracing, Plain()),
            (.callMetrics, HTTPMetricsFilter(.calls)),
            (.refresh, AuthFilter<TransportRequest, TransportResponse>(refresh: {})),
            (.headers, HeaderFilter { _ in [:] }), (.cookies, Plain()),
            (.token, BearerFilter(token: { nil }, refresh: {})), (.cache, CacheFilter(HTTPCache())),
            (.deduplication, CoalescingFilter()), (.retry, RetryFilter.http()), (.hedge, Plain()),
            (.attemptHeaders, HeaderFilter(purpose: .attempt) { _ in [:] }),
            (.signature, SignatureFilter(identity: { _ in "a" }) { _ in [:] }), (.deadline, Plain()),
            (.tracing, HTTPTracingFilter()), (.metrics, HTTPMetricsFilter()), (.attempt, Plain()), (.limits, Plain()),
            (.breaker, Plain()), (.balancing, Plain()),
        ]
        let random = RandomSource(seed: UInt64(seed))
        var rest = stages
        var builder = builder
        while !rest.isEmpty {
            let (name, filter) = rest.remove(at: Int(random.below(UInt64(rest.count))))
            func set(_ filter: some SimpleFilter<TransportRequest, TransportResponse>) -> Builder {
                builder.set(name, filter)
            }
            builder = set(filter)
        }
        let chain = try chain(builder)
        #expect(
            chain.picture == """
                per call     plain → fallback → timeout → log → callTracing → callMetrics → status → redirects
                per hop      refresh → headers → cookies → token → identity → cache → deduplication → retry
                per attempt  hedge → attemptHeaders → signature → deadline → tracing → metrics → attempt → limits → breaker → balancing → body → transport
                """
        )
        try chain.check()
        #expect(chain.lint().filter { $0.rule != .retryWithoutTotalTimeout } == [])
    }

    /// Filters with custom names are positioned by their declarations.
    @Test func namesOfYourOwn() throws {
        let chain = try chain(
            builder.set("mine", BreakerFilter(Breaker())).set("pages", CacheFilter(HTTPCache()))
                .set("who", BearerFilter(token: { nil }, refresh: {})).set("again", RetryFilter.http())
                .set("once", CoalescingFilter()).set("outer", Plain())
                .set("wire", HTTPMetricsFilter()).set("sign", SignatureFilter(identity: { _ in "a" }) { _ in [:] })
        )
        #expect(
            chain.description
                == "plain → outer → status → redirects → who → identity → pages → once → again → sign → wire → mine → body → transport"
        )
    }

    /// Within a scope, a stage that adds a field is outside one that needs it.
    @Test func fieldsDecide() throws {
        struct Adds: SimpleFilter<TransportRequest, TransportResponse>, ChainStage {
            let declaration: StageDeclaration
            var stackRole: StackRole { .other }
            func process(
                _ request: TransportRequest,
                next: some Node<TransportRequest, TransportResponse>
            ) async throws -> TransportResponse { try await next.process(request) }
        }
        let (a, b) = (HTTPField.Name.userAgent, HTTPField.Name.accept)
        let chain = try chain(
            builder.set("needs", Adds(declaration: StageDeclaration(.attempt, needs: .named([a]))))
                .set("adds", Adds(declaration: StageDeclaration(.attempt, adds: .named([a]))))
                .set("both", Adds(declaration: StageDeclaration(.attempt, adds: .named([b]), needs: .named([a]))))
                .set("last", Adds(declaration: StageDeclaration(.attempt, needs: .named([b]))))
        )
        #expect(chain.description == "plain → status → redirects → adds → needs → both → last → body → transport")
        // The signature covers the trace, which is added by a stage that is further inside by its name.
        let signed = try self.chain(
            builder.set(
                .signature,
                SignatureFilter(signing: [try #require(HTTPField.Name("traceparent"))]) { _ in [:] }
            )
            .set(.tracing, HTTPTracingFilter())
        )
        #expect(signed.description == "plain → status → redirects → tracing → signature → body → transport")
        let cycle = builder.set("one", Adds(declaration: StageDeclaration(.hop, adds: .named([a]), needs: .named([b]))))
            .set("two", Adds(declaration: StageDeclaration(.hop, adds: .named([b]), needs: .named([a]))))
        #expect(throws: ChainOrderError.self) { try cycle.check() }
        let inside = try builder.set("needs", Adds(declaration: StageDeclaration(.hop, needs: .named([a]))))
            .wrap(.transport, in: Adds(declaration: StageDeclaration(.attempt, adds: .named([a]))), named: "late")
        let error = #expect(throws: ChainOrderError.self) { try inside.check() }
        #expect(error?.description == "the stage 'needs' needs User-Agent, which 'late' adds further inside")
    }

    private static let token = BearerFilter(token: { nil }, refresh: {})
    private static let signature = SignatureFilter { _ in [:] }
    private static let cache = CacheFilter(HTTPCache())

    private struct Key: HeaderProvider {
        func headers(for request: TransportRequest) async throws -> HTTPFields { [.authorization: "a"] }
    }

    /// Chains that contradict themselves, which are refused when they are built and send nothing.
    private static let hedge = HedgeFilter<TransportRequest, TransportResponse>()
    private static let refused: [(String, @Sendable (Builder) throws -> Builder)] = [
        ("cache around token", { try $0.set(.cache, cache).wrap(.transport, in: token, named: "late") }),
        (
            "cache around provider",
            { try $0.set(.cache, cache).wrap(.body, in: HeaderFilter { _ in [:] }, named: "late") }
        ),
        (
            "cache around language",
            { try $0.set(.cache, cache).wrap(.body, in: HeaderFilter(purpose: .answer) { _ in [:] }, named: "late") }
        ),
        (
            "cache around constant credentials",
            { try $0.set(.cache, cache).wrap(.body, in: HeaderFilter([.authorization: "a"]), named: "late") }
        ),
        (
            "single flight around token",
            { try $0.set(.deduplication, CoalescingFilter()).wrap(.transport, in: token, named: "late") }
        ),
        ("cache around signature", { $0.set(.cache, cache).set(.signature, signature) }),
        (
            "single flight around signature",
            { $0.set(.deduplication, CoalescingFilter()).set(.signature, signature) }
        ),
        ("cache around redirects", { try $0.wrap(.redirects, in: cache, named: "early") }),
        ("single flight around redirects", { try $0.wrap(.redirects, in: CoalescingFilter(), named: "early") }),
        ("retry around redirects", { try $0.wrap(.redirects, in: RetryFilter.http(), named: "early") }),
        ("token around redirects", { try $0.wrap(.status, in: token, named: "early") }),
        ("provider around redirects", { try $0.wrap(.status, in: HeaderFilter { _ in [:] }, named: "early") }),
        ("token in retry", { try $0.set(.retry, RetryFilter.http()).wrap(.body, in: token, named: "late") }),
        (
            "nonce around retry",
            {
                try $0.set(.retry, RetryFilter.http())
                    .wrap(.retry, in: HeaderFilter(purpose: .attempt) { _ in [:] }, named: "early")
            }
        ),
        (
            "signature around retry",
            { try $0.set(.retry, RetryFilter.http()).wrap(.retry, in: signature, named: "early") }
        ),
        (
            "nonce around cache",
            { try $0.set(.cache, cache).wrap(.cache, in: HeaderFilter(purpose: .attempt) { _ in [:] }, named: "early") }
        ),
        ("metrics around cache", { try $0.set(.cache, cache).wrap(.cache, in: HTTPMetricsFilter(), named: "early") }),
        (
            "metrics around retry",
            { try $0.set(.retry, RetryFilter.http()).wrap(.retry, in: HTTPMetricsFilter(), named: "early") }
        ),
        ("metrics around redirects", { try $0.wrap(.redirects, in: HTTPMetricsFilter(), named: "early") }),
        ("retry around cache", { try $0.set(.cache, cache).wrap(.cache, in: RetryFilter.http(), named: "early") }),
        (
            "retry around single flight",
            {
                try $0.set(.deduplication, CoalescingFilter()).wrap(
                    .deduplication,
                    in: RetryFilter.http(),
                    named: "early"
                )
            }
        ),
        (
            "nonce around hedge",
            { try $0.set(.hedge, hedge).wrap(.hedge, in: HeaderFilter(purpose: .attempt) { _ in [:] }, named: "early") }
        ),
        ("signature around hedge", { try $0.set(.hedge, hedge).wrap(.hedge, in: signature, named: "early") }),
        ("metrics around hedge", { try $0.set(.hedge, hedge).wrap(.hedge, in: HTTPMetricsFilter(), named: "early") }),
        ("hedge around cache", { try $0.set(.cache, cache).wrap(.cache, in: hedge, named: "early") }),
        (
            "hedge around single flight",
            { try $0.set(.deduplication, CoalescingFilter()).wrap(.deduplication, in: hedge, named: "early") }
        ),
        ("hedge around redirects", { try $0.wrap(.redirects, in: hedge, named: "early") }),
        ("token in hedge", { try $0.set(.hedge, hedge).wrap(.body, in: token, named: "late") }),
        (
            "refresh in hedge",
            { try $0.set(.hedge, hedge).wrap(.body, in: AuthFilter<_, _>(refresh: {}), named: "late") }
        ),
        ("metrics per call under the name of an attempt's", { $0.set(.metrics, HTTPMetricsFilter(.calls)) }),
        ("nonces under the name of a hop's fields", { $0.set(.headers, HeaderFilter(purpose: .attempt) { _ in [:] }) }),
        ("retry under the name of an attempt's stage", { $0.set(.attempt, RetryFilter.http()) }),
        ("refresh in provider", { $0.set(.token, AuthFilter(refresh: {})).add(provider: Key()) }),
        (
            "refresh in retry",
            { try $0.set(.retry, RetryFilter.http()).wrap(.body, in: AuthFilter<_, _>(refresh: {}), named: "late") }
        ),
        (
            "refresh in cache",
            { try $0.set(.cache, cache).wrap(.body, in: AuthFilter<_, _>(refresh: {}), named: "late") }
        ),
    ]

    @Test(arguments: refused.indices) func contradictions(_ index: Int) async throws {
        let (name, change) = Self.refused[index]
        let sent = Counter()
        let builder = Builder(
            transport: AnyNode("stub") { _ in
                _ = sent.next()
                return TransportResponse()
            }
        )
        let changed = try change(builder)
        #expect(throws: ChainOrderError.self, "\(name)") { try changed.check() }
        let chain = try chain(changed)
        #expect(throws: ChainOrderError.self, "\(name)") { try chain.check() }
        let error = await #expect(throws: HTTPError.self, "\(name)") { try await chain.process() }
        #expect(error?.code == .badRequest)
        #expect(error?.cause is ChainOrderError)
        #expect(sent.value == 0)
    }

    /// The same stages without the contradiction are valid.
    @Test func goodChains() throws {
        let good: [Builder] = [
            builder.set(.cache, Self.cache).set(.token, Self.token),
            builder.set(.cache, Self.cache).set(.deduplication, CoalescingFilter())
                .set(.signature, SignatureFilter(identity: { _ in "a" }) { _ in [:] }),
            builder.set(.signature, Self.signature).set(.retry, RetryFilter.http()),
            try builder.set(.cache, Self.cache).wrap(.transport, in: HeaderFilter([.userAgent: "a"]), named: "agent"),
            try builder.set(.retry, RetryFilter.http(maxAttempts: 1)).wrap(.body, in: Self.token, named: "late"),
            try builder.remove(.redirects).set(.cache, Self.cache).set(.metrics, HTTPMetricsFilter()),
        ]
        for builder in good { try builder.check() }
    }

    /// Stages that were positioned next to a removed one stay where they were.
    @Test func besideARemovedStage() throws {
        let chain = try chain(
            builder.wrap(.redirects, in: Plain(), named: "a").insert(Plain(), named: "b", inside: .redirects)
                .remove(.redirects)
        )
        #expect(chain.description == "plain → status → a → b → body → transport")
        let nested = try self.chain(
            builder.wrap(.transport, in: Plain(), named: "a").wrap("a", in: Plain(), named: "b").remove("a")
        )
        #expect(nested.description == "plain → status → redirects → body → b → transport")
    }
}
#endif
