public import Dispatch
public import HTTPTypes
public import Sluice
public import SluiceFilters
import SluiceJSON

/// Makes request chains over routes that are addresses: a value, to be kept, shared and changed by copy.
///
/// ```swift
/// let builder = URLChainBuilder<UserRoute>()
/// let create: RequestChain<User, User> = builder.route(.post, .users).build()
/// let users: RequestChain<Void, [User]> = builder.route(.get, .users).set(query: ["max": 20]).build()
/// ```
///
/// What is not said is: JSON, the method GET, no query, no header fields but those that say what is sent and asked for,
/// every status from 400 to 599 an error, up to 20 redirects, bodies of up to 64 MiB, no further tries.
public struct URLChainBuilder<Route: URLRouteProvider>: Sendable {
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

    /// Makes a builder.
    ///
    /// - Parameter transport: what carries the requests; it may answer with bodies that are still to come.
    public init(transport: some Transport = HTTPTransport(body: .streamed)) {
        self.transport = AnyNode(transport)
        stages.set(.status, StatusFilter())
        stages.set(.body, BodyFilter(upTo: limit))
        stages.set(.redirects, RedirectFilter())
    }

    // MARK: - The request

    /// Sets where the request goes, and how.
    ///
    /// - Parameter template: the pattern that metrics and spans are named by, such as `/users/{id}`.
    public func route(_ method: HTTPRequest.Method, _ route: Route, template: String? = nil) -> Self {
        with {
            $0.method = method
            $0.route = route
            $0.template = template
        }
    }

    /// Sets what is put behind the query of the address, sorted by name; it replaces what was set before.
    public func set(query: [String: any Encodable & Sendable]) -> Self { with { $0.query = query } }

    /// Sets how booleans of ``set(query:)`` are written; `asInt` by default.
    public func set(boolEncodingStrategy strategy: URLEncodedFormEncoder.BoolEncodingStrategy) -> Self {
        with { $0.queryEncoder.boolEncodingStrategy = strategy }
    }

    /// Sets how arrays of ``set(query:)`` are written; `brackets` by default.
    public func set(arrayEncodingStrategy strategy: URLEncodedFormEncoder.ArrayEncodingStrategy) -> Self {
        with { $0.queryEncoder.arrayEncodingStrategy = strategy }
    }

    /// Sets how dictionaries of ``set(query:)`` are written; `brackets` by default.
    public func set(dictEncodingStrategy strategy: URLEncodedFormEncoder.KeyPathEncodingStrategy) -> Self {
        with { $0.queryEncoder.keyPathEncodingStrategy = strategy }
    }

    /// Sets all strategies of ``set(query:)`` at once.
    public func set(queryEncoder encoder: URLEncodedFormEncoder) -> Self { with { $0.queryEncoder = encoder } }

    /// Sets the strategies of models that are sent as a form or in the query.
    public func set(formEncoder encoder: URLEncodedFormEncoder) -> Self { with { $0.formEncoder = encoder } }

    /// Sets header fields: each takes the place of those with the same name that were set before, in any case of letters;
    /// all others stay. A name or a value that HTTP does not allow is an error of ``check()`` and of each call.
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

    /// Sets header fields: each takes the place of those with the same name that were set before; all others stay.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>()
    ///     .set(headers: [.authorization: "Bearer x"])
    ///     .set(headers: [.acceptLanguage: "en"])  // both are sent
    /// ```
    public func set(headers: HTTPFields) -> Self { with { $0.fields.merge(headers, replacing: true) } }

    /// Adds header fields, as further lines where the name is set already.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(headers: [.accept: "text/html"]).adding(headers: [.accept: "*/*;q=0.1"])
    /// ```
    public func adding(headers: HTTPFields) -> Self { with { $0.fields.append(contentsOf: headers) } }

    /// Sets where the model goes, and in which form; ``ParametersEncoding/json`` by default.
    public func encode(as encoding: ParametersEncoding) -> Self { with { $0.encoding = encoding } }

    /// Sets what writes and reads models; ``SluiceJSONCoder`` by default.
    public func set(coder: some ModelCoder) -> Self { with { $0.coder = coder } }

    // MARK: - The way

    /// Sets what carries the requests.
    public func set(transport: some Transport) -> Self { with { $0.transport = AnyNode(transport) } }

    /// Sets how many bytes the body of an answer may have; 64 MiB by default.
    public func set(maximumBodyBytes limit: Int) -> Self {
        with {
            $0.limit = limit
            $0.stages.set(.body, BodyFilter(upTo: limit))
        }
    }

    /// Sets where listeners that are written on no actor run; the main queue by default, `nil` is the thread that ends
    /// the call.
    public func set(callbackQueue queue: DispatchQueue?) -> Self { with { $0.settings.callbackQueue = queue } }

