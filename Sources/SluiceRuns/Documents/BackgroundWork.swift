import Dispatch
import Foundation
import Sluice

/// Work that nobody waits for, until somebody does.
///
/// What belongs to it is done on the thread of background work. When a request comes to wait for it, ``hasten()`` has what is
/// left, and what is still to come, done as the work of requests is.
package final class BackgroundWork: Sendable {
    private struct State {
        var isHastened = false
        var lastNumber = 0
        /// The jobs that have not begun, with the queues of requests to which they would belong.
        var waiting: [Int: (queue: DispatchQueue, job: @Sendable () -> Void)] = [:]
    }

    private let state = Locked(State())

    /// Makes work that nobody waits for.
    package init() {}

    /// A Boolean value that indicates whether somebody waits for the work.
    package var isHastened: Bool { state.withLock { $0.isHastened } }

    /// Has what is left done as the work of requests is. A job that has begun goes on where it is.
    package func hasten() {
        let waiting = state.withLock { state in
            state.isHastened = true
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        for (queue, job) in waiting { queue.async(execute: job) }
    }

    /// Does a job on the thread, or on the queue where somebody waits for it, whichever has time first.
    func submit(_ job: @escaping @Sendable () -> Void, to thread: BackgroundThread, or queue: DispatchQueue) {
        let number = state.withLock { state -> Int? in
            if state.isHastened { return nil }
            state.lastNumber += 1
            state.waiting[state.lastNumber] = (queue, job)
            return state.lastNumber
        }
        guard let number else { return queue.async(execute: job) }
        thread.async { [self] in
            let waiting = state.withLock { $0.waiting.removeValue(forKey: number) }
            waiting?.job()
        }
    }
}

/// A thread that does one job after the other, at a lower priority than requests, and ends when none is left.
final class BackgroundThread: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let state = Locked(State())

    /// Does a job after those that came before it.
    func async(_ job: @escaping @Sendable () -> Void) {
        let isThreadMissing = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isThreadMissing else { return }
        Thread.start("sluice.document", isDeep: true, isBehindRequests: true) { [self] in work() }
    }

    private func work() {
        ThreadPriority.lower()
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                if state.jobs.isEmpty { state.isRunning = false }
                return state.jobs
            }
            if jobs.isEmpty { return }
            for job in jobs { job() }
        }
    }
}
