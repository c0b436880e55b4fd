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
    ///
    /// - Parameter ran: the program that it has run. Where that is not the present one, the run resumes with it, and takes up
    ///   the present one as an edit.
    package func recall(_ stored: StoredRun, _ ran: RunProgram? = nil) {
        if let ran, ran.versions != program.versions {
            (runningProgram, isEditPending) = (ran.withoutCompiled, true)
        }
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

    /// The size of a checkpoint up to which a command waits until it is restored, in bytes.
    static let largestAwaitedState = 1 << 20

    /// Continues the run from its last checkpoint, or from its beginning with what it has taken since; begins a new one
    /// where nothing is stored.
    ///
    /// - Parameter answersEarly: A Boolean value that indicates whether the caller does not wait for a large state, which takes
    ///   long to restore: the run goes on as one that was interrupted.
    func resumeFromCheckpoint(isPaused: Bool = false, answersEarly: Bool = false) async throws {
        guard environment.settings.isDurable, status.run > 0 else { return try begin(isPaused: isPaused) }
        let (before, speed) = (changeCount, status.pace.speed)
        await save()
        if recorder.isFailing { throw RunError.notStored(reason: status.warning ?? "the output is not stored") }
        let store = environment.store
        let newest = try await store.run(of: stream)
        guard changeCount == before else { return }
        guard let stored = newest, stored.run == status.run else { return try begin(isPaused: isPaused) }
        if answersEarly, stored.checkpoint?.utf8.count ?? 0 > Self.largestAwaitedState {
            (status.state, status.error, isRewinding, restartAt) = (.running, nil, true, nil)
            changeCount += 1
            publishStatus()
            environment.perform { [self] in await rewind() }
            return
        }
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
        let (failures, end) = try await outputs(of: stored, after: checkpoint?.outputs ?? 0)
        // The failures to skip are those of this run.
        guard run == nil, !isClosed, changeCount == before else { return }
        recorder.skip(failures)
        // The speed of the stored run, unless another was set since.
        if status.pace.speed == given { status.pace.change(speed: stored.speed, at: now) }
        let run = try makeRun(from: checkpoint)
        // The values of a run that is not opened are nobody's.
        let made = watch
        watch = StageWatch()
        guard try await replay(journal, in: run, isPaused: isPaused, before) else { return run.close() }
        watch = made
        // The time of day that is stored is that of the checkpoint; without one, that of the last commit.
        let left = StreamTime(
            (checkpoint?.time ?? run.time).duration + .seconds(min(max(0, min(away, 1e8) * stored.speed), 1e9))
        )
        // The time of day may have been put back, and the stored outputs reach beyond it.
        // One that was paused before it was opened had its time shown.
        let shown = isPaused && status.state == .paused ? status.pace.time(at: now) : .zero
        let pace = Pace(max(left, run.time, end, shown), at: now, speed: status.pace.speed, isPaused: isPaused)
        if run.isInterrupted { return postpone(run, pace) }
        open(run, pace, isNew: true)
        environment.publisher.publish(.resumed(afterFailure: self.failures > 0), of: status, runningProgram)
        if !isEditPending { useSinks(of: run, keepsOthers: isEditExpected) }
        // An edit, of before or from now on, comes after the outputs that are stored already.
        let last = (0...stored.outputs).last { !failures.contains($0) } ?? 0
        if isEditPending || run.outputs < last {
            repetition = StoredRepetition(last: last, end: max(end, status.pace.time(at: now)))
        }
        turn()
    }

    /// Repeats the inputs of a run since its checkpoint, for a quantum at a time. The commands that have come meanwhile are
    /// carried out between two of them, as while the store is read: one that ends, pauses, or begins the run has this
    /// repetition end, of which nothing is lost, since the store has all of it.
    ///
    /// - Parameter before: the number of changes when the stored run was asked for.
    /// - Returns: A Boolean value that indicates whether the run is to be opened, or was interrupted in the middle of an
    ///   instant; otherwise it is of no use any more.
    private func replay(_ journal: [StreamInput], in run: StreamRun, isPaused: Bool, _ before: Int) async throws -> Bool
    {
        let (scheduler, inputs) = (environment.scheduler, inputs)
        let earlier = (status.state, status.error, isRewinding)
        var left = journal[...]
        while true {
            turnBeginning.instant = scheduler.now()
            let end = turnBeginning.instant + scheduler.quantum
            commands.beginReplay()
            do {
                defer { commands.endReplay() }
                left = left.dropFirst(try run.replay(left) { scheduler.now() >= end })
            } catch {
                (status.state, status.error, isRewinding) = earlier
                throw error
            }
            turnBeginning.instant = scheduler.now()
            if run.isInterrupted { return true }
            if left.isEmpty { break }
            let state: RunState = isPaused ? .paused : .running
            if !isRewinding || status.state != state {
                // Commands find a run that goes on, as where one was interrupted.
                status.pace.move(to: max(run.time, status.pace.time(at: now)), at: now)
                status.state = state
                status.error = nil
                (isRewinding, restartAt) = (true, nil)
                publishStatus()
            }
            await Task.yield()
            guard self.run == nil, !isClosed, changeCount == before else { return false }
        }
        run.endReplay { inputs.list.append($0) }
        return true
    }

    private func useSinks(of run: StreamRun, keepsOthers: Bool) {
        environment.publisher.use(runningProgram.sinks, after: run.outputs, of: status, keepsOthers: keepsOthers)
    }

    /// Repeats the outputs that are stored already, for a quantum at a time, so that an edit that was made while the stream
    /// did not run, or that comes meanwhile, comes after them. Then the edit takes effect; where it is refused, the document
    /// of the checkpoint continues.
    func repeatStored(_ repetition: StoredRepetition, in run: StreamRun) {
        let scheduler = environment.scheduler
        turnBeginning.instant = scheduler.now()
        let quantumEnd = turnBeginning.instant + scheduler.quantum
        var reports: [StreamEvent<JSON>] = []
        var (isEnded, isDone) = (false, false)
        repeat {
            if run.isInterrupted { break }
            if run.outputs >= repetition.last {
                isDone = true
            } else if let event = run.next() {
                take(event, of: run, &reports)
                isEnded = event.isLast
            } else if !run.isEnded, let due = run.nextDue, due <= repetition.end {
                run.advance(to: due)
                recorder.progress()
            } else {
                isDone = true
            }
        } while !isEnded && !isDone && scheduler.now() < quantumEnd
        if run.isInterrupted { return discard(run) }
        recorder.take(inputs)
        publishValues(reports)
        if isEnded { return finish() }
        guard isDone else { return requestTurn() }
        self.repetition = nil
        // It may have been paused meanwhile.
        if status.pace.time(at: now) < run.time { status.pace.move(to: run.time, at: now) }
        if isEditPending {
            do { try replace(program, in: run) } catch {
                environment.log("\(stream): the edit does not run: \(error)")
                // The document that was stored has the others, and may run after another edit.
                useSinks(of: run, keepsOthers: true)
            }
        }
        turn()
    }

    /// Returns the numbers of the outputs that are failures, which the run that continues does not give, and the time of the
    /// last output.
    private func outputs(of stored: StoredRun, after number: Int) async throws -> (failures: [Int], end: StreamTime) {
        var (failures, last, end): ([Int], Int, StreamTime) = ([], number, .zero)
        while last < stored.outputs {
            let outputs = try await environment.store.outputs(
                of: stream,
                run: stored.run,
                after: last,
                limit: min(1000, stored.outputs - last)
            )
            guard let newest = outputs.last else { break }
            failures += outputs.filter { $0.kind == .failed }.map(\.sequence)
            (last, end) = (newest.sequence, newest.time)
        }
        return (failures, end)
    }
}

/// The repetition of the outputs of a run that are stored already.
struct StoredRepetition {
    /// The number of the last of them that is no failure.
    let last: Int
    /// The time of the run up to which they were made.
    let end: StreamTime
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