    /// Sets the priority of calls that are begun without `await`; `userInitiated` by default.
    public func set(priority: TaskPriority) -> Self { with { $0.settings.priority = priority } }

    /// Sets how long a call may take, whatever it tries: the stage `timeout`.
    public func timeout(_ duration: Duration, clock: any Clock<Duration> = .continuous) -> Self {
        set(.timeout, CallTimeoutFilter(duration, of: .total, clock: clock))
    }

    /// Sets how long each attempt may take: the stage `attempt`.
    public func timeout(perAttempt duration: Duration, clock: any Clock<Duration> = .continuous) -> Self {
        set(.attempt, CallTimeoutFilter(duration, of: .attempt, clock: clock))
    }

    /// Lets calls be tried again where that helps and does no harm: the stage `retry`, a filter of
    /// ``SluiceFilters/RetryFilter/http(attempts:statuses:backoff:longestHint:budget:clock:wallClock:random:)``.
    ///
    /// - Parameters:
    ///   - attempts: how many tries there are in all, the first included.
    ///   - budget: what the further tries are taken from; `nil` sets no limit.
    public func retry(attempts: Int, budget: RetryBudget? = nil) -> Self {
        set(.retry, RetryFilter.http(attempts: attempts, budget: budget))
    }

    /// Logs in again when a hop is refused, whatever scheme its credentials have, and repeats the hop once: the stage
    /// `refresh`, a filter of ``SluiceFilters/AuthFilter/http(refusals:origins:limit:within:clock:refresh:)``.
    ///
    /// ```swift
    /// let chain: RequestChain<Void, User> = URLChainBuilder<UserRoute>()
    ///     .set(.token, BasicAuthFilter { (user: "ada", password: "secret") })
    ///     .refresh { try await session.logIn() }
    ///     .route(.get, .user("me")).build()
    /// ```
    ///
    /// - Parameters:
    ///   - refusals: the statuses that say that the credentials are no good.
    ///   - refresh: called when a hop is refused, in a task of its own, one at a time for all calls.
    public func refresh(on refusals: Set<Int> = [401], _ refresh: @escaping @Sendable () async throws -> Void) -> Self {
        set(.refresh, AuthFilter.http(refusals: refusals, refresh: refresh))
    }

    /// Sends the time that is left until the deadline of the call: the stage `deadline`, a ``DeadlineHeaderFilter``.
    ///
    /// - Parameter form: the header field and its form; `Request-Timeout` by default.
    public func deadline(_ form: DeadlineHeaderFilter.Form = .requestTimeout) -> Self {
        set(.deadline, DeadlineHeaderFilter(form))
    }

    /// Adds header fields of a provider, after those of earlier providers: of fields with the same name the last wins,
    /// over the request's own too.
    ///
    /// The ``HeaderProvider/purpose`` decides the stage. Fields that may identify the user, and fields that the answer may
    /// depend on, are asked for once per hop, outside of the cache, in the stage `headers`. Fields that differ for each
    /// attempt are asked for in the stage `attemptHeaders`.
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

    /// Puts a filter into the chain, at the place that its name and its ``ChainStage/declaration`` give it; see
    /// ``StageName``.
    ///
    /// A filter with a name of your own that declares nothing stands outermost.
    public func set(_ name: StageName, _ filter: some SimpleFilter<TransportRequest, TransportResponse>) -> Self {
        with { $0.stages.set(name, filter) }
    }

    /// Puts a filter in the place of another.
    public func replace(
        _ name: StageName,
        with filter: some SimpleFilter<TransportRequest, TransportResponse>
    ) -> Self {
        with { $0.stages.replace(name, with: filter) }
    }

    /// Leaves a stage out.
    public func remove(_ name: StageName) -> Self { with { $0.stages.remove(name) } }

    /// Puts a filter right outside of a stage: it sees what the stage is asked and what it answers.
    ///
    /// - Parameter new: the name of the filter.
    public func wrap(
        _ name: StageName,
        in filter: some SimpleFilter<TransportRequest, TransportResponse>,
        named new: StageName
    ) -> Self {
        with { $0.stages.insert(new, filter, outside: true, of: name) }
    }

    /// Puts a filter right inside of a stage.
    ///
    /// - Parameter new: the name of the filter.
    public func insert(
        _ filter: some SimpleFilter<TransportRequest, TransportResponse>,
        named new: StageName,
        inside name: StageName
    ) -> Self {
        with { $0.stages.insert(new, filter, outside: false, of: name) }
    }

    /// Throws if the stages contradict each other, or a header field is invalid; a chain that is built of them fails each
    /// call with the same error.
    ///
    /// - Throws: ``ChainOrderError`` with all reasons.
    public func check() throws(ChainOrderError) {
        let faults = fieldFaults + stages.ordered().faults
        if !faults.isEmpty { throw ChainOrderError(reasons: faults) }
    }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}
