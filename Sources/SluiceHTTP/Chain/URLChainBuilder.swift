#if HTTP
public import Dispatch
public import Foundation
public import HTTPTypes
public import Sluice
public import SluiceFilters
import SluiceJSON

/// A builder of request chains: a value that can be stored, shared, and changed by copying.
///
/// ```swift
/// let builder = URLChainBuilder<UserRoute>()
/// let create: RequestChain<User, User> = builder.route(.post, .users).build()
/// let users: RequestChain<Void, [User]> = builder.route(.get, .users).set(query: ["max": 20]).build()
/// ```
///
/// Defaults: JSON, GET, no query, no header fields except those for the content type and the accepted types, an error
/// for every status from 400 to 599, up to 20 redirects, bodies of up to 64 MiB, and a single attempt.
///
/// The route is a ``URLRouteProvider``, or any type with a closure that returns its address:
///
/// ```swift
/// enum Procedure: String, Sendable { case greet }
/// let builder = URLChainBuilder<Procedure>(address: { try URL(string: "http://example.com") + "/" + $0.rawValue })
/// let greet: RequestChain<User, User> = builder.route(.post, .greet).build()   // POST http://example.com/greet
/// ```
public struct URLChainBuilder<Route: Sendable>: Sendable {
    let address: @Sendable (Route) throws -> URL
    var method: HTTPRequest.Method = .get
    var route: Route?
    var template: String?
    var fields: HTTPFields = [:]
    var fieldFaults: [String] = []
    var query: [String: any Encodable & Sendable] = [:]
    var queryEncoder = URLEncodedFormEncoder()
    var formEncoder = URLEncodedFormEncoder()
    var encoding = ParametersEncoding.json
    var coder: any ModelCoder = SluiceJSONCoder()
    var limit = 64 << 20
    var stages = ChainStages()
    var transport: AnyNode<TransportRequest, TransportResponse>
    var settings = ChainSettings()
    private var providers: [HeaderFilter] = []
    private var attemptProviders: [HeaderFilter] = []

    /// Makes a builder for routes of any type.
    ///
    /// - Parameters:
    ///   - transport: the node that sends the requests; it may answer with streamed bodies.
    ///   - address: a closure that returns the address of a route; each call of a chain calls it once, where its caller
    ///     runs, and fails with an ``HTTPError`` if it throws.
    public init(
        transport: some Transport = HTTPTransport(body: .streamed),
        address: @escaping @Sendable (Route) throws -> URL
    ) {
        self.address = address
        self.transport = AnyNode(transport)
        stages.set(.status, StatusFilter())
        stages.set(.body, BodyFilter(upTo: limit))
        stages.set(.redirects, RedirectFilter())
    }

    // MARK: - The request

    /// Sets the method and the address of the request.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - route: The route.
    ///   - template: the pattern that names metrics and spans, such as `/users/{id}`.
    public func route(_ method: HTTPRequest.Method, _ route: Route, template: String? = nil) -> Self {
        with {
            $0.method = method
            $0.route = route
            $0.template = template
        }
    }

    /// Sets the items that are appended to the query of the address, sorted by name, replacing earlier ones.
    public func set(query: [String: any Encodable & Sendable]) -> Self { with { $0.query = query } }

    /// Sets the form of Booleans in `set(query:)`; `asInt` by default.
    public func set(boolEncodingStrategy strategy: URLEncodedFormEncoder.BoolEncodingStrategy) -> Self {
        with { $0.queryEncoder.boolEncodingStrategy = strategy }
    }

    /// Sets the form of arrays in `set(query:)`; `brackets` by default.
    public func set(arrayEncodingStrategy strategy: URLEncodedFormEncoder.ArrayEncodingStrategy) -> Self {
        with { $0.queryEncoder.arrayEncodingStrategy = strategy }
    }

    /// Sets the form of dictionaries in `set(query:)`; `brackets` by default.
    public func set(dictEncodingStrategy strategy: URLEncodedFormEncoder.KeyPathEncodingStrategy) -> Self {
        with { $0.queryEncoder.keyPathEncodingStrategy = strategy }
    }

    /// Sets all strategies of `set(query:)`.
    public func set(queryEncoder encoder: URLEncodedFormEncoder) -> Self { with { $0.queryEncoder = encoder } }

    /// Sets the strategies of models that are sent as a form or in the query.
    public func set(formEncoder encoder: URLEncodedFormEncoder) -> Self { with { $0.formEncoder = encoder } }

