public import Sluice
public import SluiceJSON

/// The filters and the endpoints of a ``StackDocument`` that has a `balancer`; both can be replaced while they run.
///
/// ```swift
/// let text = """
///     {
///       "filters": [{"timeout": {"seconds": 2}}],
///       "balancer": {
///         "policy": "peakEWMA",
///         "endpoints": ["http://a.example", "http://b.example"],
///         "filters": [{"timeout": {"seconds": 1}}]
///       }
///     }
///     """
/// let node = try StackNode<String, Person>(StackDocument(parsing: text)) { address in users }
/// let ada = try await node.process("ada")
/// ```
///
/// The filters behave as in a ``StackFilter``. Each endpoint has its own filters of the `filters` of the balancer, with
/// the budgets of the document. An endpoint whose address remains keeps the state of its filters, and its statistics as
/// long as the other parameters of the balancer remain.
public struct StackNode<Request: Sendable, Response: Sendable>: Node, CustomStringConvertible {
    private let stack: StackFilter<Request, Response>
    private let endpoints: StackEndpoints<Request, Response>

    /// Creates the filters and endpoints of a document.
    ///
    /// - Parameters:
    ///   - document: The document, which must have a `balancer`.
    ///   - bindings: The parts that the document leaves to the program.
    ///   - connect: A closure that returns the node of an address. It is called once for each new address, while a
    ///     document is applied. It must not apply a document itself.
    /// - Throws: `JSONErrors` if the document needs something that is missing.
    public init<Endpoint: Node<Request, Response>>(
        _ document: StackDocument,
        bindings: StackBindings<Request, Response> = StackBindings(),
        connect: @escaping @Sendable (String) -> Endpoint
    ) throws(JSONErrors) {
        try document.requireBalancer()
        let core = try StackCore(document, bindings)
        stack = StackFilter(core: core)
        endpoints = StackEndpoints(bindings) { AnyNode(connect($0)) }
        try endpoints.check(document)
        _ = endpoints.update(document, core.applied)
    }

    /// The running document.
    public var document: StackDocument { stack.document }

    /// Applies another document: calls that begin from now on pass through its filters to its endpoints.
    ///
    /// Of two documents that are applied at the same time, the filters and the endpoints of the later one remain.
    ///
    /// - Returns: The effects on the filters; on the balancer under that name; and on the filters of each endpoint, whose
    ///   names begin with `endpoint`, as in `endpoint timeout`.
    /// - Throws: `JSONErrors`; the old document keeps running.
    @discardableResult
    public func replace(with document: StackDocument) throws(JSONErrors) -> StackChange {
        try document.requireBalancer()
        try endpoints.check(document)
        let inner = endpoints.plan(document)
        let (outer, applied) = try stack.core.apply(document)
        var change = outer
        if endpoints.update(document, applied) {
            change.kept.append("balancer")
        } else {
            change.reset.append("balancer")
        }
        change.kept += inner.kept
        change.reset += inner.reset
        change.added += inner.added
        change.dropped += inner.dropped
        return change
    }

    /// Passes the call through the filters, with the endpoints as the innermost stage.
    ///
    /// - Throws: The errors of the filters and of the endpoint; ``NoEndpointsError``.
    /// - Cancellation: Cancels the filter that waits, and the endpoint.
    nonisolated(nonsending) public func process(_ input: Request) async throws -> Response {
        try await stack.process(input, next: endpoints.balancer)
    }

    /// A description such as `TimeoutFilter(2.0 seconds) → Balancer(least loaded, 2 endpoints)`.
    public var description: String { "\(stack.andThen(endpoints.balancer))" }
}

extension StackDocument {
    fileprivate func requireBalancer() throws(JSONErrors) {
        guard balancer == nil else { return }
        let start = JSONPosition(line: 1, column: 1, offset: 0)
        throw JSONErrors([
            JSONError(.missingKey, "the key \"balancer\" is missing", hint: "make a StackFilter of it", at: start)
        ])
    }

    /// Throws for a document with endpoints that are not allowed there.
    func requireNoBalancer() throws(JSONErrors) {
        guard let balancer else { return }
        let message = "a filter has no endpoints"
        throw JSONErrors([
            JSONError(
                .unknownKey,
                message,
                hint: "make a StackNode of it",
                path: ["balancer"],
                at: balancer.position
            )
        ])
    }
}
