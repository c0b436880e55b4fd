#if canImport(Combine) || OpenCombine
public import SluiceJSON
public import SluiceStreams

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension Flow where Value: Sendable {
    /// Returns a publisher of the stream's values, each when it is due by `clock`.
    ///
    /// ```swift
    /// let publisher = Flow.values(1, 2, 3).toPublisher()
    /// let subscription = publisher.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })  // prints 1 2 3
    /// ```
    ///
    /// Each subscriber has a run of its own, which begins with its first demand. Demand is respected: without demand,
    /// at most one value is buffered, and the stream is suspended. A task calls the subscriber, on no actor and no
    /// queue, one call at a time; use `receive(on:)` to be called elsewhere. The publisher may fail with any error: one
    /// that a closure or a source threw, or a `StreamError`. Canceling ends the run, and the tasks that read its
    /// sources.
    ///
    /// - Parameters:
    ///   - host: The sources and sinks that the stream may use.
    ///   - clock: The clock that measures the delays.
    public func toPublisher<C: Clock>(host: StreamHost = StreamHost(), clock: C = .continuous)
        -> AnyPublisher<Value, any Error> where C.Duration == Duration
    {
        FlowPublisher(values: values(host: host, clock: clock)).eraseToAnyPublisher()
    }
}

extension StreamModel {
    /// Returns a publisher of the stream's values; see ``SluiceStreams/Flow/toPublisher(host:clock:)``.
    ///
    /// ```swift
    /// let publisher = StreamModel.values(1, 2, 3).toPublisher()  // AnyPublisher<Int, any Error>
    /// ```
    public func toPublisher<C: Clock>(host: StreamHost = StreamHost(), clock: C = .continuous)
        -> AnyPublisher<Value, any Error> where C.Duration == Duration
    {
        flow.toPublisher(host: host, clock: clock)
    }
}

extension StreamItem {
    /// Returns a publisher of the value, as the operators of the item pass it on; see
    /// ``SluiceStreams/Flow/toPublisher(host:clock:)``.
    public func toPublisher<C: Clock>(clock: C = .continuous) -> AnyPublisher<Value, any Error>
    where C.Duration == Duration {
        StreamModel(stream: [self]).toPublisher(clock: clock)
    }
}

extension StreamDocument {
    /// Returns a publisher of the stream's values; see ``SluiceStreams/Flow/toPublisher(host:clock:)``.
    ///
    /// - Throws: `JSONErrors`, as `flow(in:parameters:)` does, before anything runs.
    public func toPublisher<C: Clock>(
        in library: StreamLibrary = StreamLibrary(),
        host: StreamHost = StreamHost(),
        clock: C = .continuous
    ) throws(JSONErrors) -> AnyPublisher<JSON, any Error> where C.Duration == Duration {
        try flow(in: library).toPublisher(host: host, clock: clock)
    }
}

extension Operator {
    /// Applies the operator to the values of a publisher.
    ///
    /// ```swift
    /// let numbers = StreamModel.values(1, 2, 3).toPublisher()
    /// let even = Operator.filter("x % 2 == 0").applyPublisher(numbers)  // 2
    /// ```
    ///
    /// The result subscribes to the publisher once for each of its own subscribers, and requests one value at a time.
    /// An invalid operator makes it fail.
    public func applyPublisher<Value: Codable & Sendable, C: Clock>(
        _ publisher: AnyPublisher<Value, any Error>,
        clock: C = .continuous
    ) -> AnyPublisher<Value, any Error> where C.Duration == Duration {
        let items = PublisherValues(publisher)
        return Flow.reading { items }.applying(self).toPublisher(clock: clock)
    }
}
#endif
