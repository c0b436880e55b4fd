public import Sluice

/// A filter that logs in again when a call is rejected, and repeats the call once.
///
/// ```swift
/// let node = AuthFilter(refresh: { try await session.logIn() }).andThen(users)
/// let user = try await node.process("ada")  // an expired token goes unnoticed
/// ```
///
/// All calls that are rejected at the same time wait for one refresh. A call that was sent before a refresh and is
/// rejected after it does not refresh again. Repeated refreshes without success end with an error: by default after
/// five within half a minute.
public struct AuthFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response> {
    private let session: AuthSession
    private let isRefusal: @Sendable (any Error) -> Bool

    /// Creates a filter with a session of its own; copies share it.
    ///
    /// - Parameters:
    ///   - refresh: A closure that is called when a call is rejected, in a task of its own, and never twice at the same
    ///     time (unless a canceled one takes its time to end). The waiting calls throw its error. It is canceled when
    ///     no call waits for it any more.
    ///   - isRefusal: A closure that returns whether an error requires logging in: by default for ``Unauthorized``.
    ///   - limit: The number of refreshes that may begin within `window`; a call that needs another one fails.
    ///   - window: The time during which a refresh counts.
    ///   - clock: The clock that measures `window`.
    public init(
        refresh: @escaping @Sendable () async throws -> Void,
        when isRefusal: @escaping @Sendable (any Error) -> Bool = { $0 is Unauthorized },
        limit: Int = 5,
        within window: Duration = .seconds(30),
        clock: any Clock<Duration> = .continuous
    ) {
        session = AuthSession(refresh: refresh, limit: limit, window: window, timer: .of(clock))
        self.isRefusal = isRefusal
    }

    /// Calls `next`, and once more after a refresh if the first call was rejected.
    ///
    /// - Throws: The error of `next`, including a second rejection; the error of the refresh; ``ExcessiveRefreshError``
    ///   after too many refreshes.
    /// - Cancellation: Cancels the running call, or stops waiting for the refresh, which continues for other calls.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let generation = session.generation
        do {
            return try await next.process(request)
        } catch  where isRefusal(error) {
            CallContext.note("AuthFilter", "refused: \(error)")
            try await session.renew(after: generation)
            CallContext.note("AuthFilter", "logged in, calls again")
            return try await next.process(request)
        }
    }
}

/// An error that indicates that a call requires logging in.
public struct Unauthorized: Error, Equatable, CustomStringConvertible {
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
