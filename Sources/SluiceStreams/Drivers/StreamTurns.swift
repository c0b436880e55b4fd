/// The streams of a runtime, and the timer that they share.
///
/// `@unchecked Sendable`: only the task that has the turns of its runtime accesses it, and another task only after the
/// lock of the runtime has handed the turns over.
final class StreamTurns: @unchecked Sendable {
    /// A command from outside of its task.
    enum Command: Sendable {
        /// Run a stream, which is created in its turn.
        case start(Int, @Sendable () -> ObservedStream)
        /// Deliver something that came from outside for a stream.
        case serve(Int)
        /// End a stream early.
        case stop(Int)
    }

    /// The work that comes next.
    enum Rest {
        /// Nothing, until there is a command or something comes from outside.
        case nothing
        /// More work, immediately.
        case more
        /// Work at a time.
        case until(StreamTime)
    }

    private var streams: [Int: ObservedStream] = [:]
    private var queue = TimerQueue()
    private var lastOrder: Int64 = 0
    /// The streams for which something may come from outside.
    private var listening: Set<Int> = []
    /// The streams that yielded to the others.
    private var unfinished: [Int] = []
    private var now = StreamTime.zero

    /// A Boolean value that indicates whether something may come from outside.
    var listensOutside: Bool { !listening.isEmpty }

    /// Carries out commands, and the work that is due at `now`.
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
