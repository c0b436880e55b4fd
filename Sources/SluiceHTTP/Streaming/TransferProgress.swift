#if HTTP
import Sluice
import SluiceFilters

/// The progress of a body.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes sent or received.
    public let completed: Int
    /// The total number of bytes, if known.
    public let total: Int?
    /// A Boolean value that indicates whether the transfer is complete.
    public let isComplete: Bool

    /// Makes a value.
    public init(completed: Int, total: Int?, isComplete: Bool) {
        self.completed = completed
        self.total = total
        self.isComplete = isComplete
    }

    /// The fraction from 0 to 1; `nil` if the total is not known.
    public var fraction: Double? {
        if isComplete { return 1 }
        return total.map { $0 > 0 ? min(Double(completed) / Double($0), 1) : 0 }
    }
}

/// A reporter that passes the progress of a body to a closure: one call at a time, in a task of its own, so that the
/// bytes do not wait for it. Progress during a call is combined into the next one; the end is always reported.
final class ProgressReporter: Sendable {
    private let interval: Int64
    private let timer: CallTimer
    private let report: @Sendable (TransferProgress) -> Void
    private let state = Locked(State())

    private struct State {
        var completed = 0
        var latest: TransferProgress?
        var isReporting = false
        var lastReport: Int64?
    }

    init(
        every interval: Duration,
        clock: any Clock<Duration>,
        _ report: @escaping @Sendable (TransferProgress) -> Void
    ) {
        self.interval = interval.nanoseconds
        timer = .of(clock)
        self.report = report
    }

    /// Adds a number of bytes that have passed.
    func add(_ count: Int, total: Int?) {
        let begins = state.withLock { state -> Bool in
            state.completed += count
            state.latest = TransferProgress(completed: state.completed, total: total, isComplete: false)
            return begin(&state)
        }
        if begins { Task { run() } }
    }

    /// Restarts the count, possibly at a place other than the start.
    func start(at completed: Int) { state.withLock { $0.completed = completed } }

    /// Reports that all bytes have passed.
    func end() {
        let begins = state.withLock { state -> Bool in
            let all = state.completed
            state.latest = TransferProgress(completed: all, total: all, isComplete: true)
            return begin(&state)
        }
        if begins { Task { run() } }
    }

    /// Returns whether to start a task: none is running, and the interval or the body has ended.
    private func begin(_ state: inout State) -> Bool {
        guard !state.isReporting, isDue(state) else { return false }
        state.isReporting = true
        return true
    }

    private func isDue(_ state: State) -> Bool {
        guard let latest = state.latest else { return false }
        return latest.isComplete || state.lastReport.map { timer.now - $0 >= interval } ?? true
    }

    private func run() {
        while true {
            let progress = state.withLock { state -> TransferProgress? in
                guard isDue(state), let latest = state.latest else {
                    state.isReporting = false
                    return nil
                }
                state.latest = nil
                state.lastReport = timer.now
                return latest
            }
            guard let progress else { return }
            report(progress)
        }
    }
}
#endif
