#if HTTP
public import Foundation
public import Sluice

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A filter that reads the body of a response as a model.
///
/// ```swift
/// let entry = try await TransformJsonTo<UserEntry>()
///     .andThen(NetworkDataService())
///     .apply(request: URLRequest(url: URL(string: "http://example.com/users/ada")!))
///     .value
/// ```
public struct TransformJsonTo<Model: Decodable & Sendable>: Filter<
    URLRequest, Model, URLRequest, (Data, HTTPURLResponse)
>
{
    /// Creates a filter.
    public init() {}

    /// Calls `next` and reads its response.
    ///
    /// - Throws: ``TransformError`` with the body if it isn't a valid `Model`; the error of `next`.
    /// - Cancellation: Cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: URLRequest,
        next: some Node<URLRequest, (Data, HTTPURLResponse)>
    ) async throws -> Model {
        let (data, _) = try await next.process(request)
        do { return try JSONDecoder().decode(Model.self, from: data) } catch {
            throw TransformError(data: data, cause: error)
        }
    }
}

/// An error that indicates that a body isn't the expected model.
public struct TransformError: Error {
    /// The body.
    public let data: Data
    /// The decoder's error.
    public let cause: any Error
}

/// A filter that reads a body that isn't the expected model as an error of the server: for servers that return either
/// with status 200.
///
/// ```swift
/// struct UserError: Error, Decodable { let reason: String }
/// let node = TransformFailureIfNeededTo<UserError, UserEntry>()
///     .andThen(TransformJsonTo<UserEntry>())
///     .andThen(NetworkDataService())
/// // {"name": "Ada"} is the answer, {"reason": "unknown"} is thrown as a UserError
/// ```
public struct TransformFailureIfNeededTo<Failure: Error & Decodable, Model: Sendable>: SimpleFilter<URLRequest, Model> {
    /// Creates a filter.
    public init() {}

    /// Calls `next` and throws if its body is a `Failure`.
    ///
    /// - Throws: A `Failure` when the body is one; otherwise the error of `next`, unchanged.
    /// - Cancellation: Cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: URLRequest,
        next: some Node<URLRequest, Model>
    ) async throws -> Model {
        do { return try await next.process(request) } catch let error as TransformError {
            if let failure = try? JSONDecoder().decode(Failure.self, from: error.data) { throw failure }
            throw error
        }
    }
}
#endif
