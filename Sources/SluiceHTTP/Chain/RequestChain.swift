#if HTTP
public import Dispatch
public import HTTPTypes
public import Sluice
package import SluiceFilters

/// A request from model to bytes and back: a node made by ``URLChainBuilder``.
///
/// ```swift
/// let chain: RequestChain<Void, User> = URLChainBuilder().route(.get, UserRoute.user("ada")).build()
/// let user = try await chain.process()
/// print(chain)  // json → status → redirects → body → transport
/// ```
///
/// It is built once and can be called any number of times, also concurrently.
public struct RequestChain<Input: Sendable, Output: Sendable>: DeliveringNode, CustomStringConvertible {
    private let node: AnyNode<Input, Output>
    private let exchange: AnyNode<TransportRequest, TransportResponse>
    private let codec: ChainCodec<Input, Output>
    private let settings: ChainSettings

    private let outline: ChainOutline

    /// The names of the stages between the codec and the transport, and of the transport, outermost first.
    public var stages: [StageName] { outline.stages.map(\.name) }

    /// Makes a chain of a codec and the node that sends its requests.
    public init(
        _ codec: ChainCodec<Input, Output>,
        over transport: some Node<TransportRequest, TransportResponse>,
        settings: ChainSettings = ChainSettings()
    ) {
        let stage = ChainOutline.Stage(name: .transport, scope: .attempt, lint: LintStage("transport", of: transport))
        self.init(codec, over: transport, outline: ChainOutline(stages: [stage], faults: []), settings: settings)
    }

    init(
        _ codec: ChainCodec<Input, Output>,
        over exchange: some Node<TransportRequest, TransportResponse>,
        outline: ChainOutline,
        settings: ChainSettings
    ) {
        self.outline = outline
        self.exchange = AnyNode(exchange)
        self.codec = codec
        self.settings = settings
        node = AnyNode(codec.andThen(self.exchange))
    }

    /// Sends `input` and returns the decoded answer.
    ///
    /// The work runs off the caller's actor, even if that is the main actor.
    ///
    /// - Throws: ``HTTPError``; errors of filters in the chain, unchanged; `CancellationError` when the task was
    ///   canceled.
    /// - Cancellation: ends the exchange on the wire.
    nonisolated(nonsending) public func process(_ input: Input) async throws -> Output { try await run(input) }

    @concurrent private func run(_ input: Input) async throws -> Output {
        do { return try await node.process(input) } catch let error as TimeoutError {
            throw HTTPError(.timedOut, "\(error)", request: nil, timeout: .total, cause: error)
        } catch let error as DeadlineError {
            throw HTTPError(.timedOut, "\(error)", request: nil, timeout: .total, cause: error)
        }
    }

    /// The queue on which nonisolated listeners of calls started without `await` run.
    public var callbackQueue: DispatchQueue? { settings.callbackQueue }
    /// The priority of calls that are started without `await`.
    public var callPriority: TaskPriority { settings.priority }

    /// Sends `input`, and throws every failure as an ``HTTPError``: cancellation with the code `canceled`, errors of
    /// custom filters with `failed`.
    ///
    /// - Cancellation: ends the exchange on the wire.
    nonisolated(nonsending) public func call(_ input: Input) async throws(HTTPError) -> Output {
        do { return try await run(input) } catch let error as HTTPError { throw error } catch is CancellationError {
            throw HTTPError(.canceled, "the call was canceled", request: nil, cause: CancellationError())
        } catch {
            throw HTTPError(.failed, "\(error)", request: nil, cause: error)
        }
    }

    /// The same chain with an output that includes the head of the answer.
    public var withHead: RequestChain<Input, Answer<Output>> {
        RequestChain<Input, Answer<Output>>(
            codec.map { Answer(status: $0.status, headers: $0.headers, value: $1) },
            over: exchange,
            outline: outline,
            settings: settings
        )
    }

    /// Checks that the stages don't contradict each other; if they do, each call fails with the same error before
    /// anything is sent.
    ///
    /// - Throws: ``ChainOrderError`` with all reasons.
    public func check() throws(ChainOrderError) {
        if !outline.faults.isEmpty { throw ChainOrderError(reasons: outline.faults) }
    }

    /// A picture of the order of the stages, with a line for each scope.
    ///
    /// ```
    /// per call     json → timeout → status → redirects
    /// per hop      token → cache → retry
    /// per attempt  metrics → body → transport
    /// ```
    public var picture: String { outline.picture(of: codec.name) }

    /// The codec and the names of the stages, outermost first.
    public var description: String { ([codec.name] + stages.map(\.description)).joined(separator: " → ") }
}

extension RequestChain: LintParts {
    package var lintStages: [LintStage] { outline.stages.map(\.lint) }
}

extension RequestChain where Input == Void {
    /// Sends a request without input, and throws every failure as an ``HTTPError``.
    nonisolated(nonsending) public func call() async throws(HTTPError) -> Output { try await call(()) }
}

/// A decoded answer with its head.
public struct Answer<Value: Sendable>: Sendable {
    /// The status.
    public let status: HTTPResponse.Status
    /// The header fields.
    public let headers: HTTPFields
    /// The decoded body.
    public let value: Value
}

/// The settings for the calls of a chain.
public struct ChainSettings: Sendable {
    /// The queue of nonisolated listeners; `nil` is the thread that ends the call. The main queue by default.
    public var callbackQueue: DispatchQueue? = .main
    /// The priority of calls that are started without `await`; `userInitiated` by default.
    public var priority: TaskPriority = .userInitiated

    /// Makes the default settings.
    public init() {}
}
#endif
