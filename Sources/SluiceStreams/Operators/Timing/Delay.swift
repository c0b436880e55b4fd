public import Sluice
import SluiceJSON

extension Flow {
    /// Emits each value later. An error is not delayed, and completion waits only for the values.
    ///
    /// One timer serves all waiting values.
    @inlinable
    public func delay(for duration: Duration) -> Flow {
        let duration = StreamTime(duration)
        return Flow { [subscribe] scope, sink in
            let run = scope.run
            let cell = scope.cell(DelayState<Value>())
            let holding = scope.holding(for: sink.lifetime)
            var timer: Timer?
            func armNext() {
                guard let next = cell.state.waiting.first, let timer else { return }
                run.arm(timer, at: Swift.max(next.due, run.now), order: next.order)
            }
            let former = cell.state.duration ?? duration
            cell.state.duration = duration
            timer = scope.timer(for: sink.lifetime) {
                guard let next = cell.state.waiting.popFirst() else { return }
                holding.add(-1)
                armNext()
                sink.receive(next.value)
                if cell.state.isCompleted && cell.state.waiting.isEmpty { sink.finish(.completed) }
            }
            if former != duration {
                // An edit moves the waiting values by the change of the delay; a value that would be in the past is due
                // now.
                cell.state.waiting = cell.state.waiting.moved(by: duration.nanoseconds - former.nanoseconds)
                armNext()
                if let first = cell.state.waiting.first, first.due <= run.now { scope.node?.noteDueNow() }
            }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    if case .completed = end, !cell.state.waiting.isEmpty {
                        cell.state.isCompleted = true
                    } else {
                        sink.finish(end)
                    }
                },
                receive: { value in
                    guard let due = run.due(in: duration) else { return }
                    let isFirst = cell.state.waiting.isEmpty
                    cell.state.waiting.append(Delayed(value: value, due: due, order: run.reserve()))
                    holding.add(1)
                    if isFirst { armNext() }
                }
            )
            subscribe(scope, input)
        }
    }
}

/// The waiting values of a delay.
@usableFromInline struct DelayState<Value> {
    @usableFromInline var waiting = Deque<Delayed<Value>>()
    @usableFromInline var isCompleted = false
    /// The delay of the waiting values; `nil` in checkpoints of version 1.
    @usableFromInline var duration: StreamTime?

    @inlinable init() {}
}

@usableFromInline struct Delayed<Value> {
    @usableFromInline let value: Value
    @usableFromInline let due: StreamTime
    @usableFromInline let order: Int64

    @inlinable init(value: Value, due: StreamTime, order: Int64) {
        self.value = value
        self.due = due
        self.order = order
    }
}

extension Deque {
    /// Returns the values with other times; times before the start are moved to the start.
    @usableFromInline func moved<Value>(by nanoseconds: Int64) -> Deque where Element == Delayed<Value> {
        var moved = Deque()
        for item in all {
            let due = StreamTime(nanoseconds: Swift.max(0, item.due.nanoseconds + nanoseconds))
            moved.append(Delayed(value: item.value, due: due, order: item.order))
        }
        return moved
    }
}

extension DelayState: SavableState where Value: Savable {
    static var fields: [SavedField<Self>] {
        [
            SavedField("waiting", \.waiting),
            SavedField("isCompleted", \.isCompleted),
            SavedField("duration", \.savedDuration),
        ]
    }

    /// The nanoseconds of the delay, which are no instant of the run.
    private var savedDuration: Int64? {
        get { duration?.nanoseconds }
        set { duration = newValue.map { StreamTime(nanoseconds: Swift.max(0, $0)) } }
    }
}

extension Delayed: Savable where Value: Savable {
    init(saved json: JSON) throws {
        guard case .array(let parts) = json, parts.count == 3 else {
            throw StreamError.unreadable("a value, a time and a place in the order", json)
        }
        let order = try SavedOrder(saved: parts[2]).value
        self.init(value: try Value(saved: parts[0]), due: try StreamTime(saved: parts[1]), order: order)
    }

    var saved: JSON { [value.saved, due.saved, .int(order)] }
}

extension OperatorKind {
    static let delay = OperatorKind(
        "delay",
        summary: "Delays each value by some seconds",
        [.seconds()],
        migrations: [.adding("duration", [], to: "state")]
    ) { stage in stage.input.delay(for: stage.seconds().duration) }
}

extension Operator {
    /// Emits each value `seconds` later, from 0 to ``StreamTime/maximumSeconds``. An error is not delayed, and
    /// completion comes with the input's, or with the last value if that is later.
    ///
    /// ```marbles
    /// 1-2---|
    /// {"delay": {"seconds": 2}}
    /// --1-2-|
    /// ```
    public static func delay(seconds: Double) -> Operator { Operator(.delay, ["seconds": .double(seconds)]) }
}
