/// The signal that ends the rest of one thread.
///
/// A signal that comes before the thread rests ends the rest at once.
final class ThreadSignal: @unchecked Sendable {
    // `@unchecked Sendable`: the variables are read and written while `condition` is locked.
    private let condition = MonotonicCondition()
    private var isCalled = false
    private var isReminded = false

    /// The reason why a rest has ended.
    enum Wake {
        /// There is work for the thread.
        case called
        /// The first alarm of the timer has changed.
        case reminded
        /// The time has passed.
        case timedOut
    }

    /// Calls the thread to work.
    func call() {
        condition.locked { isCalled = true }
        condition.signal()
    }

    /// Has the thread look at the timer again.
    func remind() {
        condition.locked { isReminded = true }
        condition.signal()
    }

    /// Rests until a signal comes.
    ///
    /// - Parameter nanoseconds: the longest rest.
    /// - Returns: ``Wake/reminded`` also where the rest has ended without a reason.
    func wait(_ nanoseconds: Int64) -> Wake {
        condition.locked {
            let isOver = !isCalled && !isReminded && !condition.wait(nanoseconds)
            if isCalled {
                // The thread looks at the timer before it rests again.
                (isCalled, isReminded) = (false, false)
                return .called
            }
            if isReminded || !isOver {
                isReminded = false
                return .reminded
            }
            return .timedOut
        }
    }

    /// Rests until the thread is called.
    func waitForCall() { while wait(.max / 4) != .called {} }
}
