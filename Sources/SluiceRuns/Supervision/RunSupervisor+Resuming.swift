import Foundation
import SluiceJSON
package import SluiceStreams

extension RunSupervisor {
    /// Continues a run that was stored when the process ended, or was killed.
    ///
    /// - Parameters:
    ///   - stored: the run.
    ///   - journal: the inputs since its checkpoint.
    ///   - isPaused: A Boolean value that indicates whether the run is paused in any case.
    ///   - isEditExpected: A Boolean value that indicates whether the document was edited since the checkpoint, and an edit
    ///     follows. Until then the stream keeps the sinks that the run's document does not have.
    /// - Throws: An error where the checkpoint can't be read, and where the document can't run.
    package func resume(
        _ stored: StoredRun,
        journal: [StreamInput],
        isPaused: Bool = false,
        isEditExpected: Bool = false
    ) async throws {
        status.run = stored.run
        recorder.resume(stored)
        failures = stored.error == nil ? 0 : 1
        self.isEditExpected = isEditExpected
        let journal = stored.error == nil ? journal : journal.withoutFailures
        try await continueRun(stored, journal, isPaused: stored.isPaused || isPaused)
    }

    /// Shows a run that had ended before the process was started.
    package func recall(_ stored: StoredRun) {
        status.run = stored.run
        status.revision = stored.revision
        status.state = RunState(rawValue: stored.state) ?? .idle
        status.error = stored.error
        recorder.resume(stored)
        environment.publisher.publish(status, isNewRun: true)
    }

    /// Ends the run with an error of its surroundings.
    package func fail(_ error: String) {
        status.error = error
        end(.failed)
    }

    /// Makes the next attempt of a run that has failed.
    func restart() async {
        guard status.state == .restarting, !isClosed else { return }
        do { try await resumeFromCheckpoint() } catch  where error.isOfTheStore { resumeLater() } catch {
            // Its document can't run, or its state can't be read: another attempt would not help.
            guard status.state == .restarting else { return }
            fail("\(error)")
        }
    }

    /// Has a stored run resume when the store may work again.
    package func resumeLater(_ stored: StoredRun) {
        status.run = stored.run
        status.state = .restarting
        recorder.resume(stored)
        publishStatus()
        resumeLater()
    }

    /// Has the run resume when the store may work again.
    func resumeLater() {
        restartAt = now.advanced(byClamping: RunRecorder.patience)
        wake(at: restartAt)
    }

    /// Continues the run from its last checkpoint, or from its beginning with what it has taken since; begins a new one
    /// where nothing is stored.
    func resumeFromCheckpoint(isPaused: Bool = false) async throws {
        guard environment.settings.isDurable, status.run > 0 else { return try begin() }
        let (before, speed) = (changeCount, status.pace.speed)
        await save()
        if recorder.isFailing { throw RunError.notStored(reason: status.warning ?? "the output is not stored") }
        let store = environment.store
        let newest = try await store.run(of: stream)
        guard changeCount == before else { return }
        guard let stored = newest, stored.run == status.run else { return try begin() }
        let journal = try await store.journal(of: stream)
        // While the store was read, somebody else may have started it.
        guard run == nil, !isClosed, changeCount == before else { return }
        recorder.resume(stored)
        try await continueRun(stored, journal.withoutFailures, isPaused: isPaused, since: speed)
    }

    /// - Parameter speed: The speed when the stored run was asked for. One that was set since holds.
    private func continueRun(
        _ stored: StoredRun,
        _ journal: [StreamInput],
        isPaused: Bool,
        since speed: Double? = nil
    ) async throws {
        let (before, given) = (changeCount, speed ?? status.pace.speed)
        let away = stored.isPaused ? 0 : max(0, environment.wallClock().timeIntervalSince(stored.savedAt))
        // Before the first checkpoint, the journal has all that the run has taken.
        let checkpoint = try stored.checkpoint.map { try StreamCheckpoint(parsing: $0) }
        let failures = try await failures(of: stored, after: checkpoint?.outputs ?? 0)
        // The failures to skip are those of this run.
        guard run == nil, !isClosed, changeCount == before else { return }
        recorder.skip(failures)
        let speed = status.pace.speed == given ? stored.speed : status.pace.speed
        let run = try makeRun(from: checkpoint, replaying: journal)
        // The time of day that is stored is that of the checkpoint; without one, that of the last commit.
        let left = StreamTime(
            (checkpoint?.time ?? run.time).duration + .seconds(min(away, 1e8) * stored.speed)
        )
        let pace = Pace(max(left, run.time), at: now, speed: speed, isPaused: isPaused)
        if run.isInterrupted { return postpone(run, pace) }
        open(run, pace, isNew: true)
        environment.publisher.publish(.resumed(afterFailure: self.failures > 0), of: status, runningProgram)
        if !isEditPending { useSinks(of: run, keepsOthers: isEditExpected) }
        // It was edited while it did not run. Where the edit is refused, the document of the checkpoint continues.
        if isEditPending {
            let last = (0...stored.outputs).last { !failures.contains($0) }
            guard repeatStored(run, to: last ?? 0) else { return }
            do { try replace(program, in: run) } catch {
                environment.log("\(stream): the edit does not run: \(error)")
                // The document that was stored has the others, and may run after another edit.
                useSinks(of: run, keepsOthers: true)
            }
        }
        turn()
    }

    private func useSinks(of run: StreamRun, keepsOthers: Bool) {
        environment.publisher.use(runningProgram.sinks, after: run.outputs, of: status, keepsOthers: keepsOthers)
    }

    /// Repeats the outputs that are stored already, so that an edit that was made while the stream did not run comes after
    /// them.
    ///
    /// - Parameter number: the number of the last of them that is no failure.
    /// - Returns: A Boolean value that indicates whether the run goes on; it has ended otherwise, or was interrupted.
    private func repeatStored(_ run: StreamRun, to number: Int) -> Bool {
        let end = status.pace.time(at: now)
        var reports: [StreamEvent<JSON>] = []
        var isEnded = false
        while run.outputs < number, !isEnded, !run.isInterrupted {
            if let event = run.next() {
                take(event, of: run, &reports)
                isEnded = event.isLast
            } else if !run.isEnded, let due = run.nextDue, due <= end {
                run.advance(to: due)
                recorder.progress()
            } else {
                break
            }
        }
        if run.isInterrupted {
            discard(run)
            return false
        }
        recorder.take(inputs)
        publishValues(reports)
        if isEnded { finish() }
        return !isEnded
    }

    /// Returns the numbers of the outputs that are failures: the run that continues does not give them.
    private func failures(of stored: StoredRun, after number: Int) async throws -> [Int] {
        var (failures, last): ([Int], Int) = ([], number)
        while last < stored.outputs {
            let outputs = try await environment.store.outputs(
                of: stream,
                run: stored.run,
                after: last,
                limit: min(1000, stored.outputs - last)
            )
            guard let newest = outputs.last else { break }
            failures += outputs.filter { $0.kind == .failed }.map(\.sequence)
            last = newest.sequence
        }
        return failures
    }
}

extension Error {
    /// A Boolean value that indicates whether the store does not work now, and may later: what it holds is not lost.
    package var isOfTheStore: Bool {
        if case RunError.notStored? = self as? RunError { return true }
        guard let error = self as? StoreError else { return false }
        switch error.kind {
        case .full, .readOnly, .busy, .moved, .unavailable: return true
        default: return false
        }
    }
}

extension [StreamInput] {
    /// The inputs without the failures of sources, which are read again.
    fileprivate var withoutFailures: [StreamInput] { filter { !$0.isFailure } }
}
