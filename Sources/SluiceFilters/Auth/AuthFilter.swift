public import Sluice

/// A filter that logs in again when a call is rejected, and repeats the call once.
///
/// ```swift
/// let node = AuthFilter(refresh: { try await session.logIn() }).andThen(users)
/// let user = try await node.process("ada")  // an expired token goes unnoticed
/// ```
///
/// A request of HTTP that is answered 401 counts as refused, whatever scheme its credentials have. In a request chain, the
/// filter is the stage `refresh`, around everything that adds fields: tokens, fields of a provider, signatures.
///
/// Any number of calls that are refused at the same time wait for one refresh. A call that was sent before a refresh
/// and is refused after it does not refresh again. Where one refresh follows the other and none helps, there is an end:
/// by default after five within half a minute.
public struct AuthFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let session: AuthSession<Response>
    private let isRefusal: @Sendable (Request, Result<Response, any Error>) -> Bool
    private let refreshed: (@Sendable (Request) -> Request)?

    /// Creates a filter with a session of its own; copies share it.
    ///
    /// - Parameters:
    ///   - refresh: A closure that gets new credentials; called when a call is refused, in a task of its own, one at a
    ///     time (unless one that was canceled takes its time to end). The waiting calls throw its error. It is canceled
    ///     when no call waits for it anymore.
    ///   - isRefusal: A closure that returns whether an error means that one has to log in. By default, a
    ///     ``ClassifiedRequest`` decides about answers and errors; for other requests, ``UnauthorizedError`` is a refusal.
    ///   - limit: The maximum number of refreshes that may begin within `window`; a call that needs one more fails.
    ///   - window: The time for which a refresh counts.
    ///   - clock: The clock that measures the window.
    public init(
        refresh: @escaping @Sendable () async throws -> Void,
        when isRefusal: (@Sendable (any Error) -> Bool)? = nil,
        limit: Int = 5,
        within window: Duration = .seconds(30),
        clock: any Clock<Duration> = .continuous
    ) {
        let semantics = RequestSemantics<Request, Response>()
        let known = isRefusal == nil ? semantics?.asksForCredentials : nil
        self.init(
            refresh: { _ in try await refresh() },
            refusal: known ?? { _, result in
                guard case .failure(let error) = result else { return false }
                return isRefusal?(error) ?? (error is UnauthorizedError)
            },
            limit: limit,
            within: window,
            clock: clock
        )
    }

    /// Creates a filter that also examines answers.
    ///
    /// - Parameters:
    ///   - refresh: A closure that gets new credentials; its argument is the refusal of the call that needs them.
    ///   - isRefusal: A closure that returns whether a result is a refusal.
    package init(
        refresh: @escaping @Sendable (Result<Response, any Error>) async throws -> Void,
        refusal: @escaping @Sendable (Request, Result<Response, any Error>) -> Bool,
        limit: Int,
        within window: Duration,
        clock: any Clock<Duration>
    ) {
        session = AuthSession(refresh: refresh, limit: limit, window: window, timer: .of(clock))
        isRefusal = refusal
        refreshed = RequestSemantics<Request, Response>()?.refreshed
    }

    /// Calls `next`, and once more after a refresh if the first call was refused.
    ///
    /// - Returns: the answer; a second refusal is one, too, if it came as an answer.
    /// - Throws: the error of `next`, also a second refusal; the error of the refresh if that fails;
    ///   ``ExcessiveRefreshError`` where there were too many.
    /// - Cancellation: cancels the running call, or leaves the refresh to the other callers that wait for it.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let generation = session.generation
        let result: Result<Response, any Error>
        do { result = .success(try await next.process(request)) } catch { result = .failure(error) }
        guard isRefusal(request, result) else { return try result.get() }
        if CallContext.isExplained {
            CallContext.note("AuthFilter", "refused: \(result.failure.map { "\($0)" } ?? "the answer says so")")
        }
        try await session.renew(after: generation, result)
        CallContext.note("AuthFilter", "logged in, calls again")
        return try await next.process(refreshed?(request) ?? request)
    }

    /// `AuthFilter`.
    public var description: String { "AuthFilter" }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// An error that indicates that a call requires logging in.
public struct UnauthorizedError: Error, Equatable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// The text `not authorized: log in and call again`.
    public var description: String { "not authorized: log in and call again" }
}

/// An error that indicates that there were too many refreshes, so that logging in again does not help.
public struct ExcessiveRefreshError: ClassifiedError, Equatable, CustomStringConvertible {
    /// The number of refreshes.
    public let count: Int
    /// The time within which they occurred.
    public let window: Duration

    /// Creates the error.
    public init(count: Int, window: Duration) {
        self.count = count
        self.window = window
    }

    /// The class ``ResponseClass/failure``, since another attempt would be rejected too.
    public var responseClass: ResponseClass { .failure }

    /// The text of the error: `logged in again 5 times within 30.0 seconds, and refused again`.
    public var description: String { "logged in again \(count) times within \(window), and refused again" }
}

extension AuthFilter: StackStage {
    /// The role ``StackRole/refresh``.
    public var stackRole: StackRole { .refresh }
}
