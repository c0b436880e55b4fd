/// Runs a stream: synchronous, deterministic, pushed; time is an input.
///
/// A driver asks when something is due and moves the time there; what happens comes back as events. Nothing here
/// waits, locks, or knows a clock.
struct Engine<Value: Codable & Sendable>: Sendable {
    /// What is due: the item `index` has passed its first `passed` operators.
    private struct Step: Sendable {
        let index: Int
        let passed: Int
    }

    private let items: [StreamItem<Value>]
    private var queue = EventQueue<Step>()
    private var isEnded = false

    /// Makes an engine for the items of a stream: each is armed when the one before it has been passed on.
    init(_ items: [StreamItem<Value>]) {
        self.items = items
        queue.schedule(Step(index: 0, passed: 0), at: .zero)
    }

    /// When the next thing happens; `nil` when the run is over.
    var nextDue: StreamTime? { isEnded ? nil : queue.nextDue }

    /// Moves the time to `time`; earlier than before is as before.
    ///
    /// - Parameter emit: called for each event that is due by then, in order, before this returns.
    mutating func advance(to time: StreamTime, _ emit: (StreamEvent<Value>) -> Void) {
        while !isEnded, let (now, step) = queue.take(by: time) { run(step, at: now, emit) }
    }

    private mutating func run(_ step: Step, at now: StreamTime, _ emit: (StreamEvent<Value>) -> Void) {
        guard step.index < items.count else { return end(.completed, at: now, emit) }
        let item = items[step.index]
        guard step.passed < item.operators.count else {
            emit(StreamEvent(time: now, kind: .value(item.value)))
            return queue.schedule(Step(index: step.index + 1, passed: 0), at: now)
        }
        switch item.operators[step.passed] {
        case .delay(let seconds):
            guard let delay = StreamTime(seconds: seconds) else {
                let range = "from 0 to \(Int(StreamTime.maximumSeconds)) seconds"
                return fail(step, "a delay is \(range), and not \(seconds)", at: now, emit)
            }
            guard let due = now.adding(delay) else {
                return fail(step, "the stream is longer than time can be counted, 292 years", at: now, emit)
            }
            queue.schedule(Step(index: step.index, passed: step.passed + 1), at: due)
        }
    }

    private mutating func fail(
        _ step: Step,
        _ message: String,
        at now: StreamTime,
        _ emit: (StreamEvent<Value>) -> Void
    ) {
        let path = "stream[\(step.index)].operators[\(step.passed)].delay.seconds"
        end(.failed(StreamError(path: path, message: message)), at: now, emit)
    }

    private mutating func end(
        _ kind: StreamEvent<Value>.Kind,
        at now: StreamTime,
        _ emit: (StreamEvent<Value>) -> Void
    ) {
        isEnded = true
        emit(StreamEvent(time: now, kind: kind))
    }
}
