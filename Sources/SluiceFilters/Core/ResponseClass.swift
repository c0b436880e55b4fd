/// What an answer or an error means to a filter: whether it counts as a failure, and whether to call again.
///
/// Retry, hedging, breakers and failure accrual ask the same closure, a ``Classifier``:
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
    /// The call did what it should.
    case success
    /// The call failed, and would again.
    case failure
    /// The call failed and may be tried again, not before `after` has passed if the answer says so (`Retry-After`).
    case retryable(after: Duration? = nil)
    /// The call says nothing about the one who answers: cancel, or a call that was given up by ourselves.
    case ignorable

    /// Whether the call failed.
    public var isFailure: Bool {
        switch self {
        case .failure, .retryable: true
        case .success, .ignorable: false
        }
    }

    /// The class of a result that nobody knows more about: an answer is a success, `CancellationError` is ignorable, a
    /// ``ClassifiedError`` says it itself, every other error is retryable.
    public static func of<Response>(_ result: Result<Response, any Error>) -> ResponseClass {
        switch result {
        case .success: .success
        case .failure(let error): of(error)
        }
    }

    /// The class of an error that nobody knows more about.
    public static func of(_ error: any Error) -> ResponseClass {
        if error is CancellationError { return .ignorable }
        return (error as? any ClassifiedError)?.responseClass ?? .retryable()
    }
}

/// Says what a result means. Called once for each result, where the filter runs; keep it short.
public typealias Classifier<Request, Response> = @Sendable (Request, Result<Response, any Error>) -> ResponseClass

/// An error that knows its class.
///
/// ```swift
/// struct NotFound: ClassifiedError {
///     var responseClass: ResponseClass { .failure }  // to ask again is of no use
/// }
/// ```
public protocol ClassifiedError: Error {
    /// What the error means where no classifier says otherwise.
    var responseClass: ResponseClass { get }
}
