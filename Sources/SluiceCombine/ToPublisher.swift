public import SluiceJSON
public import SluiceStreams

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension Flow where Value: Sendable {
    /// The values of the stream as a publisher, each when it is due by `clock`.
    ///
    /// ```swift
    /// let publisher = Flow.values(1, 2, 3).toPublisher()
    /// let subscription = publisher.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })  // prints 1 2 3
    /// ```
    ///
    /// Each subscriber has a run of its own, which begins when it first asks for values. Demand is respected: while no
    /// value is wanted, one at most waits, and the stream stands still. A subscriber is called by a task, on no actor
    /// and no queue, one call at a time: `receive(on:)` has it called elsewhere. It may fail with any error: what a
    /// closure or a source threw, or a `StreamError`. Cancelling ends the run, and the tasks of what it reads.
    ///
    /// - Parameters:
    ///   - host: what the stream may read of the outside world.
    ///   - clock: the clock that measures the delays.
    public func toPublisher<C: Clock>(host: StreamHost = StreamHost(), clock: C = .continuous)
        -> AnyPublisher<Value, any Error> where C.Duration == Duration
    {
        FlowPublisher(values: values(host: host, clock: clock)).eraseToAnyPublisher()
    }
}

extension StreamModel {
    /// The values of the stream as a publisher; see ``SluiceStreams/Flow/toPublisher(host:clock:)``.
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
    /// The value as a publisher, passed on as the operators of the item decide; see
    /// ``SluiceStreams/Flow/toPublisher(host:clock:)``.
    public func toPublisher<C: Clock>(clock: C = .continuous) -> AnyPublisher<Value, any Error>
    where C.Duration == Duration {
        StreamModel(stream: [self]).toPublisher(clock: clock)
    }
}

extension StreamDocument {
    /// The values of the stream as a publisher; see ``SluiceStreams/Flow/toPublisher(host:clock:)``.
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
    /// What the operator makes of the values of a publisher.
    ///
    /// ```swift
    /// let numbers = StreamModel.values(1, 2, 3).toPublisher()
    /// let even = Operator.filter("x % 2 == 0").applyPublisher(numbers)  // 2
    /// ```
    ///
    /// The publisher is subscribed anew for each subscriber, and asked for one value at a time. What is wrong with the
    /// operator makes the publisher fail.
    public func applyPublisher<Value: Codable & Sendable, C: Clock>(
        _ publisher: AnyPublisher<Value, any Error>,
        clock: C = .continuous
    ) -> AnyPublisher<Value, any Error> where C.Duration == Duration {
        let items = PublisherValues(publisher)
        return Flow.reading { items }.applying(self).toPublisher(clock: clock)
    }
}
