import Foundation
import Logging
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceStore
import SluiceStreams

/// The one run of a stream in this hub: everybody sees the same.
///
/// It is driven by turns: at each, all is done that is due by now, and the timer is set for what comes next. Edits,
/// checkpoints and what people ask for come between two items.
actor HubRun {
    /// What a run is of.
    struct Program: Sendable {
        let document: StreamDocument
        let revision: Int
        let library: StreamLibrary
        /// The documents that it is compiled from, its own first, as they are stored with the run.
        var documents: [StoredStream] = []
        /// The number of changes that the hub's documents had seen: an older program doesn't replace a newer one.
        var generation = 0
        /// The document, compiled for one use.
        var compiled: CompiledDocument?

        /// Returns the compiled document, which is compiled unless that was done before.
        mutating func takeCompiled() throws(JSONErrors) -> CompiledDocument {
            defer { compiled = nil }
            if let compiled { return compiled }
            return try CompiledDocument(document, in: library)
        }
    }

    /// What all runs of a hub share.
    struct Surroundings: Sendable {
        let bus: EventBus
        let timer: CallTimer
        let store: any StreamStore
        let settings: HubSettings
        /// The time of day, for what is stored.
        let wallClock: @Sendable () -> Date
        let counters = HubCounters()
        /// Starts what nobody waits for: in tasks of its own.
        var perform: @Sendable (@escaping @Sendable () async -> Void) -> Void = { work in Task { await work() } }
    }

    let stream: String
    private let around: Surroundings
    private var program: Program
    private var status: RunStatus
    private var run: StreamRun?
    private var watch = StageWatch()
    private let inputs = TakenInputs()
    private var recorder: RunRecorder
    private var alarm: TimerAlarm?
    /// How often it has failed without a while between that went well.
    private var failures = 0
    private var begun: Int64 = 0
    private var isClosed = false
    /// What is being stored, or about to be.
    private var saving: Task<Void, Never>?
    private var isSaveSet = false
    private let ring = Ring()

    /// What one turn does at most, so that a stream that never rests leaves room for others.
    private static let eventsPerTurn = 1000

    init(_ stream: String, _ program: Program, _ around: Surroundings) {
        self.stream = stream
        self.program = program
        self.around = around
        status = RunStatus(stream: stream, pace: Pace(at: around.timer.now, isPaused: true))
        status.revision = program.revision
        recorder = RunRecorder(stream)
    }

    /// The run as it is told to those who ask.
    var json: JSON { status.json(at: now) }

    private var now: Int64 { around.timer.now }

    // MARK: What people ask for

    /// Begins the run, or begins it anew; one that is paused goes on.
    ///
    /// - Throws: `JSONErrors` for a document that cannot run.
    func start() throws {
        if status.state == .paused {
            status.pace.resume(at: now)
            status.state = .running
            tellStatus()
            return turn()
        }
        failures = 0
        try begin()
    }

    /// Ends the run.
    func stop() {
        guard status.state.goesOn || status.state == .failed else { return }
        turn()
        end(.idle)
    }

    /// Has time stand still.
    func pause() {
        guard status.state == .running else { return }
        turn()
        guard status.state == .running else { return }
        status.pace.pause(at: now)
        status.state = .paused
        tellStatus()
        turn()
    }

    /// Goes to the next thing that is due, and pauses there; begins a run that has not begun.
    ///
    /// - Throws: `JSONErrors` for a document that cannot run.
    func step() throws {
        if !status.state.goesOn { try begin(isPaused: true) } else { pause() }
        guard status.state == .paused, let run, let due = run.nextDue else { return }
        status.pace.move(to: max(due, status.pace.time(at: now)), at: now)
        run.advance(to: due)
        tellStatus()
        turn()
    }

    /// Changes how fast time goes.
    func change(speed: Double) {
        if status.state == .running { turn() }
        status.pace.change(speed: speed, at: now)
        tellStatus()
        turn()
    }

    /// Forgets the run: its state and its output.
    func reset() async throws {
        close(.idle)
        status.error = nil
        status.stages = []
        recorder = RunRecorder(stream)
        try await around.store.forgetRun(of: stream)
        around.bus.tell(status, isNew: true)
    }

    /// Returns what ``edit(to:)`` would do to the run as it is now; `nil` where nothing runs.
    ///
    /// - Throws: `JSONErrors` for a document that can't run.
    func plan(to program: Program) throws -> StreamPlan? {
        guard let run, status.state == .running || status.state == .paused else { return nil }
        var program = program
        return try run.plan(to: program.takeCompiled())
    }

    /// Puts another revision, or other streams that it refers to, in place of what runs; where nothing runs it is for the
    /// next start.
    ///
    /// - Throws: `JSONErrors` for a document that cannot run; the old one runs on.
    @discardableResult
    func edit(to program: Program) throws -> StreamPlan? {
        // A newer one was faster.
        guard program.revision >= self.program.revision, program.generation >= self.program.generation else {
            return nil
        }
        guard let run, status.state == .running || status.state == .paused else {
            self.program = program
            self.program.compiled = nil
            if !status.state.goesOn { status.revision = program.revision }
            tellStatus()
            return nil
        }
        turn()
        guard status.state == .running || status.state == .paused else { return try edit(to: program) }
        run.advance(to: max(run.time, status.pace.time(at: now)))
        var program = program
        let plan = try run.edit(to: program.takeCompiled())
        self.program = program
        status.revision = program.revision
        // What was told of other stages is nothing for a page that opens now.
        if status.stages != watch.stages { around.bus.forgetValues(of: stream) }
        status.stages = watch.stages
        tellStatus()
        turn()
        return plan
    }

    /// Ends it for good, since the stream is gone or the hub ends; what it has done is stored first.
    func shutDown() async {
        isClosed = true
        if status.state == .running { turn() }
        alarm.map(around.timer.cancel)
        await save()
        run?.close()
        run = nil
    }

    // MARK: Going on

    /// Goes on where the hub was when it ended, or was killed.
    ///
    /// - Throws: where the checkpoint cannot be read.
    func resume(_ stored: StoredRun, journal: [StreamInput]) throws {
        let away = stored.isPaused ? 0 : max(0, around.wallClock().timeIntervalSince(stored.savedAt))
        status.run = stored.run
        recorder.resume(stored)
        failures = stored.error == nil ? 0 : 1
        guard let text = stored.checkpoint, stored.state != RunState.restarting.rawValue else {
            return try begin(isPaused: stored.isPaused, speed: stored.speed)
        }
        let checkpoint = try StreamCheckpoint(parsing: text)
        let run = try makeRun(from: checkpoint, replaying: journal)
        let left = StreamTime(max(checkpoint.time, run.time).duration + .seconds(min(away, 1e8) * stored.speed))
        open(run, Pace(left, at: now, speed: stored.speed, isPaused: stored.isPaused), isNew: true)
        turn()
    }

    /// It cannot run, and says so.
    func fail(_ error: String) {
        status.error = error
        end(.failed)
    }

    /// A hub that was ended while the stream had already come to its end tells it so.
    func recall(_ stored: StoredRun) {
        status.run = stored.run
        status.revision = stored.revision
        status.state = RunState(rawValue: stored.state) ?? .idle
        status.error = stored.error
        recorder.resume(stored)
        around.bus.tell(status, isNew: true)
    }

    private func begin(isPaused: Bool = false, speed: Double? = nil) throws {
        run?.close()
        run = nil
        let run = try makeRun()
        recorder.begin(status, at: around.wallClock())
        around.counters.count { $0.runsBegun += 1 }
        status.run += 1
        begun = now
        open(run, Pace(at: now, speed: speed ?? status.pace.speed, isPaused: isPaused), isNew: true)
        turn()
    }

    private func makeRun(from checkpoint: StreamCheckpoint? = nil, replaying: [StreamInput] = []) throws -> StreamRun {
        let inputs = inputs
        watch = StageWatch()
        return try StreamRun(
            driving: program.takeCompiled(),
            from: checkpoint,
            replaying: replaying,
            journal: { inputs.list.append($0) },
            watch: watch,
            host: around.settings.host,
            limits: StreamLimits(eventsPerInstant: around.settings.limits.eventsPerInstant),
            onRing: { [ring, turn = later({ await $0.ringTurn() })] in if ring.isFirst() { turn() } }
        )
    }

    private func open(_ run: StreamRun, _ pace: Pace, isNew: Bool) {
        self.run = run
        status.revision = program.revision
        status.state = pace.isPaused ? .paused : .running
        status.pace = pace
        status.error = nil
        status.stages = watch.stages
        around.bus.tell(status, isNew: isNew)
        recorder.touch()
    }

    private func ringTurn() {
        ring.take()
        turn()
    }

    /// Does all that is due by now, tells of it, and sets the timer for what comes next.
    private func turn() {
        guard let run, status.state == .running || status.state == .paused, !isClosed else { return }
        var left = Self.eventsPerTurn
        let time = status.pace.time(at: now)
        var isEnded = false
        var reports: [StreamEvent<JSON>] = []
        // Where the store does not take its output it stands still, and nothing is lost.
        while left > 0, !recorder.isFull {
            left -= 1
            if let event = run.next() {
                recorder.take(event, number: run.outputs)
                if case .failed(let error) = event.kind { status.error = error.description }
                if case .reported = event.kind { reports.append(event) }
                isEnded = event.isLast
                continue
            }
            if run.isEnded { break }
            if let due = run.nextDue, due <= time {
                run.advance(to: due)
                recorder.progress()
            } else if status.pace.isPaused || !run.letIn(at: time) {
                break
            }
        }
        recorder.take(inputs)
        tellValues(reports)
        if isEnded { return finish() }
        if left == 0 {
            around.perform { await self.turn() }  // after others
        } else if !recorder.isFull {
            wake(at: run.nextDue.flatMap { status.pace.instant(of: $0) })
        }
        saveSoon()
    }

    private func finish() {
        if let error = status.error {
            around.counters.count { $0.runsFailed += 1 }
            failures = now - begun > Self.goodWhile(around.settings.restart) ? 1 : failures + 1
            if let wait = around.settings.restart.wait(after: failures) {
                status.error = error
                close(.restarting)
                tellStatus()
                // The waits of many that fail at once are spread a little.
                wake(at: now + Int64(Double(wait.nanoseconds) * Double.random(in: 0.9...1.1)))
                return saveSoon()
            }
            end(.failed)
        } else {
            end(.completed)
        }
    }

    private static func goodWhile(_ policy: RestartPolicy) -> Int64 {
        if case .onFailure(_, let most) = policy { most.nanoseconds } else { 0 }
    }

    private func end(_ state: RunState) {
        close(state)
        tellStatus()
        saveSoon()
    }

    private func close(_ state: RunState) {
        status.pace.pause(at: now)
        status.state = state
        run?.close()
        run = nil
        wake(at: nil)
    }

    // MARK: Telling

    private func tellStatus() {
        recorder.touch()
        around.bus.tell(status)
    }

    /// Tells what passed between the stages, and what was left out at the output.
    private func tellValues(_ reports: [StreamEvent<JSON>]) {
        let output = max(0, status.stages.count - 1)
        let marks =
            watch.take() + reports.map { StageWatch.Mark(stage: output, mark: .init(time: $0.time, kind: $0.kind)) }
        if marks.isEmpty { return }
        let stream = JSON.string(stream).description
        around.bus.tell(marks.map { $0.value(of: stream) }, of: self.stream)
    }

    // MARK: Time

    private func wake(at instant: Int64?) {
        if let alarm { around.timer.cancel(alarm) }
        alarm = nil
        guard let instant else { return }
        let alarm = TimerAlarm(later { await $0.wakeUp() })
        self.alarm = alarm
        around.timer.schedule(alarm, at: instant)
    }

    /// What starts work on the run, unless it is gone.
    private nonisolated func later(_ work: @escaping @Sendable (HubRun) async -> Void) -> @Sendable () -> Void {
        { [weak self, perform = around.perform] in
            guard let self else { return }
            perform { await work(self) }
        }
    }

    private func wakeUp() {
        guard !isClosed else { return }
        guard status.state == .restarting else { return turn() }
        do { try begin() } catch {
            status.error = "\(error)"
            end(.failed)
        }
    }

    // MARK: Storing

    private func saveSoon() {
        guard around.settings.isDurable, !isClosed, !isSaveSet, recorder.isDue(at: now) else { return }
        isSaveSet = true
        let alarm = TimerAlarm(later { await $0.saveNow() })
        around.timer.schedule(alarm, at: now.advanced(byClamping: recorder.wait(at: now)))
    }

    private func saveNow() async {
        await save()
        isSaveSet = false
        if isClosed { return }
        // What stood still for want of room goes on, and what came meanwhile is stored next.
        turn()
        saveSoon()
    }

    /// Stores what there is, after what is being stored.
    func save() async {
        guard around.settings.isDurable else { return }
        while let saving { await saving.value }
        let task = Task { await write() }
        saving = task
        await task.value
    }

    private func write() async {
        defer { saving = nil }
        guard status.run > 0 else { return }
        let wasFailing = recorder.isFailing
        var (text, time): (String?, Date) = (nil, around.wallClock())
        if let run, recorder.wantsCheckpoint(at: now) {
            // What is due belongs before the checkpoint, whose time is then the time of day that is stored with it.
            let due = status.pace.time(at: now)
            if run.nextDue.map({ $0 > due }) ?? true { run.advance(to: max(run.time, due)) }
            time -= lag(run)
            text = run.checkpoint().text
        }
        for commit in recorder.batch(status, checkpoint: text, savedAt: time, documents: program.documents) {
            do {
                try await around.store.commit(commit)
                recorder.stored(commit, at: now)
                around.counters.count { $0.batchesStored += 1 }
            } catch let error as StoreError where commit.run != status.run && error.isOfTheCommit {
                recorder.stored(commit, at: now)  // of a run that is over, and never to be stored
            } catch {
                recorder.failed(at: now)
                around.counters.count { $0.storeFailures += 1 }
                if !wasFailing { around.settings.logger.error("\(stream): what it gave is not stored: \(error)") }
                status.warning = "what it gives is not stored: \((error as? StoreError)?.reason ?? "\(error)")"
                if !wasFailing { around.bus.tell(status) }
                return
            }
        }
        if wasFailing {
            status.warning = nil
            around.bus.tell(status)
        }
    }

    /// How far the time of the run is behind that of its pace, in seconds of the day.
    private func lag(_ run: StreamRun) -> Double {
        guard status.state == .running else { return 0 }
        return max(0, (status.pace.time(at: now).seconds - run.time.seconds) / status.pace.speed)
    }
}

