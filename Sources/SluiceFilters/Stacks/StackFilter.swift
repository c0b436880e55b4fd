public import Sluice
public import SluiceJSON

/// The filters of a ``StackDocument``, which can be replaced while they run.
///
/// ```swift
/// let stack = try StackFilter<String, Person>(parsing: #"{"filters": [{"id": "r", "retry": {"attempts": 3}}]}"#)
/// let node = stack.andThen(users)
/// let ada = try await node.process("ada")
/// let change = try stack.replace(parsing: #"{"filters": [{"timeout": {"seconds": 2}}, {"id": "r", "retry": {}}]}"#)
/// print(change)  // added: timeout; kept: r
/// ```
///
/// A document with an error is refused, and what runs goes on. Calls under way end in the filters in which they began.
/// What keeps its id (or, without one, its kind and its place among those of its kind) and its parameters keeps its state:
/// a breaker its windows, a rate its tokens, a concurrency limit its queue, a hedge what it has measured. A budget does by
/// its name. A breaker also stays what it is when only its `mode` changes.
///
/// Copies are the same stack.
public struct StackFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    let core: StackCore<Request, Response>

    /// Makes the filters of a document.
    ///
    /// - Throws: `JSONErrors` where the document asks for what `bindings` do not have.
    public init(
        _ document: StackDocument,
        bindings: StackBindings<Request, Response> = StackBindings()
    ) throws(JSONErrors) {
        try document.requireNoBalancer()
        core = try StackCore(document, bindings)
    }

    init(core: StackCore<Request, Response>) { self.core = core }

    /// Reads a document and makes its filters.
    ///
    /// - Throws: `JSONErrors` with all that is wrong with the document.
    public init(
        parsing text: String,
        bindings: StackBindings<Request, Response> = StackBindings()
    ) throws(JSONErrors) {
        try self.init(StackDocument(parsing: text), bindings: bindings)
    }

    /// What runs now.
    public var document: StackDocument { core.document }

    /// Takes up another document: calls that begin from now on go through its filters.
    ///
    /// - Returns: what became of the filters.
    /// - Throws: `JSONErrors`; the old document runs on.
    @discardableResult
    public func replace(with document: StackDocument) throws(JSONErrors) -> StackChange {
        try document.requireNoBalancer()
        return try core.replace(with: document)
    }

    /// Reads a document and takes it up.
    ///
    /// - Returns: what became of the filters.
    /// - Throws: `JSONErrors` with all that is wrong; the old document runs on.
    @discardableResult
    public func replace(parsing text: String) throws(JSONErrors) -> StackChange {
        try replace(with: StackDocument(parsing: text))
    }

    /// What would become of the filters if a document were taken up; nothing changes.
    public func plan(_ document: StackDocument) -> StackChange { core.plan(document) }

    /// Lets the filters of the document answer, with `next` as the innermost.
    ///
    /// - Throws: what the filters and `next` throw.
    /// - Cancellation: cancels the filter that waits, and `next`.
    /// - Executor: as the filters say.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let stages = core.stages
        if stages.isEmpty { return try await next.process(request) }
        return try await StageNode(stages: stages, index: 0, last: next).process(request)
    }

    /// The filters that run now: `TimeoutFilter(2.0 seconds) → RetryFilter(attempt: 3)`.
    public var description: String {
        let stages = core.stages
        return stages.isEmpty ? "StackFilter" : stages.map { "\(AnyFilter($0))" }.joined(separator: " → ")
    }
}

/// The filters from one on, and what they stand around.
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
