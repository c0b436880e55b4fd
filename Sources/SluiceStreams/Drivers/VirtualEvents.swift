/// The events of a stream in virtual time, which jumps from event to event.
///
/// ```swift
/// let model = StreamModel(stream: [StreamItem(value: "a", operators: [.delay(seconds: 60)])])
/// let times = model.virtualEvents().map(\.time.seconds)  // [60, 60]: the value, the completion
/// ```
///
/// The same document always gives the same events. The run advances only as it is iterated, one instant at a time.
public struct VirtualEvents<Value>: Sequence {
    @usableFromInline let flow: Flow<Value>
    @usableFromInline let limit: StreamTime?
    @usableFromInline let count: Int?
    @usableFromInline let limits: StreamLimits

    @inlinable init(flow: Flow<Value>, limit: StreamTime?, count: Int?, limits: StreamLimits) {
        self.flow = flow
        self.limit = limit
        self.count = count
        self.limits = limits
    }

    /// Returns an iterator of a new run.
    @inlinable
    public func makeIterator() -> Iterator {
        Iterator(engine: Engine(flow, limits: limits, taking: count), limit: limit)
    }

    /// One run in virtual time.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let engine: Engine<Value>
        @usableFromInline let limit: StreamTime?

        @inlinable init(engine: Engine<Value>, limit: StreamTime?) {
            self.engine = engine
            self.limit = limit
        }

        /// Returns the next event, or `nil` after the last or when the limit is reached.
        @inlinable
        public mutating func next() -> StreamEvent<Value>? {
            while true {
                if let event = engine.next() { return event }
                guard let due = engine.nextDue, limit.map({ due <= $0 }) ?? true else { return nil }
                engine.advance(to: due)
            }
        }
    }
}

extension VirtualEvents: Sendable where Value: Sendable {}

extension Flow {
    /// Returns the events of the stream in virtual time.
    ///
    /// ```swift
    /// let three = Flow.values(1, 2, 3, 4).virtualEvents(taking: 3).compactMap(\.value)  // [1, 2, 3], and no completion
    /// ```
    ///
    /// - Parameters:
    ///   - limit: The time at which the run ends early; events due then are the last. `nil` means no limit.
    ///   - count: The number of values after which the run ends early. `nil` means no limit.
    ///   - limits: The limits on the work of the run; a run that exceeds them fails with an error.
    @inlinable
    public func virtualEvents(
        until limit: StreamTime? = nil,
        taking count: Int? = nil,
        limits: StreamLimits = StreamLimits()
    ) -> VirtualEvents<Value> {
        VirtualEvents(flow: self, limit: limit, count: count, limits: limits)
    }
}

extension Flow {
    /// Runs the stream in virtual time and calls `body` with each event: like ``virtualEvents(until:taking:limits:)``,
    /// without the overhead of iteration.
    ///
    /// ```swift
    /// Flow.values(1, 2, 3).map { $0 * 2 }.runVirtually { print($0) }  // three values and the completion
    /// ```
    ///
    /// - Parameters:
    ///   - limit: The time at which the run ends early; events due then are the last. `nil` means no limit.
    ///   - limits: The limits on the work of the run; a run that exceeds them fails with an error.
    ///   - body: A closure that the run calls before this method returns.
    @inlinable
    public func runVirtually(
        until limit: StreamTime? = nil,
        limits: StreamLimits = StreamLimits(),
        _ body: @escaping (StreamEvent<Value>) -> Void
    ) {
        // Its parts reference each other until it is closed.
        let run = Run(limits: limits)
        defer { run.close() }
        let sink = Sink<Value>(
            lifetime: run.lifetime.child(),
            end: { end in
                switch end {
                case .completed: body(StreamEvent(time: run.now, kind: .completed))
                case .failed(let error): body(StreamEvent(time: run.now, kind: .failed(StreamError(error))))
                }
            },
            receive: { value in body(StreamEvent(time: run.now, kind: .value(value))) }
        )
        run.report = { error in body(StreamEvent(time: run.now, kind: .reported(error))) }
        run.abort = { error in sink.finish(.failed(error)) }
        subscribe(Scope(run), sink)
        while !sink.isClosed, let due = run.nextDue, limit.map({ due <= $0 }) ?? true { run.advance(to: due) }
    }
}
