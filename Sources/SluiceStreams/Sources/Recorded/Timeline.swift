/// The events of a recording, with their times from its start.
struct Timeline<Value> {
    /// One event with its time.
    struct Entry {
        let time: StreamTime
        let event: StreamEvent<Value>.Kind
    }

    /// The events, in order of time; nothing follows an end.
    let entries: [Entry]
}

extension Timeline.Entry: Sendable where Value: Sendable {}
extension Timeline: Sendable where Value: Sendable {}

extension Flow where Value: Sendable {
    /// Returns a stream that plays a recording from its start for every subscription.
    static func cold(_ timeline: Timeline<Value>) -> Flow {
        Flow { scope, sink in
            let run = scope.run
            let cell = scope.cell(Played(start: run.now, firstOrder: 0))
            if !scope.isRestoring { cell.state.firstOrder = run.reserve(timeline.entries.count) }
            var timer: Timer?
            func armNext() {
                let position = cell.state.position
                guard position < timeline.entries.count, let timer else { return }
                guard let due = cell.state.start.adding(timeline.entries[position].time) else { return }
                run.arm(timer, at: due, order: cell.state.firstOrder + Int64(position))
            }
            timer = scope.timer(for: sink.lifetime) {
                guard cell.state.position < timeline.entries.count else { return }
                let event = timeline.entries[cell.state.position].event
                cell.state.position += 1
                armNext()
                sink.take(event)
            }
            if !scope.isRestoring { armNext() }
        }
    }

    /// Returns a stream that plays one recording from the start of the run for all subscriptions: a late one receives
    /// the events from then on, or the end if it has passed.
    ///
    /// - Parameter number: Its position among the hot sources of the run, which precede everything else at an instant.
    static func hot(_ timeline: Timeline<Value>, number: Int) -> Flow {
        let token = Token()
        return Flow { scope, sink in
            let player = scope.run.common(token) { HotPlayer(timeline, number: number, run: scope.run) }
            player.add(sink, scope.cell(0, "reader"))
        }
    }
}

/// A player that plays a recording once in a run, for all subscribers.
private final class HotPlayer<Value> {
    private let timeline: Timeline<Value>
    private let run: Run
    /// Room for 16 million entries for each player, below all positions that a run reserves.
    private let firstOrder: Int64
    private var position = 0
    private var readers = Readers<Value>()
    private var timer: Timer?

    init(_ timeline: Timeline<Value>, number: Int, run: Run) {
        self.timeline = timeline
        self.run = run
        firstOrder = -Int64.max / 2 + Int64(number) << 24
        timer = run.timer(for: run.lifetime) { [unowned self] in play() }
    }

    ///
    /// - Parameter reader: Its number among the subscribers; 0 without a number.
    func add(_ sink: Sink<Value>, _ reader: Cell<Int>) {
        skipPassed()
        if position == timeline.entries.count, let last = timeline.entries.last, last.event.isEnd {
            return sink.take(last.event)
        }
        let id = readers.add(sink, as: reader.state)
        reader.state = id
        sink.lifetime.whenClosed { self.remove(id) }
        armNext()
    }

    private func remove(_ id: Int) {
        if readers.remove(id), readers.isEmpty, let timer { run.disarm(timer) }
    }

    /// Skips the events that have passed, since nothing is played without subscribers.
    private func skipPassed() {
        while position < timeline.entries.count {
            let (time, order) = (timeline.entries[position].time, firstOrder + Int64(position))
            guard time < run.now || time == run.now && order <= run.order else { return }
            position += 1
        }
    }

    private func armNext() {
        guard position < timeline.entries.count, let timer, !readers.isEmpty else { return }
        run.arm(timer, at: timeline.entries[position].time, order: firstOrder + Int64(position))
    }

    private func play() {
        let event = timeline.entries[position].event
        position += 1
        armNext()
        readers.forEach { $0.take(event) }
    }
}

/// The position of one subscription of a recording.
private struct Played {
    var position = 0
    /// The time at which it began.
    var start: StreamTime
    /// The position of its first event in the order of arming; the others follow.
    var firstOrder: Int64
}

extension Played: SavableState {
    static var fields: [SavedField<Self>] {
        [
            SavedField("position", \.position), SavedField("start", \.start),
            SavedField("firstOrder", \.savedOrder),
        ]
    }

    private var savedOrder: SavedOrder {
        get { SavedOrder(firstOrder) }
        set { firstOrder = newValue.value }
    }

    func fits(_ initial: Played) -> Bool { firstOrder.magnitude < Int64.max.magnitude / 2 }
}

extension Sink {
    /// Delivers an event of a recording.
    func take(_ event: StreamEvent<Value>.Kind) {
        switch event {
        case .value(let value): receive(value)
        case .completed: finish(.completed)
        case .failed(let error): finish(.failed(error))
        case .reported: break
        }
    }
}
