import Foundation
import SluiceJSON
import SluiceStreams

extension RunSupervisor {
    /// The lag from which a run is behind, in seconds of the clock.
    static let noticedLag = 0.5
    /// The lag, beyond what was due when it began or resumed, at which a run fails whose document says so, in seconds.
    private static let failingLag = 1.0
    /// The time after which the lag of a run is published again, in nanoseconds.
    private static let lagInterval: Int64 = 1_000_000_000

    // MARK: Beginning

    func begin(isPaused: Bool = false, speed: Double? = nil) throws {
        let before = (runningProgram, isEditPending, watch)
        (runningProgram, isEditPending) = (program, false)
        // A compiled document is used once.
        program = program.withoutCompiled
        let run: StreamRun
        do { run = try makeRun() } catch {
            (runningProgram, isEditPending, watch) = before
            throw error
        }
        self.run?.close()
        self.run = nil
        status.run = max(status.run, lastRun)
        recorder.begin(status, at: environment.wallClock())
        environment.publisher.count(.begun)
        status.run += 1
        status.skipped = 0
        isEditExpected = false
        open(run, Pace(at: now, speed: speed ?? status.pace.speed, isPaused: isPaused), isNew: true)
        environment.publisher.publish(.began(afterFailure: failures > 0), of: status, runningProgram)
        environment.publisher.use(runningProgram.sinks, after: 0, of: status, keepsOthers: false)
        turn()
    }

    private func makeRun() throws -> StreamRun {
        let inputs = inputs
        let run = try makeRun(from: nil)
        run.endReplay { inputs.list.append($0) }
        return run
    }

    /// Makes a run that starts no source until it has replayed its journal.
    func makeRun(from checkpoint: StreamCheckpoint?) throws -> StreamRun {
        var host = environment.settings.host
        host.stream = stream
        host.stacks = NamedStacks(of: host.stacks, orElse: runningProgram.library)
        watch = StageWatch()
        watch.keptSize = environment.settings.memory.keptSize
        watch.isTracing = environment.publisher.hasSubscribers(of: stream)
        (measuredAt, stateSize) = (0, 0)
        turnBeginning.isEdited = false
        turnBeginning.instant = environment.scheduler.now()
        defer { turnBeginning.instant = environment.scheduler.now() }
        return try StreamRun(
            beforeReplayOf: runningProgram.takeCompiled(),
            from: checkpoint,
            watch: watch,
            host: host,
            limits: environment.settings.limits,
            interruption: makeInterruption(),
            onInput: turnRequest
        )
    }

    func open(_ run: StreamRun, _ pace: Pace, isNew: Bool) {
        self.run = run
        changeCount += 1
        (isRewinding, isTakenBack) = (false, false)
        repetition = nil
        turnBeginning.interruptedReplayCount = 0
        begun = now
        restartAt = nil
        status.revision = runningProgram.revision
        status.state = pace.isPaused ? .paused : .running
        status.pace = pace
        status.lag = nil
        status.error = nil
        status.stages = watch.stages
        allowedLag = lag(of: run, at: pace.time(at: now)).map { $0.seconds / pace.speed } ?? 0
        environment.publisher.publish(status, isNewRun: isNew)
        recorder.touch()
    }

    // MARK: Turns

    /// Does what the scheduler or the timer has called for.
    func takeTurn() {
        guard !isClosed else { return }
        noteStoring()
        if run == nil {
            publishValues([])  // of the run that has ended, for somebody who subscribes now
            if isDraining, isDrained() { saveSoon() }
        }
        let isWaiting = status.state == .restarting || isRewinding && status.state == .running
        guard isWaiting else { return turn() }
        guard let restartAt, now >= restartAt else { return }
        self.restartAt = nil
        environment.perform { [self] in
            await restart()
            await rewind()
        }
    }