    /// Sets header fields: each replaces earlier ones with the same case-insensitive name; all others stay. A name or
    /// value that HTTP doesn't allow is an error of ``check()`` and of each call.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>()
    ///     .set(metadata: ["Authorization": "Bearer x"])
    ///     .set(metadata: ["Accept-Language": "en"])  // both are sent
    /// ```
    public func set(metadata: [String: String]) -> Self {
        with {
            var fields = HTTPFields()
            for (text, value) in metadata.sorted(by: { $0.key < $1.key }) {
                guard let name = HTTPField.Name(text), HTTPField.isValidValue(String(value[...].trimmed)) else {
                    let part = HTTPField.Name(text) == nil ? "name" : "value"
                    $0.fieldFaults.append("the header field \(JSON.string(text)) has an invalid \(part)")
                    continue
                }
                fields[name] = value
            }
            $0.fields.merge(fields, replacing: true)
        }
    }

    /// Sets header fields: each replaces earlier ones with the same name; all others stay.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>()
    ///     .set(headers: [.authorization: "Bearer x"])
    ///     .set(headers: [.acceptLanguage: "en"])  // both are sent
    /// ```
    public func set(headers: HTTPFields) -> Self { with { $0.fields.merge(headers, replacing: true) } }

    /// Adds header fields, as further lines if the name is already set.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(headers: [.accept: "text/html"]).adding(headers: [.accept: "*/*;q=0.1"])
    /// ```
    public func adding(headers: HTTPFields) -> Self { with { $0.fields.append(contentsOf: headers) } }

    /// Sets the place and the form of the model; ``ParametersEncoding/json`` by default.
    public func encode(as encoding: ParametersEncoding) -> Self { with { $0.encoding = encoding } }

    /// Sets the coder that writes and reads models; ``SluiceJSONCoder`` by default.
    public func set(coder: some ModelCoder) -> Self { with { $0.coder = coder } }

    // MARK: - Sending

    /// Sets the node that sends the requests.
    public func set(transport: some Transport) -> Self { with { $0.transport = AnyNode(transport) } }

    /// Sets the maximum number of bytes in the body of an answer; 64 MiB by default.
    public func set(maximumBodyBytes limit: Int) -> Self {
        with {
            $0.limit = limit
            $0.stages.set(.body, BodyFilter(upTo: limit))
        }
    }

    /// Sets the queue of nonisolated listeners; the main queue by default, `nil` is the thread that ends the call.
    public func set(callbackQueue queue: DispatchQueue?) -> Self { with { $0.settings.callbackQueue = queue } }

    /// Sets the priority of calls that are started without `await`; `userInitiated` by default.
    public func set(priority: TaskPriority) -> Self { with { $0.settings.priority = priority } }

    /// Sets the time limit of a call, with all of its attempts: the stage `timeout`.
    public func timeout(_ duration: Duration, clock: any Clock<Duration> = .continuous) -> Self {
        set(.timeout, CallTimeoutFilter(duration, of: .total, clock: clock))
    }

    /// Sets the time limit of each attempt: the stage `attempt`.
    public func timeout(perAttempt duration: Duration, clock: any Clock<Duration> = .continuous) -> Self {
        set(.attempt, CallTimeoutFilter(duration, of: .attempt, clock: clock))
    }

    /// Retries calls where that is safe and can succeed: the stage `retry`, a filter of
    /// `RetryFilter.http(maxAttempts:…)`.
    ///
    /// - Parameters:
    ///   - maxAttempts: the total number of attempts, including the first.
    ///   - budget: the budget for further attempts; `nil` sets no limit.
    public func retry(maxAttempts: Int, budget: RetryBudget? = nil) -> Self {
        set(.retry, RetryFilter.http(maxAttempts: maxAttempts, budget: budget))
    }

    /// Logs in again when a hop is refused, for any authentication scheme, and repeats the hop once: the stage
    /// `refresh`, a filter of `AuthFilter.http(…)`.
    ///
    /// ```swift
    /// let chain: RequestChain<Void, User> = URLChainBuilder<UserRoute>()
    ///     .set(.token, BasicAuthFilter { (user: "ada", password: "secret") })
    ///     .refresh { try await session.logIn() }
    ///     .route(.get, .user("me")).build()
    /// ```
    ///
    /// - Parameters:
    ///   - refusals: the statuses that mean that the credentials are invalid.
    ///   - refresh: a closure that gets new credentials; called when a hop is refused, in a task of its own, one at a
    ///     time for all calls.
    public func refresh(on refusals: Set<Int> = [401], _ refresh: @escaping @Sendable () async throws -> Void) -> Self {
        set(.refresh, AuthFilter.http(refusals: refusals, refresh: refresh))
    }

