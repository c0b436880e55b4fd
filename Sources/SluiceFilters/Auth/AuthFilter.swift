public import Sluice

/// Logs in again when a call is refused, and repeats it once.
///
/// ```swift
/// let node = AuthFilter(refresh: { try await session.logIn() }).andThen(users)
/// let user = try await node.process("ada")  // an expired token goes unnoticed
/// ```
///
/// Any number of calls that are refused at the same time wait for one refresh. A call that was sent before a refresh
/// and is refused after it does not refresh again.
public struct AuthFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response> {
    private let session: Session
    private let isRefusal: @Sendable (any Error) -> Bool

    /// Makes a filter with a session of its own; copies share it.
    ///
    /// - Parameters:
    ///   - refresh: called when a call is refused, in a task of its own, never twice at the same time. What it throws
    ///     is what the waiting calls throw; it is cancelled when no call waits for it any more.
    ///   - isRefusal: asked for each error whether it says that one has to log in: ``Unauthorized`` by default.
    public init(
        refresh: @escaping @Sendable () async throws -> Void,
        when isRefusal: @escaping @Sendable (any Error) -> Bool = { $0 is Unauthorized }
    ) {
        session = Session(refresh: AnyNode("refresh") { try await refresh() })
        self.isRefusal = isRefusal
    }

    /// Calls `next`, and once more after a refresh if the first answer was a refusal.
    ///
    /// - Throws: the error of `next`, also a second refusal; the error of the refresh if that fails.
    /// - Cancellation: cancels the running call, or leaves the refresh to those who wait for it too.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let generation = session.generation
        do {
            return try await next.process(request)
        } catch  where isRefusal(error) {
            try await session.renew(after: generation)
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

/// Who is logged in, as far as the filter knows: how often one has been refreshed, and the refresh that runs.
private final class Session: Sendable {
    private let refresh: AnyNode<Void, Void>
    private let state = Locked(State())

    private struct State {
        var generation = 0
        var running: Observer<Void>?
    }

    init(refresh: AnyNode<Void, Void>) { self.refresh = refresh }

    var generation: Int { state.withLock { $0.generation } }

    /// Waits for a refresh that began after `generation` was read; starts one if there is none.
    nonisolated(nonsending) func renew(after generation: Int) async throws {
        let running: Observer<Void>? = state.withLock { state in
            if state.generation != generation { return nil }
            if let running = state.running { return running }
            let running: Observer<Void> = refresh.process()
            state.running = running
            return running
        }
        guard let running else { return }
        defer {
            state.withLock { state in
                if state.running === running { state.running = nil }
            }
        }
        try await running.value
        state.withLock { state in
            if state.generation == generation { state.generation += 1 }
        }
    }
}
