/// The streams of a runtime, and the timer that they share.
///
/// `@unchecked Sendable`: it is touched by the one task that has the turns of its runtime, and by another only after
/// the lock of the runtime has handed them over.
final class StreamTurns: @unchecked Sendable {
    /// What is asked of it from outside of its task.
    enum Command: Sendable {
        /// A stream is to run; it is made in its turn.
        case start(Int, @Sendable () -> ObservedStream)
        /// Something has come from outside for a stream.
        case serve(Int)
        /// A stream is to be broken off.
        case stop(Int)
    }

    /// What comes next.
    enum Rest {
        /// Nothing, unless it is asked for, or comes from outside where a stream listens.
        case nothing
        /// More, at once.
        case more
        /// Something at a time.
        case until(StreamTime)
    }

    private var streams: [Int: ObservedStream] = [:]
    private var queue = TimerQueue()
    private var lastOrder: Int64 = 0
    /// The streams for which something may come from outside.
    private var listening: Set<Int> = []
    /// The streams that gave way to the others.
    private var unfinished: [Int] = []
    private var now = StreamTime.zero

    /// Whether something may come from outside.
    var listensOutside: Bool { !listening.isEmpty }

    /// Does what is asked, and what is due at `now`.
    func turn(_ commands: [Command], at now: StreamTime) -> Rest {
        self.now = now
        let waiting = unfinished
        unfinished = []
        for id in waiting { serve(id) }
        for command in commands {
            switch command {
            case .start(let id, let make):
                let stream = make()
                stream.timer = Timer { [unowned self] in serve(id) }
                streams[id] = stream
                serve(id)
            case .serve(let id): serve(id)
            case .stop(let id): remove(id)
            }
        }
        while let (_, _, timer) = queue.take(by: now) { timer.fire() }
        if !unfinished.isEmpty { return .more }
        return queue.nextDue.map(Rest.until) ?? .nothing
    }

    private func serve(_ id: Int) {
        guard let stream = streams[id] else { return }
        let rest = stream.step(to: now)
        if stream.listensOutside { listening.insert(id) } else { listening.remove(id) }
        switch rest {
        case .nothing:
            break
        case .more:
            unfinished.append(id)
        case .until(let time):
            guard let timer = stream.timer else { return }
            lastOrder += 1
            queue.arm(timer, at: time, order: lastOrder)
        case nil:
            remove(id)
        }
    }

    private func remove(_ id: Int) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        listening.remove(id)
        if let timer = stream.timer { queue.disarm(timer) }
        stream.close()
    }
}
