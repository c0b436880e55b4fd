package import Foundation
package import SluiceStreams

/// The surroundings that all runs of a process share: threads, time, storage, and subscribers.
package struct RunEnvironment: Sendable {
    /// The threads that the runs work on.
    package let scheduler: RunScheduler
    /// The clock that drives the runs.
    package let timer: any RunTimer
    /// The store of checkpoints, inputs, and outputs.
    package let store: any StreamStore
    /// Takes what is to be published of the runs.
    package let publisher: any RunPublisher
    /// The rules that the runs follow.
    package let settings: RunSettings
    /// Returns the time of day, for what is stored.
    package let wallClock: @Sendable () -> Date
    /// Logs an error.
    package let log: @Sendable (String) -> Void
    /// Starts work that nobody waits for, in a task of its own.
    package let perform: TaskStarter
    /// Stores what all runs have done.
    package let commits: CommitQueue

    /// Makes an environment.
    package init(
        scheduler: RunScheduler,
        timer: any RunTimer,
        store: any StreamStore,
        publisher: any RunPublisher,
        settings: RunSettings,
        wallClock: @escaping @Sendable () -> Date = { Date() },
        log: @escaping @Sendable (String) -> Void = { _ in },
        perform: TaskStarter = TaskStarter()
    ) {
        (self.scheduler, self.timer, self.store, self.publisher) = (scheduler, timer, store, publisher)
        (self.settings, self.wallClock, self.log, self.perform) = (settings, wallClock, log, perform)
        commits = CommitQueue(
            store,
            timer,
            perform: perform,
            count: { publisher.count($0) },
            onStored: { publisher.noteStored($0) }
        )
    }
}

/// The rules that all runs of a process follow.
package struct RunSettings: Sendable {
    /// The treatment of a run that has failed.
    package var restart = RestartPolicy.never
    /// A Boolean value that indicates whether runs are stored, and continue when the process is started again.
    package var isDurable = true
    /// The sources of the outside world that the streams may read.
    package var host = StreamHost()
    /// The bounds of what a run may do.
    package var limits = StreamLimits()
    /// The largest state of a run, in bytes of its checkpoint's text; the run fails beyond it.
    package var stateSize = 16 << 20
    /// The largest backlog of a run, in bytes: outputs and inputs that are not stored yet. The run waits at the bound.
    package var backlogSize = 16 << 20
    /// The memory of all runs together.
    package var memory = RunMemory(limit: 256 << 20)

    /// Makes settings.
    package init() {}
}

/// The clock that drives runs.
package protocol RunTimer: Sendable {
    /// The time, in nanoseconds from an origin of its own; it never goes backward.
    var now: Int64 { get }

    /// Calls `body` once when the time is `instant`, soon if it has passed; `body` has to return at once.
    func schedule(at instant: Int64, _ body: @escaping @Sendable () -> Void) -> any RunAlarm
}

/// A call that a ``RunTimer`` is to make.
package protocol RunAlarm: Sendable {
    /// Cancels the call; does nothing if it has been made.
    func cancel()
}

/// An event in the life of runs that is counted.
package enum RunEvent: Sendable {
    /// A run began.
    case begun
    /// A run failed.
    case failed
    /// Overdue ticks were left out.
    case skipped(Int)
    /// A batch of output and state was stored.
    case batchStored
    /// The store refused a batch.
    case storeFailed
}
