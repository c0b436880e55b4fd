public import Foundation
public import Sluice

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Reads the body of an answer as a model.
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
    /// Makes a filter.
    public init() {}

    /// Calls `next` and reads its answer.
    ///
    /// - Throws: ``TransformError`` with the body in it when that is no `Model`; the error of `next`.
    /// - Cancellation: cancels `next`.
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

/// A body that is not the model that was expected.
public struct TransformError: Error {
    /// The body.
    public let data: Data
    /// What the decoder found wrong with it.
    public let cause: any Error
}

/// Reads a body that is not the expected model as an error of the server's: for servers that answer 200 with either.
///
/// ```swift
/// struct UserError: Error, Decodable { let reason: String }
/// let node = TransformFailureIfNeededTo<UserError, UserEntry>()
///     .andThen(TransformJsonTo<UserEntry>())
///     .andThen(NetworkDataService())
/// // {"name": "Ada"} is the answer, {"reason": "unknown"} is thrown as a UserError
/// ```
public struct TransformFailureIfNeededTo<Failure: Error & Decodable, Model: Sendable>: SimpleFilter<URLRequest, Model> {
    /// Makes a filter.
    public init() {}

    /// Calls `next`.
    ///
    /// - Throws: a `Failure` when the body is one; else the error of `next`, unchanged.
    /// - Cancellation: cancels `next`.
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
