internal import Sluice

/// The login state of an ``AuthFilter``: the number and the times of refreshes.
final class AuthSession<Response: Sendable>: Sendable {
    /// A closure that gets new credentials; its argument is the refusal.
    private let refresh: @Sendable (Result<Response, any Error>) async throws -> Void
    private let limit: Int
    private let window: Duration
    private let timer: CallTimer
    private let sharedCalls = SharedCalls<Int, Void>()
    private let state = Locked(State())

    private struct State {
        var generation = 0
        /// The times at which the recent refreshes began.
        var begun: [Int64] = []
    }

    init(
        refresh: @escaping @Sendable (Result<Response, any Error>) async throws -> Void,
        limit: Int,
        window: Duration,
        timer: CallTimer
    ) {
        self.refresh = refresh
        self.limit = max(limit, 1)
        self.window = window
        self.timer = timer
    }

    /// The number of successful refreshes.
    var generation: Int { state.withLock { $0.generation } }

    /// Waits for a refresh that began after `generation` was read; starts one if necessary.
    ///
    /// - Parameters:
    ///   - generation: The number of refreshes before the call was sent.
    ///   - refusal: The refusal of the call.
    /// - Throws: The error of the refresh; ``ExcessiveRefreshError``; `CancellationError`.
    nonisolated(nonsending) func renew(after generation: Int, _ refusal: Result<Response, any Error>) async throws {
        _ = try await sharedCalls.join(generation, if: { self.generation == generation }) { [self] in
            try begin()
            try await refresh(refusal)
            state.withLock { $0.generation += 1 }
        }
    }

    /// Counts another refresh, or throws if there were too many.
    private func begin() throws {
        let now = timer.now
        try state.withLock { state in
            state.begun.removeAll { now - $0 >= window.nanoseconds }
            guard state.begun.count < limit else { throw ExcessiveRefreshError(count: limit, window: window) }
            state.begun.append(now)
        }
    }
}
