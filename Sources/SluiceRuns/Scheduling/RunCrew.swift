/// The threads of a scheduler: as many as processors, and a few more while some of them are held up by work that takes long.
///
/// A pure state machine, apart from the threads.
struct RunCrew {
    /// The time after which a thread counts as held up by its work, in nanoseconds.
    static let patience: Int64 = 50_000_000

    /// The number of threads that work at the same time while none is held up.
    let limit: Int
    /// The most threads beyond them.
    let spareLimit: Int
    /// The number of threads.
    private(set) var count = 0
    /// The threads that work, with the instants at which their work began.
    private var begun: [ObjectIdentifier: Int64] = [:]

    init(limit: Int, spareLimit: Int) { (self.limit, self.spareLimit) = (limit, spareLimit) }

    /// The number of threads that work.
    var workingCount: Int { begun.count }

    private func heldUpCount(at now: Int64) -> Int { begun.values.count { now - $0 > Self.patience } }

    /// Adds a thread, unless there are enough.
    ///
    /// - Returns: A Boolean value that indicates whether a thread is to be started.
    mutating func hire(at now: Int64) -> Bool {
        guard count < limit + spareLimit, count < limit || count - heldUpCount(at: now) < limit else { return false }
        count += 1
        return true
    }

    /// Removes a thread that doesn't work where there are more than needed.
    ///
    /// - Returns: A Boolean value that indicates whether the thread is to end.
    mutating func dismiss(at now: Int64) -> Bool {
        guard count > limit, count - heldUpCount(at: now) > limit else { return false }
        count -= 1
        return true
    }

    /// Removes a thread that has waited in vain.
    mutating func leave() { count -= 1 }

    /// Notes that a thread begins to work.
    mutating func begin(_ thread: ObjectIdentifier, at now: Int64) { begun[thread] = now }

    /// Notes that a thread has done its work.
    mutating func end(_ thread: ObjectIdentifier) { begun[thread] = nil }
}
