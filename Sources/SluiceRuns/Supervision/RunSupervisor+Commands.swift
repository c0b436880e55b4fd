import SluiceJSON
package import SluiceStreams

/// Requests of people and programs. Each takes effect at once, also where the run can't keep up.
extension RunSupervisor {
    /// Begins a new run.
    ///
    /// - Throws: `JSONErrors` for a document that can't run.
    package func start() throws {
        failures = 0
        try begin()
    }

    /// Continues: a run that is paused goes on, and one that has failed or was stopped goes on from its last checkpoint.
    /// If there is no checkpoint, a new run begins. Where the checkpoint is large, the run is restored after this returns, and
    /// fails if it can't be.
    ///
    /// - Throws: ``RunError`` for a run that has completed; `JSONErrors` for a document that can't run; `StoreError`.
    package func resume() async throws {
        switch status.state {
        case .running: return
        case .paused where run == nil:
            // It was interrupted for the pause, or is being replayed to pause: this continues it instead.
            changeCount += 1
            try await resumeFromCheckpoint()
        case .paused:
            status.pace.resume(at: now)
            status.state = .running
            publishStatus()
            return turn()
        case .completed: throw RunError.completed(stream: stream)
        case .idle, .failed, .restarting, .blocked:
            failures = 0
            try await resumeFromCheckpoint(answersEarly: true)
        }
    }

    /// Ends the run.
    package func stop() {
        guard status.state.goesOn || status.state == .failed else { return }
        turn()
        if status.state == .completed { return }
        recorder.touchIfProgressed()
        saveSoon()  // with a checkpoint, while there is a run
        end(.idle)
    }

    /// Pauses the time of the run. One that is behind stays where it is: what is overdue comes after it has resumed. One whose reset was
    /// refused goes on first, up to the time of the pause.
    package func pause() async {
        // A run that is being read from the store is not opened.
        if run == nil, status.state == .running || status.state == .paused { changeCount += 1 }
        guard status.state == .running else { return }
        turn()
        guard status.state == .running else { return }
        settlePace()
        status.pace.pause(at: now)
        status.state = .paused
        status.lag = nil
        publishStatus()
        guard run == nil, isTakenBack else { return turn() }
        // If the store can't be read now, the next command opens the run.
        try? await resumeFromCheckpoint(isPaused: true)
    }

    /// Moves to the next thing that is due, and pauses there; begins a run that has not begun.
    ///
    /// - Throws: `JSONErrors` for a document that can't run; ``RunError`` and `StoreError` where the run was interrupted by
    ///   its pause, and can't be read.
    package func step() async throws {
        if status.state == .paused, run == nil {
            // It was interrupted for the pause, or is being replayed to pause: this continues it instead.
            changeCount += 1
            try await resumeFromCheckpoint(isPaused: true)
        } else if !status.state.goesOn || status.state == .restarting {
            try begin(isPaused: true)
        } else {
            await pause()
        }
        guard status.state == .paused, let run, let due = run.nextDue else { return }
        status.pace.move(to: max(due, status.pace.time(at: now)), at: now)
        turnBeginning.instant = environment.scheduler.now()
        run.advance(to: due)
        if run.isInterrupted { return discard(run) }
        publishStatus()
        turn()
    }

    /// Changes the speed at which time passes.
    package func change(speed: Double) {
        if status.state == .running { turn() }
        if status.state == .running { settlePace() }
        status.pace.change(speed: speed, at: now)
        publishStatus()
        turn()
    }

    /// Discards the run: its state and its output. Where the store refuses that, the run goes on from its last checkpoint.
    ///
    /// - Throws: `StoreError`.
    package func reset() async throws {
        recorder.take(inputs)
        recorder.setAside(status)
        // A run that is begun meanwhile is stored after the store has forgotten this one.
        recorder.hold()
        close(.idle)
        status.error = nil
        status.warning = nil
        status.stages = []
        storeFailure = nil
        let forgotten = status.run
        defer { environment.commits.add(recorder) }
        let closing = changeCount
        do {
            try await environment.commits.betweenBatches { [stream, recorder, store = environment.store] in
                defer { recorder.release() }
                try await store.forgetRun(of: stream)
                recorder.forgetSetAside()
            }
        } catch {
            // Unless another one was begun meanwhile.
            if changeCount == closing, run == nil, !isClosed, let before = recorder.takeBack(after: error) {
                goOn(from: before)
            }
            throw error
        }
        environment.publisher.forgetOutputs(of: stream, upTo: forgotten)
        if run == nil { environment.publisher.publish(status, isNewRun: true) }
    }

    /// Has a run go on that was to be discarded, since the store has not forgotten it.
    ///
    /// - Parameter before: The status that the run had.
    private func goOn(from before: RunStatus) {
        (status.state, status.pace, status.error, status.stages) = (
            before.state, before.pace, before.error, before.stages
        )
        switch before.state {
        case .running:
            (isRewinding, isTakenBack) = (true, true)
            environment.perform { [self] in await rewind() }
        case .restarting: resumeLater()
        case .paused, .idle, .completed, .failed: saveSoon()
        case .blocked: break
        }
        noteStoring()
        environment.publisher.publish(status, isNewRun: false)
    }

