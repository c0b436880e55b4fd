#if NATS
import Dispatch
import Foundation
import Sluice
import SluiceRuns

/// Threads for calls that wait for a server, so that none of them keeps a cooperative thread.
///
/// A few calls are made at once; the others wait in the order in which they came. The threads are its own: those of queues are the
/// cooperative ones on Linux. A thread ends when it has had nothing to do for a while.
final class BlockingCalls: Sendable {
    private struct State {
        var jobs = Deque<@Sendable () -> Void>()
        var threads = 0
        /// The number of threads that wait for a job.
        var idle = 0
    }

    private let most: Int
    private let state = Locked(State())
    /// Has a signal for each job.
    private let signal = DispatchSemaphore(value: 0)

    /// - Parameter most: The largest number of calls at once.
    init(atOnce most: Int) { self.most = most }

    /// Makes a call on one of the threads.
    ///
    /// - Throws: `CancellationError` if the task is canceled before the call has begun; the error of the call. A call that
    ///   has begun is completed: it ends by the time limit of its requests.
    func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add {
                    guard ticket.begin() else { return continuation.resume(throwing: CancellationError()) }
                    continuation.resume(with: Result { try body() })
                }
            }
        } onCancel: {
            ticket.cancel()
        }
    }

    private func add(_ job: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            guard state.idle < state.jobs.count, state.threads < most else { return false }
            state.threads += 1
            return true
        }
        if needsThread {
            Thread.start("sluice.nats") { self.work() }
        }
        signal.signal()
    }

    private func work() {
        while true {
            state.withLock { $0.idle += 1 }
            let isLate = signal.wait(timeout: .now() + .seconds(10)) == .timedOut
            let (job, ends) = state.withLock { state in
                state.idle -= 1
                let job = state.jobs.popFirst()
                let ends = job == nil && isLate
                if ends { state.threads -= 1 }
                return (job, ends)
            }
            if ends { return }
            job?()
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
