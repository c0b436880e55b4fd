#if HTTP
import Sluice
import SluiceFilters

/// A queue that lets one task at a time run, in the order of arrival.
final class Turn: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [PendingCall<Void>] = []
    }
    private let state = Locked(State())

    /// Waits for its turn, runs `body`, and lets the next one in.
    ///
    /// - Throws: the error of `body`; `CancellationError` when the task is canceled while it waits.
    nonisolated(nonsending) func take<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        let own = PendingCall<Void>()
        let waits = state.withLock { state in
            defer {
                if state.isTaken { state.waiting.append(own) }
                state.isTaken = true
            }
            return state.isTaken
        }
        if waits {
            do { try await own.value() } catch {
                leave(own)
                throw error
            }
        }
        defer { pass() }
        return try await body()
    }

    /// Leaves the queue; a turn that was granted meanwhile passes to the next task.
    private func leave(_ own: PendingCall<Void>) {
        let wasWaiting = state.withLock { state in
            let count = state.waiting.count
            state.waiting.removeAll { $0 === own }
            return state.waiting.count < count
        }
        if !wasWaiting { pass() }
    }

    private func pass() {
        let next = state.withLock { state -> PendingCall<Void>? in
            if state.waiting.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.finish(.success(()))
    }
}
#endif
