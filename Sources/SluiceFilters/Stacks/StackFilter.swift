public import Sluice
public import SluiceJSON

/// The filters of a ``StackDocument``, which can be replaced while they run.
///
/// ```swift
/// let stack = try StackFilter<String, Person>(parsing: #"{"filters": [{"id": "r", "retry": {"maxAttempts": 3}}]}"#)
/// let node = stack.andThen(users)
/// let ada = try await node.process("ada")
/// let change = try stack.replace(parsing: #"{"filters": [{"timeout": {"seconds": 2}}, {"id": "r", "retry": {}}]}"#)
/// print(change)  // added: timeout; kept: r
/// ```
///
/// An invalid document is rejected, and the running one continues. Calls in flight end in the filters in which they
/// began. A filter that keeps its id (or, without one, its kind and its position among those of its kind) and its
/// parameters keeps its state: a breaker its windows, a rate limit its tokens, a concurrency limit its queue, a hedge
/// its measurements. A budget is matched by its name. A breaker also keeps its state when only its `mode` changes.
///
/// Copies share the same stack.
public struct StackFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    let core: StackCore<Request, Response>

    /// Creates the filters of a document.
    ///
    /// - Throws: `JSONErrors` if the document needs something that `bindings` lack.
    public init(
        _ document: StackDocument,
        bindings: StackBindings<Request, Response> = StackBindings()
    ) throws(JSONErrors) {
        try document.requireNoBalancer()
        core = try StackCore(document, bindings)
    }

    init(core: StackCore<Request, Response>) { self.core = core }

    /// Reads a document and creates its filters.
    ///
    /// - Throws: `JSONErrors` with all errors of the document.
    public init(
        parsing text: String,
        bindings: StackBindings<Request, Response> = StackBindings()
    ) throws(JSONErrors) {
        try self.init(StackDocument(parsing: text), bindings: bindings)
    }

    /// The running document.
    public var document: StackDocument { core.document }

    /// Applies another document: calls that begin from now on pass through its filters.
    ///
    /// - Returns: The effects on the filters.
    /// - Throws: `JSONErrors`; the old document keeps running.
    @discardableResult
    public func replace(with document: StackDocument) throws(JSONErrors) -> StackChange {
        try document.requireNoBalancer()
        return try core.replace(with: document)
    }

    /// Reads a document and applies it.
    ///
    /// - Returns: The effects on the filters.
    /// - Throws: `JSONErrors` with all errors; the old document keeps running.
    @discardableResult
    public func replace(parsing text: String) throws(JSONErrors) -> StackChange {
        try replace(with: StackDocument(parsing: text))
    }

    /// Returns the effects that applying a document would have, without changing anything.
    public func plan(_ document: StackDocument) -> StackChange { core.plan(document) }

    /// Passes the request through the filters of the document, with `next` as the innermost stage.
    ///
    /// - Throws: The errors of the filters and of `next`.
    /// - Cancellation: Cancels the filter that waits, and `next`.
    /// - Executor: As documented for each filter.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let stages = core.stages
        if stages.isEmpty { return try await next.process(request) }
        return try await StageNode(stages: stages, index: 0, last: next).process(request)
    }

    /// The running filters: `TimeoutFilter(2.0 seconds) → RetryFilter(maxAttempts: 3)`.
    public var description: String {
        let stages = core.stages
        return stages.isEmpty ? "StackFilter" : stages.map { "\(AnyFilter($0))" }.joined(separator: " → ")
    }
}

/// The filters from one on, with the stage that they surround.
struct StageNode<Request: Sendable, Response: Sendable>: Node {
    let stages: [any SimpleFilter<Request, Response>]
    let index: Int
    let last: any Node<Request, Response>

    nonisolated(nonsending) func process(_ input: Request) async throws -> Response {
        guard index < stages.count else { return try await last.process(input) }
        let next = StageNode(stages: stages, index: index + 1, last: last)
        return try await stages[index].process(input, next: next)
    }
}
