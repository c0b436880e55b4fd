#if NATS
import Foundation
import Sluice

/// Threads for calls that wait for a server, so that none of them keeps a cooperative thread.
///
/// A few calls are made at once; the others wait in the order in which they came.
final class BlockingCalls: Sendable {
    private let queue: OperationQueue

    /// - Parameter most: The largest number of calls at once.
    init(atOnce most: Int) {
        queue = OperationQueue()
        queue.name = "sluice.nats"
        queue.maxConcurrentOperationCount = most
    }

    /// Makes a call on one of the threads.
    ///
    /// - Throws: `CancellationError` if the task is canceled before the call has begun; the error of the call. A call that
    ///   has begun is completed: it ends by the time limit of its requests.
    func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.addOperation {
                    guard ticket.begin() else { return continuation.resume(throwing: CancellationError()) }
                    continuation.resume(with: Result { try body() })
                }
            }
        } onCancel: {
            ticket.cancel()
        }
    }
}

extension BlockingCalls {
    /// A call that is begun or canceled, whichever comes first.
    private final class Ticket: Sendable {
        private enum State { case waiting, begun, canceled }

        private let state = Locked(State.waiting)

        /// Begins the call; returns `false` if it was canceled.
        func begin() -> Bool {
            state.withLock { state in
                if state == .canceled { return false }
                state = .begun
                return true
            }
        }

        func cancel() { state.withLock { if $0 == .waiting { $0 = .canceled } } }
    }
}
#endif