    /// Does what is due by now, for a quantum at most, publishes it, and sets the timer for what comes next.
    ///
    /// There is one chain of turns: where something is left, one more turn is asked for, however many asked for this one.
    func turn() {
        guard let run, status.state == .running || status.state == .paused, !isClosed else { return }
        defer { noteFigures(after: environment.scheduler.now() - turnBeginning.instant) }
        if isDraining {
            // The checkpoint comes before further outputs.
            guard environment.publisher.isDrained(stream) else { return }
            isDraining = false
            saveSoon()
        }
        if let repetition { return repeatStored(repetition, in: run) }
        if turnBeginning.isEdited { saveSoon() }
        let scheduler = environment.scheduler
        turnBeginning.instant = scheduler.now()
        let end = turnBeginning.instant + scheduler.quantum
        let time = status.pace.time(at: now)
        watch.isTracing = environment.publisher.hasSubscribers(of: stream)
        watch.keptSize = environment.settings.memory.keptSize
        skipOverdue(in: run, at: time)
        var (isEnded, isDone) = (false, false)
        var reports: [StreamEvent<JSON>] = []
        while hasRoom {
            if run.isInterrupted { break }
            if let event = run.next() {
                take(event, of: run, &reports)
                isEnded = event.isLast
                if isEnded { break }
            } else if run.isEnded {
                isDone = true
                break
            } else if let due = run.nextDue, due <= time {
                run.advance(to: due)
                recorder.progress()
            } else if status.pace.isPaused || !run.letIn(at: time) {
                isDone = true
                break
            }
            if scheduler.now() >= end { break }
        }
        if run.isInterrupted {
            // It keeps what it has taken.
            run.endDeliveries(areTaken: true)
            return discard(run)
        }
        recorder.take(inputs, noting: run.takeStoreNotes())
        run.endDeliveries(areTaken: true)
        publishValues(reports)
        if isEnded { return finish() }
        noteLag(of: run, at: time)
        noteWaiting(of: run)
        if let error = excess(of: run) { return failNow(run, error) }
        if let lag = status.lagSeconds, fails(at: lag) {
            let text =
                "the stream is \(String(format: "%.1f", lag)) seconds behind, and \"behind\" is \"fail\": give it less to do, or \"slow\" or \"skip\""
            run.fail(StreamError(message: text))
            return requestTurn()
        }
        if isDone {
            wake(at: run.nextDue.flatMap { status.pace.instant(of: $0) })
        } else if hasRoom {
            requestTurn()
        }
        saveSoon()
    }

    /// A Boolean value that indicates whether the store and the subscribers can take more outputs. If not, the run waits,
    /// and nothing is lost.
    private var hasRoom: Bool {
        !recorder.isFull && environment.publisher.hasRoom(for: stream)
    }

    func take(_ event: StreamEvent<JSON>, of run: StreamRun, _ reports: inout [StreamEvent<JSON>]) {
        while recorder.isSkipped(run.outputs) { run.skipOutputNumber() }
        environment.publisher.publish(event, number: run.outputs, of: status)
        switch event.kind {
        case .value: turnFigures.itemsOut += 1
        case .reported:
            turnFigures.reported += 1
            reports.append(event)
        case .completed: break
        case .failed(let error):
            status.error = error.description
            // A run that is restarted has not ended: the number belongs to the output that comes after it has resumed.
            if environment.settings.restart != .never { return }
        }
        if environment.settings.isDurable { recorder.take(event, number: run.outputs) }
    }

    /// Adds what the run has done to the figures of the stream.
    ///
    /// - Parameter time: the time that a turn has taken, in nanoseconds.
    private func noteFigures(after time: Int64 = 0) {
        turnFigures.itemsIn = watch.takeItemCount()
        turnFigures.turnTime = max(0, time)
        turnFigures.stateSize = run == nil ? 0 : stateSize
        figures.add(turnFigures)
        turnFigures = RunFigures.Counts()
    }

    /// Notes how late the run is, and publishes it where it is behind.
    private func noteLag(of run: StreamRun, at time: StreamTime) {
        let lag = lag(of: run, at: time)
        let isBehind = lag.map { $0.seconds / status.pace.speed >= Self.noticedLag } ?? false
        let wasBehind = status.lag != nil
        status.lag = isBehind ? lag : nil
        if !isBehind, !wasBehind { return }
        if isBehind == wasBehind, let lagPublishedAt, now - lagPublishedAt < Self.lagInterval { return }
        lagPublishedAt = isBehind ? now : nil
        if !isBehind { allowedLag = 0 }
        environment.publisher.publish(status, isNewRun: false)
    }

