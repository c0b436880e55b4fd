extension Flow {
    /// Has all subscriptions within a run read one subscription to this stream.
    ///
    /// The first starts it, later ones join, the last to leave stops it; after that, or its end, the next starts it
    /// afresh.
    public func share() -> Flow {
        let token = Token()
        return Flow { [subscribe] scope, sink in
            let shared = scope.run.common(token) { SharedStream<Value>() }
            let isFirst = shared.add(sink)
            guard isFirst else { return }
            let lifetime = Lifetime()
            shared.input = lifetime
            subscribe(
                scope,
                Sink<Value>(lifetime: lifetime, end: { shared.finish($0, of: lifetime) }, receive: shared.receive)
            )
        }
    }
}

/// The subscriptions that read one stream in a run.
final class SharedStream<Value> {
    private var sinks: [(id: Int, sink: Sink<Value>)] = []
    private var lastID = 0
    /// The subscription to the stream; closed by the last who leaves.
    var input: Lifetime?

    /// Adds a reader until its lifetime closes; answers whether the stream is to be started.
    func add(_ sink: Sink<Value>) -> Bool {
        lastID += 1
        let id = lastID
        sinks.append((id, sink))
        sink.lifetime.whenClosed { self.remove(id) }
        return input == nil
    }

    /// Gives a value to those who read now, in the order in which they came.
    func receive(_ value: Value) {
        for (_, sink) in sinks where !sink.isClosed { sink.receive(value) }
    }

    /// Ends all who read now; whoever comes then starts the stream afresh.
    func finish(_ end: StreamEnd, of lifetime: Lifetime) {
        guard input === lifetime else { return }
        input = nil
        let ended = sinks
        sinks = []
        for (_, sink) in ended { sink.finish(end) }
    }

    private func remove(_ id: Int) {
        guard let index = sinks.firstIndex(where: { $0.id == id }) else { return }
        sinks.remove(at: index)
        guard sinks.isEmpty, let lifetime = input else { return }
        input = nil
        lifetime.close()
    }
}

extension OperatorKind {
    static let share = OperatorKind("share") { stage in stage.input.share() }
}

extension Operator {
    /// Has all who refer to the stream within a run read one run of it.
    ///
    /// ```marbles
    /// -1-2-|
    /// {"share": {}}
    /// -1-2-|
    /// ```
    public static let share = Operator(.share)
}