    /// Returns what ``edit(to:)`` would do to the run as it is now; `nil` where nothing runs.
    ///
    /// - Throws: `JSONErrors` for a document that can't run.
    package func plan(to program: RunProgram) throws -> StreamPlan? {
        guard let run, status.state == .running || status.state == .paused else { return nil }
        var program = program
        return try run.plan(to: program.takeCompiled())
    }

    /// Replaces the document that runs, or those that it refers to; where nothing runs, for the next start.
    ///
    /// The run does the work that is due first. If the run is behind, the edit applies at the run's own time.
    ///
    /// - Throws: `JSONErrors` for a document that can't run; the old one continues.
    @discardableResult
    package func edit(to program: RunProgram) throws -> StreamPlan? {
        // A newer one was faster.
        guard (program.generation, program.revision) >= (self.program.generation, self.program.revision) else {
            return nil
        }
        guard run != nil, status.state == .running || status.state == .paused else {
            return adopt(program)
        }
        turn()
        guard let run, status.state == .running || status.state == .paused else { return adopt(program) }
        // It comes after the outputs that are stored already.
        if repetition != nil { return adopt(program) }
        if !isBehind(run) { run.advance(to: max(run.time, status.pace.time(at: now))) }
        if run.isInterrupted {
            discard(run)
            return adopt(program)
        }
        if takeEvents(of: run) {
            finish()
            return adopt(program)
        }
        let plan = try replace(program, in: run)
        // The caller waits neither for the instant that the edit makes due nor for a checkpoint of a large state.
        requestTurn()
        return plan
    }

    /// Publishes the events that the run has produced, so that they belong to the document that has produced them.
    ///
    /// - Returns: A Boolean value that indicates whether the run has ended.
    private func takeEvents(of run: StreamRun) -> Bool {
        var reports: [StreamEvent<JSON>] = []
        var isEnded = false
        while !isEnded, let event = run.next() {
            take(event, of: run, &reports)
            isEnded = event.isLast
        }
        publishValues(reports)
        return isEnded
    }

    /// Replaces the document as ``edit(to:)`` does, and has the stream run by it: where nothing runs, a run that has failed
    /// resumes, and otherwise a new one begins.
    ///
    /// - Parameter isLast: A Boolean value that indicates whether no run follows one that has completed.
    /// - Throws: `JSONErrors` for a document that can't run; the old one continues.
    package func take(_ program: RunProgram, isLast: Bool = false) async throws {
        if isLast, status.state == .completed { return }
        if try edit(to: program) != nil || status.state == .running || status.state == .paused { return }
        if isLast, status.state == .completed { return }
        // It was compiled for this start.
        self.program = program
        switch status.state {
        case .failed, .restarting:
            do { try await resume() } catch let errors as JSONErrors { throw errors } catch  where error.isOfTheStore {
                // Its state is not lost.
                if status.state == .failed {
                    status.state = .restarting
                    publishStatus()
                }
                if status.state == .restarting { resumeLater() }
            } catch {
                environment.log("\(stream): the run can't be resumed, and a new one begins: \(error)")
                try start()
            }
        default: try start()
        }
    }

    /// Puts a program in the place of the one that runs, where the run is.
    @discardableResult
    func replace(_ program: RunProgram, in run: StreamRun) throws -> StreamPlan {
        var program = program
        let plan = try run.edit(to: program.takeCompiled())
        (self.program, runningProgram, isEditPending) = (program, program, false)
        isEditExpected = false
        status.revision = program.revision
        // A page that opens now has no use for the values of the old stages.
        if status.stages != watch.stages {
            watch.discard()
            environment.publisher.discardValues(of: stream)
        }
        status.stages = watch.stages
        environment.publisher.publish(.edited(plan), of: status, runningProgram)
        environment.publisher.use(program.sinks, after: run.outputs, of: status, keepsOthers: false)
        publishStatus()
        // The next turn begins with a checkpoint, to which an instant that takes long can go back.
        turnBeginning.isEdited = true
        recorder.touch()
        return plan
    }

    private func adopt(_ program: RunProgram) -> StreamPlan? {
        (self.program, isEditPending) = (program.withoutCompiled, true)
        isEditExpected = false
        if !status.state.goesOn { status.revision = program.revision }
        publishStatus()
        return nil
    }

    /// Returns a Boolean value that indicates whether something that is due is not done yet.
    private func isBehind(_ run: StreamRun) -> Bool {
        run.nextDue.map { $0 <= status.pace.time(at: now) } ?? false
    }

    /// Has the pace go on from where the run is, where the run is behind: its time falls back, and nothing is lost.
    func settlePace() {
        guard let run, isBehind(run) else { return }
        status.pace.move(to: run.time, at: now)
        status.lag = nil
    }
}

/// The reason why a run can't do what it was asked for.
package enum RunError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The run has come to its end.
    case completed(stream: String)
    /// The store does not accept the output of the run.
    case notStored(reason: String)

    /// The reason, and what to do.
    package var description: String {
        switch self {
        case .completed(let stream): "the run of '\(stream)' has completed: start a new one"
        case .notStored(let reason): reason
        }
    }
}
