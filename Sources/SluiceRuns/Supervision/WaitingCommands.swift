import Sluice
import SluiceStreams

/// The number of commands that wait for a run, or are being carried out.
///
/// A run takes commands between two instants. One whose instant takes long, since it has up to a hundred thousand events, is
/// interrupted where a command waits: it goes back to its last checkpoint. A run that repeats its inputs since then is
/// interrupted by a command that has come meanwhile: the one that has the run resume doesn't interrupt it.
final class WaitingCommands: Sendable {
    private struct Counts {
        var arrived = 0
        var ended = 0
        /// The number that had arrived when the repetition of inputs began; `nil` where none is under way.
        var replay: Int?
    }

    private let counts = Locked(Counts())

    /// A Boolean value that indicates whether there are any.
    var isEmpty: Bool { counts.withLock { $0.arrived == $0.ended } }

    /// A Boolean value that indicates whether the run repeats its inputs since the last checkpoint.
    var isReplay: Bool { counts.withLock { $0.replay != nil } }

    /// A Boolean value that indicates whether a command has come since the repetition of inputs began.
    var isReplayDisturbed: Bool { counts.withLock { $0.arrived > $0.replay ?? .max } }

    func begin() { counts.withLock { $0.arrived += 1 } }

    func end() { counts.withLock { $0.ended += 1 } }

    func beginReplay() { counts.withLock { $0.replay = $0.arrived } }

    func endReplay() { counts.withLock { $0.replay = nil } }
}

/// The work that a run does now; used on the run's executor alone.
final class TurnBeginning {
    /// The instant at which it began.
    var instant: Int64 = 0
    /// The number of times in a row that the repetition was interrupted.
    var interruptedReplayCount = 0
    /// A Boolean value that indicates whether the document was edited since the last checkpoint, to which the run then
    /// can't go back.
    var isEdited = false
}

extension RunSupervisor {
    /// The time for which an instant is not interrupted, in nanoseconds. A command may wait for several: the turn that is under way,
    /// and the work that is due before the command.
    static let uninterruptedTime: Int64 = 100_000_000

    /// Returns the time for which the repetition of inputs is not interrupted, in nanoseconds. It doubles with each
    /// interruption, so that a run resumes however often a command comes.
    static func uninterruptedReplay(after count: Int) -> Int64 { uninterruptedTime << Int64(min(count, 16)) }

    /// Performs a command, which waits for no instant of the run: where one takes long, the run is interrupted, and goes back
    /// to its last checkpoint.
    ///
    /// - Throws: The error of the command.
    package nonisolated func command<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        commands.begin()
        defer { commands.end() }
        return try await body()
    }

    /// Returns the closure with which a run asks whether to stop in the middle of an instant; `nil` for a run without a
    /// checkpoint to go back to.
    func makeInterruption() -> (() -> Bool)? {
        guard environment.settings.isDurable else { return nil }
        let (commands, beginning, scheduler) = (commands, turnBeginning, environment.scheduler)
        return {
            if commands.isReplay {
                commands.isReplayDisturbed
                    && scheduler.now() - beginning.instant
                        > Self.uninterruptedReplay(after: beginning.interruptedReplayCount)
            } else {
                !beginning.isEdited && !commands.isEmpty
                    && scheduler.now() - beginning.instant > Self.uninterruptedTime
            }
        }
    }

    /// Discards a run that was interrupted, and has it continue from its last checkpoint after the commands that wait.
    func discard(_ interrupted: StreamRun) {
        recorder.take(inputs)
        interrupted.close()
        run = nil
        isRewinding = true
        interruptionCount += 1
        wake(at: nil)
        environment.perform { [self] in await rewind() }
    }

    /// Has a run that was interrupted while it repeated the inputs since its last checkpoint continue after the commands
    /// that wait.
    func postpone(_ interrupted: StreamRun, _ pace: Pace) {
        turnBeginning.interruptedReplayCount += 1
        interrupted.close()
        status.pace = pace
        status.state = pace.isPaused ? .paused : .running
        status.error = nil
        publishStatus()
        isRewinding = true
        restartAt = nil
        interruptionCount += 1
        wake(at: nil)
        environment.perform { [self] in await rewind() }
    }

    /// Continues an interrupted run from its last checkpoint, unless a command has paused or ended it.
    func rewind() async {
        guard isRewinding, run == nil, status.state == .running, !isClosed else { return }
        do { try await resumeFromCheckpoint() } catch  where error.isOfTheStore { resumeLater() } catch {
            guard isRewinding, run == nil, status.state == .running else { return }
            fail("\(error)")
        }
    }
}