    /// Notes the sources that can't be reached, and publishes a change.
    private func noteWaiting(of run: StreamRun) {
        let reasons = run.waitingSources
        let waiting = reasons.isEmpty ? nil : reasons.joined(separator: "\n")
        if status.waiting == waiting { return }
        status.waiting = waiting
        environment.publisher.publish(status, isNewRun: false)
    }

    /// Returns the lag of the run, where something is overdue.
    private func lag(of run: StreamRun, at time: StreamTime) -> StreamTime? {
        guard !status.pace.isPaused, let due = run.nextDue, due < time else { return nil }
        return StreamTime(time.duration - due.duration)
    }

    /// Leaves out overdue ticks, where the run is behind and its document asks for that.
    private func skipOverdue(in run: StreamRun, at time: StreamTime) {
        guard runningProgram.document.behind == .skip, let lag = lag(of: run, at: time),
            lag.seconds / status.pace.speed >= Self.noticedLag
        else { return }
        let count = run.skipOverdue(at: time)
        if count == 0 { return }
        status.skipped += count
        environment.publisher.count(.skipped(count))
        publishStatus()  // as seldom as the run is behind: twice a second at most
    }

    /// Returns a Boolean value that indicates whether the document has the run fail at a lag of `seconds`. What came due
    /// while the run was away is no reason.
    private func fails(at seconds: Double) -> Bool {
        allowedLag = min(allowedLag, seconds)
        return runningProgram.document.behind == .fail && hasRoom && seconds >= allowedLag + Self.failingLag
    }

    func publishValues(_ reports: [StreamEvent<JSON>]) {
        let output = max(0, status.stages.count - 1)
        for report in reports {
            watch.add(StageWatch.Mark(stage: output, mark: .init(time: report.time, kind: report.kind)))
        }
        // Without subscribers, the marks are kept as they are, which costs next to nothing.
        guard environment.publisher.hasSubscribers(of: stream) else {
            if !environment.publisher.keepsMarks { watch.discard() }
            return
        }
        let marks = watch.take()
        if !marks.isEmpty { environment.publisher.publish(marks, of: stream) }
    }

    // MARK: Ending

    func finish() {
        guard let error = status.error else { return end(.completed) }
        environment.publisher.count(.failed)
        turnFigures.failures += 1
        failed(error)
    }

    /// Ends a run that has failed, or has it wait for its next attempt.
    func failed(_ error: String) {
        let policy = environment.settings.restart
        var goodTime: Int64 = 0
        if case .onFailure(_, let most, _) = policy { goodTime = most.inNanoseconds }
        failures = now - begun > goodTime ? 1 : failures + 1
        status.error = error
        guard let wait = policy.wait(after: failures) else { return end(.failed) }
        close(.restarting)
        publishStatus()
        // The waits of many that fail at once are spread a little.
        let instant = now.advanced(byClamping: Int64(Double(wait.inNanoseconds) * Double.random(in: 0.9...1.1)))
        restartAt = instant
        wake(at: instant)
        saveSoon()
    }

    func end(_ state: RunState) {
        close(state)
        publishStatus()
        saveSoon()
    }

    func close(_ state: RunState) {
        settlePace()
        status.pace.pause(at: now)
        // The time of a run that has ended is that of its last event; one that is restarted continues.
        if state != .restarting, let run, run.isEnded { status.pace.move(to: run.time, at: now) }
        changeCount += 1
        status.state = state
        status.lag = nil
        status.waiting = nil
        restartAt = nil
        (isRewinding, isTakenBack) = (false, false)
        run?.close()
        run = nil
        environment.settings.memory.remove(ObjectIdentifier(self))
        noteFigures()
        wake(at: nil)
    }
}
