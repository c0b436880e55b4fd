public import Sluice

/// Logs in again when a call is refused, and repeats it once.
///
/// ```swift
/// let node = AuthFilter(refresh: { try await session.logIn() }).andThen(users)
/// let user = try await node.process("ada")  // an expired token goes unnoticed
/// ```
///
/// Any number of calls that are refused at the same time wait for one refresh. A call that was sent before a refresh
/// and is refused after it does not refresh again. Where one refresh follows the other and none helps, there is an end:
/// by default after five within half a minute.
public struct AuthFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response> {
    private let session: AuthSession
    private let isRefusal: @Sendable (any Error) -> Bool

    /// Makes a filter with a session of its own; copies share it.
    ///
    /// - Parameters:
    ///   - refresh: called when a call is refused, in a task of its own, never twice at the same time (unless one that
    ///     was cancelled takes its time to end). What it throws is what the waiting calls throw; it is cancelled when
    ///     no call waits for it any more.
    ///   - isRefusal: asked for each error whether it says that one has to log in: ``Unauthorized`` by default.
    ///   - limit: how many refreshes may begin within `window`; a call that needs one more fails.
    ///   - window: how long a refresh counts.
    ///   - clock: measures it.
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

    /// Calls `next`, and once more after a refresh if the first answer was a refusal.
    ///
    /// - Throws: the error of `next`, also a second refusal; the error of the refresh if that fails;
    ///   ``ExcessiveRefreshError`` where there were too many.
    /// - Cancellation: cancels the running call, or leaves the refresh to those who wait for it too.
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

/// A call was refused because one has to log in first.
public struct Unauthorized: Error, Equatable, CustomStringConvertible {
    /// Makes the error.
    public init() {}

    /// `not authorized: log in and call again`.
    public var description: String { "not authorized: log in and call again" }
}

/// There were more refreshes than there may be: logging in again does not help.
public struct ExcessiveRefreshError: ClassifiedError, Equatable, CustomStringConvertible {
    /// How many refreshes there were.
    public let count: Int
    /// Within which time.
    public let window: Duration

    /// Makes the error.
    public init(count: Int, window: Duration) {
        self.count = count
        self.window = window
    }

    /// ``ResponseClass/failure``: another try would be refused too.
    public var responseClass: ResponseClass { .failure }

    /// `logged in again 5 times within 30.0 seconds, and refused again`.
    public var description: String { "logged in again \(count) times within \(window), and refused again" }
}
