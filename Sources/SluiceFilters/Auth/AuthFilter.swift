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
    ///   - refresh: called when a call is refused, in a task of its own, never twice at the same time (unless one that
    ///     was cancelled takes its time to end). What it throws is what the waiting calls throw; it is cancelled when
    ///     no call waits for it any more.
    ///   - isRefusal: asked for each error whether it says that one has to log in: ``Unauthorized`` by default.
    public init(
        refresh: @escaping @Sendable () async throws -> Void,
        when isRefusal: @escaping @Sendable (any Error) -> Bool = { $0 is Unauthorized }
    ) {
        session = Session(refresh: refresh)
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
    private let refresh: @Sendable () async throws -> Void
    private let state = Locked(State())

    private struct State {
        var generation = 0
        var lastID = 0
        var running: (id: Int, call: Observer<Void>)?
    }

    init(refresh: @escaping @Sendable () async throws -> Void) { self.refresh = refresh }

    var generation: Int { state.withLock { $0.generation } }

    /// Waits for a refresh that began after `generation` was read; starts one if there is none.
    ///
    /// - Throws: the error of the refresh; `CancellationError` only when the calling task is cancelled.
    nonisolated(nonsending) func renew(after generation: Int) async throws {
        while let call = refresh(after: generation) {
            do {
                return try await call.value
            } catch is CancellationError where !Task.isCancelled {
                // The refresh was given up by those who waited, at the moment in which this call joined: begin anew.
            }
        }
    }

    /// The refresh to wait for: the one that runs, or a new one; `nil` when one has ended well since `generation`.
    private func refresh(after generation: Int) -> Observer<Void>? {
        let (running, isNew) = state.withLock { state -> ((id: Int, call: Observer<Void>)?, Bool) in
            if state.generation != generation { return (nil, false) }
            if let running = state.running { return (running, false) }
            state.lastID += 1
            let id = state.lastID
            let node = AnyNode<Void, Void>("refresh") { [self] in
                do { try await refresh() } catch {
                    ended(id, well: false)
                    throw error
                }
                ended(id, well: true)
            }
            let running: (id: Int, call: Observer<Void>) = (id, node.process())
            state.running = running
            return (running, true)
        }
        guard let running else { return nil }
        if isNew { running.call.onCanceled(isolation: nil) { [weak self] in self?.ended(running.id, well: false) } }
        return running.call
    }

    private func ended(_ id: Int, well: Bool) {
        state.withLock { state in
            guard state.running?.id == id else { return }
            state.running = nil
            if well { state.generation += 1 }
        }
    }
}
