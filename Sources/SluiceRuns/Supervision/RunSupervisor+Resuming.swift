import Foundation
package import SluiceStreams

extension RunSupervisor {
    /// Continues a run that was stored when the process ended, or was killed.
    ///
    /// - Throws: where the checkpoint can't be read, and where the document can't run.
    package func resume(_ stored: StoredRun, journal: [StreamInput], isPaused: Bool = false) async throws {
        status.run = stored.run
        recorder.resume(stored)
        failures = stored.error == nil ? 0 : 1
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
        do { try await resumeFromCheckpoint() } catch RunError.notStored {
            restartAt = now.advanced(byClamping: RunRecorder.patience)
            wake(at: restartAt)
        } catch {
            // Its document can't run, or its state can't be read: another attempt would not help.
            guard status.state == .restarting else { return }
            fail("\(error)")
        }
    }

    /// Continues the run from its last checkpoint, or from its beginning with what it has taken since; begins a new one
    /// where nothing is stored.
    func resumeFromCheckpoint() async throws {
        guard environment.settings.isDurable, status.run > 0 else { return try begin() }
        await save()
        if recorder.isFailing { throw RunError.notStored(reason: status.warning ?? "the output is not stored") }
        let store = environment.store
        guard let stored = try await store.run(of: stream), stored.run == status.run
        else { return try begin() }
        let journal = try await store.journal(of: stream)
        // While the store was read, somebody else may have started it.
        guard run == nil, !isClosed else { return }
        recorder.resume(stored)
        try await continueRun(stored, journal.withoutFailures, isPaused: false)
    }

    private func continueRun(_ stored: StoredRun, _ journal: [StreamInput], isPaused: Bool) async throws {
        let away = stored.isPaused ? 0 : max(0, environment.wallClock().timeIntervalSince(stored.savedAt))
        // Before the first checkpoint, the journal has all that the run has taken.
        let checkpoint = try stored.checkpoint.map { try StreamCheckpoint(parsing: $0) }
        recorder.skip(try await failures(of: stored, after: checkpoint?.outputs ?? 0))
        guard run == nil, !isClosed else { return }
        let run = try makeRun(from: checkpoint, replaying: journal)
        let left = StreamTime(
            max(checkpoint?.time ?? .zero, run.time).duration + .seconds(min(away, 1e8) * stored.speed)
        )
        open(run, Pace(left, at: now, speed: stored.speed, isPaused: isPaused), isNew: true)
        environment.publisher.publish(.resumed(afterFailure: failures > 0), of: status, runningProgram)
        // It was edited while it did not run. Where the edit is refused, the document of the checkpoint continues.
        if isEditPending {
            do { try replace(program, in: run) } catch { environment.log("\(stream): the edit does not run: \(error)") }
        }
        turn()
    }

    /// Returns the numbers of the outputs that are failures: the run that continues does not give them.
    private func failures(of stored: StoredRun, after number: Int) async throws -> [Int] {
        guard stored.outputs > number else { return [] }
        let outputs = try await environment.store.outputs(
            of: stream,
            run: stored.run,
            after: number,
            limit: stored.outputs - number
        )
        return outputs.filter { $0.kind == .failed }.map(\.sequence)
    }
}

extension [StreamInput] {
    /// The inputs without the failures of sources, which are read again.
    fileprivate var withoutFailures: [StreamInput] { filter { !$0.isFailure } }
}
