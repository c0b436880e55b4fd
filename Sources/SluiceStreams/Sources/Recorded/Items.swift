import SluiceExpressions
import SluiceJSON

extension SourceKind {
    /// Items, one after another, each with operators of its own that decide whether, when and as what it is passed on.
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
    /// An item begins when the one before it has completed: delays add up.
    static let stream = SourceKind(
        "stream",
        [Parameter(name: "items", form: .items)],
        bare: "items"
    ) { stage in stage.items }
}

extension Stage {
    /// The items of a `stream` source, one after another: each is armed when the one before it has been passed on.
    ///
    /// Items whose operators are the same share what was made of them, and delays are no more than numbers: a recording
    /// may be long.
    var items: Flow<CELValue> {
        guard case .items(let items) = arguments["items"] else { return .never }
        var recording = Recording()
        var known: [[Operator]: Int] = [:]
        for (index, item) in items.enumerated() {
            let path = place.path.appending(index)
            let value: CELValue
            do throws(CELError) { value = try CELValue(item.value) } catch {
                compiler.note(path.appending("value"), error.issues.first?.message ?? "\(error)")
                value = .null
            }
            if let delay = Self.delay(of: item.operators) {
                recording.items.append((value, .delay(delay)))
                continue
            }
            if known[item.operators] == nil {
                let flow = compiler.operators(
                    item.operators,
                    on: TypedFlow(.outerItem),
                    place.inside("", .dyn).at(path.appending("operators"))
                )
                known[item.operators] = recording.flows.count
                recording.flows.append(flow.flow)
            }
            recording.items.append((value, .flow(known[item.operators] ?? 0)))
        }
        return recording.flow
    }

    /// How long operators that are delays alone hold a value up, none at all among them; `nil` where there are others,
    /// or a delay is wrong.
    private static func delay(of operators: [Operator]) -> StreamTime? {
        var sum = StreamTime.zero
        for item in operators where !item.isDisabled {
            guard item.name == OperatorKind.delay.name, case .json(let json) = item.arguments["seconds"],
                let seconds = json.double, let time = StreamTime(seconds: seconds), let total = sum.adding(time)
            else { return nil }
            sum = total
        }
        return sum
    }
}

/// Values one after another, each with what happens to it first.
private struct Recording: Sendable {
    enum Step: Sendable {
        /// It waits.
        case delay(StreamTime)
        /// It passes the operators of the flow of this number.
        case flow(Int)
    }

    var items: [(value: CELValue, step: Step)] = []
    /// What operators make of the item that a stream was started for.
    var flows: [Flow<CELValue>] = []

    var flow: Flow<CELValue> {
        Flow { [self] scope, sink in
            let run = scope.run
            let position = Cell(0)
            let isStarting = Cell(false)
            var timer: Timer?
            // A loop, since an item that is passed on at once would nest the next within it.
            func start() {
                if isStarting.state { return }
                isStarting.state = true
                defer { isStarting.state = false }
                while !sink.isClosed {
                    let index = position.state
                    guard index < items.count else { return sink.finish(.completed) }
                    guard run.spend() else { return }
                    switch items[index].step {
                    case .delay(.zero):
                        position.state += 1
                        sink.receive(items[index].value)
                    case .delay(let duration):
                        if let due = run.due(in: duration), let timer { run.arm(timer, at: due) }
                        return
                    case .flow(let number):
                        let input = Sink<CELValue>(
                            lifetime: sink.lifetime.child(),
                            end: { end in
                                guard case .completed = end else { return sink.finish(end) }
                                position.state = index + 1
                                start()
                            },
                            receive: sink.receive
                        )
                        flows[number].subscribe(scope.inside(items[index].value), input)
                        if position.state == index { return }
                    }
                }
            }
            timer = run.timer(for: sink.lifetime) {
                let index = position.state
                position.state += 1
                sink.receive(items[index].value)
                start()
            }
            start()
        }
    }
}

extension Flow<CELValue> {
    /// The item that the stream was started for.
    fileprivate static var outerItem: Flow {
        Flow { scope, sink in
            if let value = scope.outer?.value { sink.receive(value) }
            sink.finish(.completed)
        }
    }
}
