public import Sluice

/// Puts a request into the words of the next stage, and its answer into those of the caller.
///
/// ```swift
/// let store = AnyNode<[String: String], [String: String]>("store") { $0 }
/// let node = MapFilter(
///     request: { (person: Person) in ["name": person.name] },
///     response: { (row: [String: String]) in Person(name: row["name"] ?? "") }
/// ).andThen(store)
/// let ada = try await node.process(Person(name: "ada"))  // a model in, a dictionary to the store and back
/// ```
public struct MapFilter<
    RequestIn: Sendable,
    ResponseOut: Sendable,
    RequestOut: Sendable,
    ResponseIn: Sendable
>: Filter, CustomStringConvertible {
    private let request: @Sendable (RequestIn) async throws -> RequestOut
    private let response: @Sendable (ResponseIn) async throws -> ResponseOut

    /// Makes a filter from two closures.
    ///
    /// - Parameters:
    ///   - request: called once for each call, where the caller runs. What it throws is thrown; `next` is not called.
    ///   - response: called with each answer, where the caller runs. What it throws is thrown.
    public init(
        request: @escaping @Sendable (RequestIn) async throws -> RequestOut,
        response: @escaping @Sendable (ResponseIn) async throws -> ResponseOut
    ) {
        self.request = request
        self.response = response
    }

    /// Makes a filter that leaves answers as they are.
    ///
    /// - Parameter request: called once for each call, where the caller runs.
    public init(request: @escaping @Sendable (RequestIn) async throws -> RequestOut) where ResponseIn == ResponseOut {
        self.init(request: request, response: { $0 })
    }

    /// Makes a filter that leaves requests as they are.
    ///
    /// - Parameter response: called with each answer, where the caller runs.
    public init(response: @escaping @Sendable (ResponseIn) async throws -> ResponseOut) where RequestIn == RequestOut {
        self.init(request: { $0 }, response: response)
    }

    /// Calls `next` with the mapped request and maps its answer.
    ///
    /// - Throws: the error of `next`, untouched; what the closures throw.
    /// - Cancellation: cancels the one that runs.
    nonisolated(nonsending) public func process(
        _ request: RequestIn,
        next: some Node<RequestOut, ResponseIn>
    ) async throws -> ResponseOut {
        try await response(next.process(self.request(request)))
    }

    /// `MapFilter`.
    public var description: String { "MapFilter" }
}
