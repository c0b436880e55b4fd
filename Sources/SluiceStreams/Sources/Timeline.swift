/// What a recording gives, and when, from its start.
struct Timeline<Value> {
    /// One thing that happens.
    struct Entry {
        let time: StreamTime
        let event: StreamEvent<Value>.Kind
    }

    /// What happens, in order of time; nothing follows an end.
    let entries: [Entry]
}

extension Timeline.Entry: Sendable where Value: Sendable {}
extension Timeline: Sendable where Value: Sendable {}

extension Flow where Value: Sendable {
    /// Plays a recording from its start for every subscription.
    static func cold(_ timeline: Timeline<Value>) -> Flow {
        Flow { scope, sink in
            let run = scope.run
            let start = run.now
            let first = run.reserve(timeline.entries.count)
            let position = Cell(0)
            var timer: Timer?
            func armNext() {
                guard position.state < timeline.entries.count, let timer else { return }
                guard let due = start.adding(timeline.entries[position.state].time) else { return }
                run.arm(timer, at: due, order: first + Int64(position.state))
            }
            timer = run.timer(for: sink.lifetime) {
                let event = timeline.entries[position.state].event
                position.state += 1
                armNext()
                sink.take(event)
            }
            armNext()
        }
    }

    /// Plays one recording from the start of the run for all subscriptions: one that comes late gets what comes later,
    /// or the end that was.
    ///
    /// - Parameter number: its place among the hot sources of the run; all of them come before all else at one instant.
    static func hot(_ timeline: Timeline<Value>, number: Int) -> Flow {
        // Room for a million entries each, below all orders that a run reserves.
        let first = -Int64.max / 2 + Int64(number) * 1_048_576
        return Flow { scope, sink in
            let run = scope.run
            let passed = timeline.entries.prefix { $0.time < run.now || $0.time == run.now && !run.isStarting }.count
            if passed == timeline.entries.count, let last = timeline.entries.last, last.event.isEnd {
                return sink.take(last.event)
            }
            let position = Cell(passed)
            var timer: Timer?
            func armNext() {
                guard position.state < timeline.entries.count, let timer else { return }
                run.arm(timer, at: timeline.entries[position.state].time, order: first + Int64(position.state))
            }
            timer = run.timer(for: sink.lifetime) {
                let event = timeline.entries[position.state].event
                position.state += 1
                armNext()
                sink.take(event)
            }
            armNext()
        }
    }
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
