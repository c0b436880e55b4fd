import Foundation
import SluiceStreams

extension RunSupervisor {
    /// Hands what the run has done to the queue, which stores it with what other runs have done.
    func saveSoon() {
        guard environment.settings.isDurable, !isClosed, status.run > 0 else { return }
        record()
        environment.commits.add(recorder)
    }

    /// Stores what the run has done, and returns when that is on the disk, or the store has refused it.
    package func save() async {
        guard environment.settings.isDurable, status.run > 0 else { return }
        record()
        await environment.commits.flush(recorder)
        noteStoring()
    }

    /// Stores what the run has done; returns `false` if the store has refused it.
    package func saved() async -> Bool {
        await save()
        return recorder.failure == nil
    }

    /// Notes the status of the run for the next batch, with a checkpoint where one is wanted.
    private func record() {
        let (status, documents) = (status, runningProgram.documents)
        // The end of a run is stored when subscribers have taken all outputs; before that, a restart repeats them.
        if run == nil, status.state == .completed, !isDrained() { return }
        guard let run, recorder.wantsCheckpoint(at: now, passed: watch.passedSize), isDrained() else {
            let time = environment.wallClock()
            return recorder.record { $0.note(status, documents: documents, at: time) }
        }
        // Work that is due comes before the checkpoint, so that the time of the run matches the time of day stored with it.
        let due = status.pace.time(at: now)
        if run.nextDue.map({ $0 > due }) ?? true { run.advance(to: max(run.time, due)) }
        let time = environment.wallClock() - lag(run)
        let text = run.checkpoint().text
        let size = text.utf8.count
        if let error = excess(ofState: text) {
            run.fail(error)
            return requestTurn()
        }
        let (instant, passed) = (now, watch.passedSize)
        recorder.record {
            $0.note(status, documents: documents, checkpoint: text, savedAt: time)
            $0.noteCheckpoint(at: instant, passed: passed, size: size)
        }
        turnBeginning.isEdited = false
    }

    /// Returns a Boolean value that indicates whether subscribers have taken all outputs. If not, the run waits for them
    /// before its checkpoint.
    func isDrained() -> Bool {
        isDraining = !environment.publisher.isDrained(stream)
        return !isDraining
    }

    /// Shows that the store refuses what the run has done, and that it accepts it again.
    func noteStoring() {
        let failure = recorder.failure
        guard failure != storeFailure else { return }
        if let failure, storeFailure == nil {
            environment.log("\(stream): the output is not stored: \(failure.description)")
        }
        storeFailure = failure
        status.warning = failure.map { "the output is not stored: \($0.reason)" }
        environment.publisher.publish(status, isNewRun: false)
    }

    /// Returns the seconds of the clock by which the time of the run is behind its pace.
    private func lag(_ run: StreamRun) -> Double {
        guard status.state == .running else { return 0 }
        return max(0, (status.pace.time(at: now).seconds - run.time.seconds) / status.pace.speed)
    }
}
