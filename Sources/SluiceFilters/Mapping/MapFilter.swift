public import Sluice

/// A filter that converts a request to the type of the next stage, and its response to the type of the caller.
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

    /// Creates a filter from two closures.
    ///
    /// - Parameters:
    ///   - request: A closure that converts the request; it is called once for each call, where the caller runs. If it
    ///     throws, `next` is not called.
    ///   - response: A closure that converts each response, where the caller runs.
    public init(
        request: @escaping @Sendable (RequestIn) async throws -> RequestOut,
        response: @escaping @Sendable (ResponseIn) async throws -> ResponseOut
    ) {
        self.request = request
        self.response = response
    }

    /// Creates a filter that leaves responses unchanged.
    ///
    /// - Parameter request: A closure that converts the request; it is called once for each call, where the caller
    ///   runs.
    public init(request: @escaping @Sendable (RequestIn) async throws -> RequestOut) where ResponseIn == ResponseOut {
        self.init(request: request, response: { $0 })
    }

    /// Creates a filter that leaves requests unchanged.
    ///
    /// - Parameter response: A closure that converts each response, where the caller runs.
    public init(response: @escaping @Sendable (ResponseIn) async throws -> ResponseOut) where RequestIn == RequestOut {
        self.init(request: { $0 }, response: response)
    }

    /// Calls `next` with the converted request and converts its response.
    ///
    /// - Throws: The error of `next`, unchanged; the error of a closure.
    /// - Cancellation: Cancels the one that is running.
    nonisolated(nonsending) public func process(
        _ request: RequestIn,
        next: some Node<RequestOut, ResponseIn>
    ) async throws -> ResponseOut {
        try await response(next.process(self.request(request)))
    }

    /// The text `MapFilter`.
    public var description: String { "MapFilter" }
}
