internal import Sluice

/// Shared work by key, for which any number of callers wait: it begins with the first and is canceled with the last.
///
/// A caller that joins is counted in the same step, so that it never joins work that was given up.
final class SharedCalls<Key: Hashable & Sendable, Response: Sendable>: Sendable {
    private let state = Locked(State())

    private struct State {
        var lastID = 0
        var sharedCalls: [Key: SharedCall] = [:]
    }

    private struct SharedCall {
        let id: Int
        var waiters: [ObjectIdentifier: PendingCall<Response>]
        var task: Task<Void, Never>?
    }

    private enum Entry {
        case starts(Int)
        case joins(Int)
        case declined
    }

    /// The number of waiting callers.
    var waitingCount: Int { state.withLock { $0.sharedCalls.values.reduce(0) { $0 + $1.waiters.count } } }

    /// Joins the work for `key`, or starts it.
    ///
    /// - Parameters:
    ///   - waiter: The call in which the caller waits; it may end independently.
    ///   - isNeeded: A closure that is called, under the lock, before work is started; `false` declines. Work that has
    ///     ended has completed all of its effects before a further caller is asked.
    ///   - start: A closure that does the work, in a task of its own that starts as a task of the first caller.
    /// - Returns: The response, and whether the work was another caller's; `nil` if declined.
    nonisolated(nonsending) func join(
        _ key: Key,
        as waiter: PendingCall<Response> = PendingCall(),
        if isNeeded: () -> Bool = { true },
        start: @escaping @Sendable @concurrent () async throws -> Response
    ) async throws -> (response: Response, isShared: Bool)? {
        let entry = state.withLock { state -> Entry in
            if let call = state.sharedCalls[key] {
                state.sharedCalls[key]?.waiters[ObjectIdentifier(waiter)] = waiter
                return .joins(call.id)
            }
            guard isNeeded() else { return .declined }
            state.lastID += 1
            state.sharedCalls[key] = SharedCall(id: state.lastID, waiters: [ObjectIdentifier(waiter): waiter])
            return .starts(state.lastID)
        }
        switch entry {
        case .declined: return nil
        case .joins(let id):
            return (try await wait(key, id, waiter), true)
        case .starts(let id):
            let task = Task { land(key, id, await Result.of { try await start() }) }
            state.withLock { if $0.sharedCalls[key]?.id == id { $0.sharedCalls[key]?.task = task } }
            return (try await wait(key, id, waiter), false)
        }
    }

    /// Waits for the work; a canceled caller has left when `cancel` returns.
    nonisolated(nonsending) private func wait(
        _ key: Key,
        _ id: Int,
        _ waiter: PendingCall<Response>
    ) async throws -> Response {
        defer { leave(key, id, waiter) }
        return try await withTaskCancellationHandler {
            try await waiter.value()
        } onCancel: {
            leave(key, id, waiter)
        }
    }

    /// Ends the work.
    private func land(_ key: Key, _ id: Int, _ result: Result<Response, any Error>) {
        let waiters = state.withLock { state -> [PendingCall<Response>] in
            guard let call = state.sharedCalls[key], call.id == id else { return [] }
            state.sharedCalls[key] = nil
            return Array(call.waiters.values)
        }
        for waiter in waiters { waiter.finish(result) }
    }

    /// Removes a waiting caller; the work is given up with the last one.
    private func leave(_ key: Key, _ id: Int, _ waiter: PendingCall<Response>) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard state.sharedCalls[key]?.id == id else { return nil }
            state.sharedCalls[key]?.waiters[ObjectIdentifier(waiter)] = nil
            guard let call = state.sharedCalls[key], call.waiters.isEmpty else { return nil }
            state.sharedCalls[key] = nil
            return call.task
        }
        task?.cancel()
    }
}
