import Foundation
import Sluice
package import SluiceJSON
import SluiceStreams

/// The supervisor of the one run of a stream: it drives, stores, edits, restarts, and ends it.
///
/// The run is driven by turns on the threads of a ``RunScheduler``. A turn does what is due by now, for the time of a
/// quantum at most, and sets the timer for what comes next. Edits, checkpoints, and requests come between two turns.
package actor RunSupervisor {
    /// The id of the stream.
    package nonisolated let stream: String
    let environment: RunEnvironment
    private let executor: RunExecutor
    /// The document that is to run.
    var program: RunProgram
    /// The document of the last checkpoint.
    var runningProgram: RunProgram
    /// A Boolean value that indicates whether `program` is to replace `runningProgram`.
    var isEditPending = false
    /// A Boolean value that indicates whether the run resumed from documents that were edited since, and the edit has not
    /// come yet. Until then the stream keeps the sinks that the run's document does not have.
    var isEditExpected = false
    var status: RunStatus
    var run: StreamRun?
    var watch = StageWatch()
    let inputs = TakenInputs()
    let recorder: SharedRecorder
    var alarm: (any RunAlarm)?
    /// The number of failures in a row.
    var failures = 0
    /// The instant at which the run began or resumed.
    var begun: Int64 = 0
    /// The instant of the next attempt of a run that has failed.
    var restartAt: Int64?
    /// The lag that the run had when it began or resumed, as far as it has not caught up, in seconds.
    var allowedLag = 0.0
    /// The instant at which it was last published that the run is behind.
    var lagPublishedAt: Int64?
    /// The size of the values that had passed when the state was last measured, in bytes.
    var measuredAt = 0
    /// The size of the state when it was last measured, in bytes.
    var stateSize = 0
    /// A Boolean value that indicates whether the run waits until subscribers have taken its outputs, before a checkpoint.
    var isDraining = false
    /// A Boolean value that indicates whether the supervisor has ended.
    var isClosed = false
    /// The figures of the stream's runs.
    package nonisolated let figures = RunFigures()
    /// The figures of the turn that the run has now.
    var turnFigures = RunFigures.Counts()
    /// The commands that wait for the run.
    nonisolated let commands = WaitingCommands()
    let turnBeginning = TurnBeginning()
    /// A Boolean value that indicates whether the run was interrupted, and is to continue from its last checkpoint.
    var isRewinding = false
    /// A Boolean value that indicates whether the run is to go on since its reset was refused.
    var isTakenBack = false
    /// The stored outputs that the run repeats before an edit that was made while it did not run.
    var repetition: StoredRepetition?
    /// The number of times that a run was opened, was closed, or was paused while none was open: where it has changed while
    /// the store was read, that is of no use.
    var changeCount = 0
    /// The number of times that a command has interrupted the run.
    var interruptionCount = 0
    /// The reason that was shown for which the store refuses what the run has done.
    var storeFailure: SharedRecorder.Failure?

    /// The number of the last run of the stream before this supervisor.
    let lastRun: Int

    /// Makes the supervisor of a stream that does not run yet.
    ///
    /// - Parameter lastRun: the number of the last run that the stream has had, as ``StreamStore/lastRun(of:)`` returns it.
    package init(_ stream: String, _ program: RunProgram, _ environment: RunEnvironment, after lastRun: Int = 0) {
        self.stream = stream
        self.lastRun = lastRun
        (self.program, runningProgram) = (program, program)
        self.environment = environment
        executor = RunExecutor(on: environment.scheduler)
        status = RunStatus(stream: stream, pace: Pace(at: environment.timer.now, isPaused: true))
        status.revision = program.revision
        recorder = SharedRecorder(
            stream,
            upTo: environment.settings.backlogSize,
            sharing: environment.settings.memory.backlogs,
            isDurable: environment.settings.isDurable,
            onOutcome: { [weak executor] in executor?.requestTurn() }
        )
        environment.publisher.onSubscription(of: stream) { [weak executor] in executor?.requestTurn() }
        executor.onTurn { [weak self] in self?.assumeIsolated { $0.takeTurn() } }
    }

    /// The executor of the run.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The status of the run as JSON.
    package var json: JSON { status.json(at: now) }

    var now: Int64 { environment.timer.now }

    /// Ends the supervisor, since the stream is gone or the process ends.
    ///
    /// - Parameter isRemoved: a Boolean value that indicates whether the stream is removed from the store. If not, what the
    ///   run has done is stored first.
    /// - Parameter isCheckpointed: a Boolean value that indicates whether that is stored as a checkpoint in any case.
    package func shutDown(isRemoved: Bool = false, isCheckpointed: Bool = false) async {
        isClosed = true
        environment.publisher.onSubscription(of: stream, nil)
        if status.state == .running { turn() }
        alarm?.cancel()
        alarm = nil
        if isRemoved {
            // The store would refuse it again and again, and with it what a later stream of this id does.
            recorder.reset()
        } else {
            if isCheckpointed { recorder.touch() } else { recorder.touchIfProgressed() }
            await save()
        }
        run?.close()
        run = nil
        watch.discard()
        environment.settings.memory.remove(ObjectIdentifier(self))
    }

    /// Asks for a turn.
    nonisolated func requestTurn() { executor.requestTurn() }

    /// Returns a call that asks for a turn, for objects that outlive the run.
    nonisolated var turnRequest: @Sendable () -> Void {
        { [weak executor] in executor?.requestTurn() }
    }

    /// Schedules the next turn; with `nil`, none.
    func wake(at instant: Int64?) {
        alarm?.cancel()
        alarm = instant.map { environment.timer.schedule(at: $0, turnRequest) }
    }

    func publishStatus() {
        recorder.touch()
        environment.publisher.publish(status, isNewRun: false)
    }
}

/// The inputs that a run has taken since they were last looked at; used on the run's executor alone.
final class TakenInputs {
    var list: [StreamInput] = []
}
