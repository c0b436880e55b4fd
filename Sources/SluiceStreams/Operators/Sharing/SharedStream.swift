/// One run of a stream that several subscriptions read.
final class SharedStream<Value> {
    /// What a shared stream does for those who come late, and when the last has left.
    struct Policy {
        /// How many of the latest values somebody who comes late gets at once.
        var replayed = 0
        /// Whether its completion is kept for those who come later; else they start it afresh.
        var keepsCompletion = false
        /// Whether it is stopped when the last has left.
        var stopsWhenLeft = true
    }

    private let policy: Policy
    private let run: Run
    private var readers = Readers<Value>()
    private var kept = FIFO<Value>()
    private let holding: Holding
    private var isCompleted = false
    /// The subscription to the stream.
    private var input: Lifetime?

    init(_ policy: Policy, _ run: Run) {
        self.policy = policy
        self.run = run
        // What is kept outlives the subscriptions.
        holding = run.holding(for: Lifetime())
    }

    deinit { holding.removeAll() }

    /// Adds a reader until its lifetime closes, and starts the stream when it does not run.
    func add(_ sink: Sink<Value>, start: (Sink<Value>) -> Void) {
        guard !sink.isClosed else { return }
        let id = readers.add(sink)
        sink.lifetime.whenClosed { self.remove(id) }
        for value in kept.all {
            guard !sink.isClosed, run.spend() else { return }
            sink.receive(value)
        }
        if isCompleted { return sink.finish(.completed) }
        guard input == nil, !readers.isEmpty else { return }
        let lifetime = run.lifetime.child()
        input = lifetime
        start(Sink(lifetime: lifetime, end: { self.finish($0, of: lifetime) }, receive: receive))
    }

    /// Gives a value to those who read now, in the order in which they came.
    private func receive(_ value: Value) {
        if policy.replayed > 0 {
            if kept.count == policy.replayed { _ = kept.popFirst() } else { holding.add(1) }
            kept.append(value)
        }
        readers.forEach { $0.receive(value) }
    }

    /// Ends all who read now.
    private func finish(_ end: StreamEnd, of lifetime: Lifetime) {
        guard input === lifetime else { return }
        input = nil
        if case .completed = end, policy.keepsCompletion { isCompleted = true } else { forget() }
        readers.takeAll().forEach { $0.finish(end) }
    }

    private func remove(_ id: Int) {
        guard readers.remove(id), readers.isEmpty, policy.stopsWhenLeft, let lifetime = input else { return }
        input = nil
        forget()
        lifetime.close()
    }

    private func forget() {
        kept.removeAll()
        holding.removeAll()
    }
}

extension Flow {
    /// Has subscriptions within a run read one subscription to this stream.
    ///
    /// - Parameter isInner: whether the stream sees the item that it is started for: then those for one item.
    func shared(_ policy: SharedStream<Value>.Policy, isInner: Bool) -> Flow {
        let token = Token()
        return Flow { [subscribe] scope, sink in
            let shared = scope.common(token, isInner: isInner) { SharedStream<Value>(policy, scope.run) }
            shared.add(sink) { subscribe(scope, $0) }
        }
    }
}
