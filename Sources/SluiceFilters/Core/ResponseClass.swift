/// The meaning of a response or an error for a filter: whether it is a failure, and whether to call again.
///
/// Retry, hedging, breakers, and failure accrual use the same closure, a ``Classifier``:
///
/// ```swift
/// let classify: Classifier<String, Int> = { _, result in
///     switch result {
///     case .success(let status) where status == 503: .retryable(after: .seconds(1))
///     case .success: .success
///     case .failure: .of(result)
///     }
/// }
/// ```
public enum ResponseClass: Sendable, Equatable {
    /// The call succeeded.
    case success
    /// The call failed, and would fail again.
    case failure
    /// The call failed and may be retried, but not before `after` has passed if the response specifies it
    /// (`Retry-After`).
    case retryable(after: Duration? = nil)
    /// The result says nothing about the responder: cancellation, or a call that was given up by the caller.
    case ignorable

    /// A Boolean value that indicates whether the call failed.
    public var isFailure: Bool {
        switch self {
        case .failure, .retryable: true
        case .success, .ignorable: false
        }
    }

    /// Returns the default class of a result: a response is a success, `CancellationError` is ignorable, a
    /// ``ClassifiedError`` has its own class, and every other error is retryable.
    public static func of<Response>(_ result: Result<Response, any Error>) -> ResponseClass {
        switch result {
        case .success: .success
        case .failure(let error): of(error)
        }
    }

    /// Returns the default class of an error.
    public static func of(_ error: any Error) -> ResponseClass {
        if error is CancellationError { return .ignorable }
        return (error as? any ClassifiedError)?.responseClass ?? .retryable()
    }
}

/// A closure that returns the class of a result. It is called once for each result, where the filter runs; keep it
/// short.
public typealias Classifier<Request, Response> = @Sendable (Request, Result<Response, any Error>) -> ResponseClass

/// An error that knows its class.
///
/// ```swift
/// struct NotFound: ClassifiedError {
///     var responseClass: ResponseClass { .failure }  // to ask again is of no use
/// }
/// ```
public protocol ClassifiedError: Error {
    /// The class of the error, unless a classifier decides otherwise.
    var responseClass: ResponseClass { get }
}