    /// Sends the time left until the deadline of the call: the stage `deadline`, a ``DeadlineHeaderFilter``.
    ///
    /// - Parameter form: the header field and its form; `Request-Timeout` by default.
    public func deadline(_ form: DeadlineHeaderFilter.Form = .requestTimeout) -> Self {
        set(.deadline, DeadlineHeaderFilter(form))
    }

    /// Adds header fields of a provider, after those of earlier providers: the last of several fields with the same
    /// name replaces the others, including the request's own.
    ///
    /// The ``HeaderProvider/purpose`` decides the stage. Fields that may identify the user, and fields on which the
    /// answer may depend, are requested once per hop, outside the cache, in the stage `headers`. Fields that differ for
    /// each attempt are requested in the stage `attemptHeaders`.
    public func add(provider: some HeaderProvider) -> Self {
        with {
            if provider.purpose == .attempt {
                $0.attemptProviders.append(HeaderFilter(provider))
                $0.stages.set(.attemptHeaders, HeaderFilters($0.attemptProviders))
            } else {
                $0.providers.append(HeaderFilter(provider))
                $0.stages.set(.headers, HeaderFilters($0.providers))
            }
        }
    }

    /// Adds a filter to the chain, at the position that follows from its name and its ``ChainStage/declaration``; see
    /// ``StageName``.
    ///
    /// A filter with a custom name that declares nothing is outermost.
    public func set(_ name: StageName, _ filter: some SimpleFilter<TransportRequest, TransportResponse>) -> Self {
        with { $0.stages.set(name, filter) }
    }

    /// Replaces a filter.
    ///
    /// ```swift
    /// do { _ = try URLChainBuilder<UserRoute>().replace("retrie", with: .http()) } catch { print(error) }
    /// // the chain has no stage 'retrie': it has status, redirects, body, transport
    /// ```
    ///
    /// - Throws: ``ChainOrderError`` if the chain has no stage with this name.
    public func replace(
        _ name: StageName,
        with filter: some SimpleFilter<TransportRequest, TransportResponse>
    ) throws(ChainOrderError) -> Self {
        var copy = self
        try copy.stages.replace(name, with: filter)
        return copy
    }

    /// Removes a stage.
    ///
    /// - Throws: ``ChainOrderError`` if the chain has no stage with this name.
    public func remove(_ name: StageName) throws(ChainOrderError) -> Self {
        var copy = self
        try copy.stages.remove(name)
        return copy
    }

    /// Puts a filter immediately outside a stage: it sees the stage's requests and answers.
    ///
    /// - Parameters:
    ///   - name: The name of the stage.
    ///   - filter: The filter.
    ///   - new: The name of the filter.
    /// - Throws: ``ChainOrderError`` if the chain has no stage with this name.
    public func wrap(
        _ name: StageName,
        in filter: some SimpleFilter<TransportRequest, TransportResponse>,
        named new: StageName
    ) throws(ChainOrderError) -> Self {
        var copy = self
        try copy.stages.insert(new, filter, outside: true, of: name)
        return copy
    }

    /// Puts a filter immediately inside a stage.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - new: The name of the filter.
    ///   - name: The name of the stage.
    /// - Throws: ``ChainOrderError`` if the chain has no stage with this name.
    public func insert(
        _ filter: some SimpleFilter<TransportRequest, TransportResponse>,
        named new: StageName,
        inside name: StageName
    ) throws(ChainOrderError) -> Self {
        var copy = self
        try copy.stages.insert(new, filter, outside: false, of: name)
        return copy
    }

    /// Checks that the stages don't contradict each other and that the header fields are valid; otherwise each call of
    /// the chain fails with the same error.
    ///
    /// - Throws: `ChainOrderError` with all reasons.
    public func check() throws(ChainOrderError) {
        let faults = fieldFaults + stages.ordered().faults
        if !faults.isEmpty { throw ChainOrderError(reasons: faults) }
    }

    /// Returns the builder if its stages don't contradict each other, so that an invalid chain is not built at all.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>()
    ///     .set(.cache, CacheFilter(HTTPCache())).set(.signature, SignatureFilter { _ in [:] })
    /// do { _ = try builder.checked() } catch { print(error) }  // the signature gives no identity to the cache …
    /// ```
    ///
    /// - Throws: ``ChainOrderError`` with all reasons.
    public func checked() throws(ChainOrderError) -> Self {
        try check()
        return self
    }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension URLChainBuilder where Route: URLRouteProvider {
    /// Makes a builder for routes that know their address.
    ///
    /// - Parameter transport: the node that sends the requests; it may answer with streamed bodies.
    public init(transport: some Transport = HTTPTransport(body: .streamed)) {
        self.init(transport: transport) { try $0.url() }
    }
}
#endif