/// Lets one of many rings through until it has been heard.
private final class Ring: Sendable {
    private let isRung = Locked(false)

    /// Whether nobody has rung since the last was heard.
    func isFirst() -> Bool {
        isRung.withLock { isRung in
            defer { isRung = true }
            return !isRung
        }
    }

    func take() { isRung.withLock { $0 = false } }
}

/// What a run took from the outside world since it was last looked at; used on the run's turn alone.
final class TakenInputs {
    var list: [StreamInput] = []
}

extension StoreError {
    /// Whether the same will never be taken.
    fileprivate var isOfTheCommit: Bool {
        switch kind {
        case .missing, .staleRun, .outputGap: true
        default: false
        }
    }
}

extension StageWatch.Mark {
    /// The mark as an event; `stream` is the id as JSON.
    func value(of stream: String) -> EventBus.Value {
        let head = #"{"stream": \#(stream), "stage": \#(stage), "time": \#(mark.time)"#
        switch mark.kind {
        case .value(let value):
            let data = #"\#(head), "value": \#(value), "origins": \#(mark.origins)}"#
            return EventBus.Value(event: "value", data: data, time: mark.time)
        case .completed: return EventBus.Value(event: "completed", data: head + "}", time: mark.time)
        case .reported(let error), .failed(let error):
            let event = mark.kind.isEnd ? "failed" : "reported"
            let data = #"\#(head), "error": \#(JSON.string(error.description))}"#
            return EventBus.Value(event: event, data: data, time: mark.time)
        }
    }
}
