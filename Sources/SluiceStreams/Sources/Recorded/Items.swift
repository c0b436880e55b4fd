import SluiceExpressions
import SluiceJSON

extension SourceKind {
    /// Emits items one after another, each with operators of its own that decide whether, when, and in which form it is
    /// emitted.
    ///
    /// ```marbles
    /// {"stream": [
    ///     {"value": 1, "operators": [{"delay": {"seconds": 1}}]},
    ///     {"value": 2, "operators": [{"filter": {"expression": "x > 2"}}]},
    ///     {"value": 3, "operators": [{"delay": {"seconds": 2}}, {"map": {"expression": "x + 1"}}]}
    /// ]}
    /// -1-(4|)
    /// ```
    ///
    /// An item begins when the previous one has completed, so that delays add up.
    static let stream = SourceKind(
        "stream",
        summary: "Emits items one after another, each with its own delay or operators",
        [Parameter(name: "items", form: .items)],
        bare: "items"
    ) { stage in stage.items }
}

extension Stage {
    /// The items of a `stream` source, one after another: each is armed when the previous one has been emitted.
    ///
    /// Items with the same operators share their compiled form, and delays are stored as numbers, since a recording may
    /// be long.
    var items: Flow<CELValue> {
        guard case .items(let items) = arguments["items"] else { return .never }
        var recording = Recording()
        var known: [[Operator]: Int] = [:]
        for (index, item) in items.enumerated() {
            let path = scope.path.appending(index)
            let value: CELValue
            do throws(CELError) { value = try CELValue(item.value) } catch {
                compiler.note(path.appending("value"), error.issues.first?.message ?? "\(error)")
                value = .null
            }
            if let step = Self.plainStep(of: item.operators) {
                recording.items.append((value, step))
                continue
            }
            if known[item.operators] == nil {
                let flow = compiler.operators(
                    item.operators,
                    on: TypedFlow(compiler.staged(.outerItem, StageKey.source, "item")),
                    scope.inside("", .dyn).at(path.appending("operators"))
                )
                known[item.operators] = recording.flows.count
                recording.flows.append(compiler.nested(flow.flow, StageKey.item))
            }
            recording.items.append((value, .flow(known[item.operators] ?? 0)))
        }
        return recording.flow
    }

    /// Returns the step of an item without operators, or with a single delay; `nil` for other operators and for an
    /// invalid delay.
    private static func plainStep(of operators: [Operator]) -> Recording.Step? {
        let operators = operators.filter { !$0.isDisabled }
        guard let item = operators.first else { return .pass }
        guard operators.count == 1, item.name == OperatorKind.delay.name,
            case .json(let json) = item.arguments["seconds"], let seconds = json.double,
            let time = StreamTime(seconds: seconds)
        else { return nil }
        return .delay(time)
    }
}

/// Values one after another, each with the step before it is emitted.
private struct Recording: Sendable {
    enum Step: Sendable {
        /// It is emitted immediately.
        case pass
        /// It waits, and is emitted after everything that is due already at that instant.
        case delay(StreamTime)
        /// It passes the operators of the flow with this number.
        case flow(Int)
    }

    var items: [(value: CELValue, step: Step)] = []
    /// The streams of operators, applied to the item for which they are started.
    var flows: [Flow<CELValue>] = []

    var flow: Flow<CELValue> {
        Flow { [self] scope, sink in
            let run = scope.run
            let cell = scope.cell(ItemsState())
            let isStarting = Cell(false)
            var timer: Timer?
            // A loop, since an item that is emitted immediately would nest the next one within it.
            func start() {
                if isStarting.state { return }
                isStarting.state = true
                defer { isStarting.state = false }
                while !sink.isClosed {
                    let index = cell.state.next
                    guard index < items.count else { return sink.finish(.completed) }
                    guard run.spend() else { return }
                    cell.state.armed = run.now
                    switch items[index].step {
                    case .pass:
                        cell.state.next += 1
                        sink.receive(items[index].value)
                    case .delay(let duration):
                        if let due = run.due(in: duration), let timer { run.arm(timer, at: due) }
                        return
                    case .flow(let number):
                        subscribe(number, index)
                        if cell.state.next == index { return }
                    }
                }
            }
            /// - Parameter armed: The time at which the item was armed, if that is in the past.
            func subscribe(_ number: Int, _ index: Int, since armed: StreamTime? = nil) {
                let (now, isLate) = (run.now, Cell(armed != nil))
                let lifetime = sink.lifetime.child()
                func catchUp() {
                    if isLate.state { (isLate.state, run.now) = (false, now) }
                }
                let input = Sink<CELValue>(
                    lifetime: lifetime,
                    end: { end in
                        catchUp()
                        guard case .completed = end else { return sink.finish(end) }
                        lifetime.close()
                        scope.node?.forgetShared()
                        cell.state.next = index + 1
                        start()
                    },
                    receive: { value in
                        catchUp()
                        sink.receive(value)
                    }
                )
                // The waiting of the item's operators counts from its arming.
                if let armed { run.now = armed }
                flows[number].subscribe(scope.inside(items[index].value), input)
                catchUp()
            }
            timer = scope.timer(for: sink.lifetime) {
                let index = cell.state.next
                guard index < items.count else { return start() }
                if case .flow(let number) = items[index].step {
                    // An edit has given the armed item other operators.
                    return subscribe(number, index, since: cell.state.armed)
                }
                cell.state.next += 1
                sink.receive(items[index].value)
                start()
            }
            if scope.isRestoring { resume() } else { start() }
            /// Resumes the armed item; if an edit has changed it, its time counts from its arming.
            func resume() {
                guard let timer else { return }
                let (index, armed) = (cell.state.next, cell.state.armed)
                // It keeps its position in the order.
                func arm(at due: StreamTime) {
                    let isMoved = run.queue.due(of: timer) != due
                    if isMoved { run.arm(timer, at: due, order: timer.isArmed ? timer.armed : run.reserve()) }
                    if isMoved, due == run.now { scope.node?.noteDueNow() }
                }
                guard index < items.count else { return arm(at: run.now) }
                switch items[index].step {
                case .pass: arm(at: run.now)
                case .delay(let duration):
                    if let due = armed.adding(duration) { arm(at: max(due, run.now)) }
                case .flow(let number):
                    if scope.node?.hasSaved(StageKey.item) == true {
                        run.disarm(timer)
                        subscribe(number, index)
                    } else {
                        arm(at: run.now)
                    }
                }
            }
        }
    }
}

/// The position of one subscription of a `stream` source.
private struct ItemsState {
    /// The index of the armed item.
    var next = 0
    /// The time at which it was armed.
    var armed = StreamTime.zero
}

extension ItemsState: SavableState {
    static var fields: [SavedField<Self>] { [SavedField("next", \.next), SavedField("armed", \.armed)] }
}

extension Flow<CELValue> {
    /// The item for which the stream was started.
    fileprivate static var outerItem: Flow {
        Flow { scope, sink in
            if let value = scope.outer?.value { sink.receive(value) }
            sink.finish(.completed)
        }
    }
}
