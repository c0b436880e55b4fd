import Foundation
import SluiceStreams

extension RunSupervisor {
    func saveSoon() {
        guard environment.settings.isDurable, !isClosed, !isSaveScheduled, recorder.isDue(at: now) else { return }
        isSaveScheduled = true
        let instant = now.advanced(byClamping: recorder.wait(at: now))
        _ = environment.timer.schedule(at: instant) { [weak self, perform = environment.perform] in
            guard let self else { return }
            perform { await self.saveNow() }
        }
    }

    func saveNow() async {
        await save()
        isSaveScheduled = false
        if isClosed { return }
        // What waited for room goes on, and what came meanwhile is stored next.
        turn()
        saveSoon()
    }

    /// Stores what the run has done, after what is being stored.
    package func save() async {
        guard environment.settings.isDurable else { return }
        while let saving { await saving.value }
        let task = Task { await write() }
        saving = task
        await task.value
    }

    private func write() async {
        defer { saving = nil }
        guard status.run > 0 else { return }
        let wasFailing = recorder.isFailing
        let isCheckpointDue = recorder.wantsCheckpoint(at: now) && isDrained()
        var (text, time): (String?, Date) = (nil, environment.wallClock())
        if let run, isCheckpointDue {
            // What is due belongs before the checkpoint, whose time is then the time of day that is stored with it.
            let due = status.pace.time(at: now)
            if run.nextDue.map({ $0 > due }) ?? true { run.advance(to: max(run.time, due)) }
            time -= lag(run)
            let checkpoint = run.checkpoint().text
            if let error = excess(ofState: checkpoint.utf8.count) {
                run.fail(error)
                requestTurn()
            } else {
                text = checkpoint
            }
        }
        for commit in recorder.batch(status, checkpoint: text, savedAt: time, documents: runningProgram.documents) {
            do {
                try await environment.store.commit(commit)
                recorder.stored(commit, at: now)
                environment.publisher.count(.batchStored)
            } catch let error as StoreError where commit.run != status.run && error.isOfTheCommit {
                recorder.stored(commit, at: now)  // of a run that is over, and will never be accepted
            } catch {
                recorder.failed(at: now)
                environment.publisher.count(.storeFailed)
                if !wasFailing { environment.log("\(stream): the output is not stored: \(error)") }
                status.warning = "the output is not stored: \((error as? StoreError)?.reason ?? "\(error)")"
                if !wasFailing { environment.publisher.publish(status, isNewRun: false) }
                return
            }
        }
        if wasFailing {
            status.warning = nil
            environment.publisher.publish(status, isNewRun: false)
        }
    }

    /// Returns a Boolean value that indicates whether subscribers have taken all outputs. If not, the run waits for them
    /// before its checkpoint.
    private func isDrained() -> Bool {
        let wasDraining = isDraining
        isDraining = run != nil && !environment.publisher.isDrained(stream)
        // It goes on while the checkpoint is being stored.
        if wasDraining, !isDraining { requestTurn() }
        return !isDraining
    }

    /// Returns the seconds of the clock by which the time of the run is behind its pace.
    private func lag(_ run: StreamRun) -> Double {
        guard status.state == .running else { return 0 }
        return max(0, (status.pace.time(at: now).seconds - run.time.seconds) / status.pace.speed)
    }
}

extension StoreError {
    /// A Boolean value that indicates whether the same commit will never be accepted.
    fileprivate var isOfTheCommit: Bool {
        switch kind {
        case .missing, .staleRun, .outputGap: true
        default: false
        }
    }
}
