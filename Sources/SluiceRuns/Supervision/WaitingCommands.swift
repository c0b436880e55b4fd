import Sluice
import SluiceStreams

/// The number of commands that wait for a run, or are being carried out.
///
/// A run takes commands between two instants. One whose instant takes long, since it has up to a hundred thousand events, is
/// interrupted where a command waits: it goes back to its last checkpoint.
final class WaitingCommands: Sendable {
    private let count = Locked(0)

    /// A Boolean value that indicates whether there are any.
    var isEmpty: Bool { count.withLock { $0 } == 0 }

    func begin() { count.withLock { $0 += 1 } }

    func end() { count.withLock { $0 -= 1 } }
}

/// The work that a run does now; used on the run's executor alone.
final class TurnBeginning {
    /// The instant at which it began.
    var instant: Int64 = 0
    /// A Boolean value that indicates whether it repeats the inputs since the last checkpoint. That is not interrupted,
    /// since it would begin again.
    var isReplay = false
    /// A Boolean value that indicates whether the document was edited since the last checkpoint, to which the run then
    /// can't go back.
    var isEdited = false
}

extension RunSupervisor {
    /// The time for which an instant is not interrupted, in nanoseconds.
    static let uninterruptedTime: Int64 = 200_000_000

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
            !beginning.isReplay && !beginning.isEdited && !commands.isEmpty
                && scheduler.now() - beginning.instant > Self.uninterruptedTime
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

    /// Continues an interrupted run from its last checkpoint, unless a command has paused or ended it.
    func rewind() async {
        guard isRewinding, run == nil, status.state == .running, !isClosed else { return }
        do { try await resumeFromCheckpoint() } catch  where error.isOfTheStore { resumeLater() } catch {
            guard isRewinding, run == nil, status.state == .running else { return }
            fail("\(error)")
        }
    }
}
