#if canImport(Combine) || OpenCombine
public import Dispatch
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
    /// at most one value is buffered, and the stream is suspended. The subscriber is called on the main queue, or on
    /// `queue`, one call at a time, and never after it has canceled on that queue. The publisher may fail with any
    /// error: one that a closure or a source threw, or a `StreamError`. Canceling ends the run, and the tasks that read
    /// its sources.
    ///
    /// - Parameters:
    ///   - queue: The queue that calls the subscriber; `nil` for a task, on no queue and no actor.
    ///   - host: The sources and sinks that the stream may use.
    ///   - clock: The clock that measures the delays.
    public func toPublisher<C: Clock>(
        on queue: DispatchQueue? = .main,
        host: StreamHost = StreamHost(),
        clock: C = .continuous
    ) -> AnyPublisher<Value, any Error> where C.Duration == Duration {
        FlowPublisher(values: values(host: host, clock: clock), queue: queue).eraseToAnyPublisher()
    }

    /// Returns a publisher of the stream's values that can't fail, for `sink(receiveValue:)` and `assign`.
    ///
    /// ```swift
    /// let publisher = Flow.values(1, 2, 3).toPublisher { error in print("failed: \(error)") }
    /// let subscription = publisher.sink { print($0) }  // prints 1 2 3
    /// ```
    ///
    /// When the stream fails, the publisher calls `onError` and completes. Otherwise it behaves as
    /// ``toPublisher(on:host:clock:)``.
    ///
    /// - Parameters:
    ///   - queue: The queue that calls the subscriber; `nil` for a task, on no queue and no actor.
    ///   - host: The sources and sinks that the stream may use.
    ///   - clock: The clock that measures the delays.
    ///   - onError: A closure that is called with the error of the stream, where the subscriber is called.
    public func toPublisher<C: Clock>(
        on queue: DispatchQueue? = .main,
        host: StreamHost = StreamHost(),
        clock: C = .continuous,
        onError: @escaping (any Error) -> Void
    ) -> AnyPublisher<Value, Never> where C.Duration == Duration {
        InfallibleFlowPublisher(values: values(host: host, clock: clock), queue: queue, onError: onError)
            .eraseToAnyPublisher()
    }
}

extension StreamModel {
    /// Returns a publisher of the stream's values; see ``SluiceStreams/Flow/toPublisher(on:host:clock:)``.
    ///
    /// ```swift
    /// let publisher = StreamModel.values(1, 2, 3).toPublisher()  // AnyPublisher<Int, any Error>
    /// ```
    public func toPublisher<C: Clock>(
        on queue: DispatchQueue? = .main,
        host: StreamHost = StreamHost(),
        clock: C = .continuous
    ) -> AnyPublisher<Value, any Error> where C.Duration == Duration {
        flow.toPublisher(on: queue, host: host, clock: clock)
    }

    /// Returns a publisher of the stream's values that can't fail; see
    /// ``SluiceStreams/Flow/toPublisher(on:host:clock:onError:)``.
    ///
    /// ```swift
    /// let publisher = StreamModel.values(1, 2, 3).toPublisher { print($0) }  // AnyPublisher<Int, Never>
    /// ```
    public func toPublisher<C: Clock>(
        on queue: DispatchQueue? = .main,
        host: StreamHost = StreamHost(),
        clock: C = .continuous,
        onError: @escaping (any Error) -> Void
    ) -> AnyPublisher<Value, Never> where C.Duration == Duration {
        flow.toPublisher(on: queue, host: host, clock: clock, onError: onError)
    }
}

extension StreamItem {
    /// Returns a publisher of the value, as the operators of the item pass it on; see
    /// ``SluiceStreams/Flow/toPublisher(on:host:clock:)``.
    public func toPublisher<C: Clock>(on queue: DispatchQueue? = .main, clock: C = .continuous)
        -> AnyPublisher<Value, any Error> where C.Duration == Duration
    {
        StreamModel(stream: [self]).toPublisher(on: queue, clock: clock)
    }
}

extension StreamDocument {
    /// Returns a publisher of the stream's values; see ``SluiceStreams/Flow/toPublisher(on:host:clock:)``.
    ///
    /// - Throws: `JSONErrors`, as `flow(in:parameters:)` does, before anything runs.
    public func toPublisher<C: Clock>(
        on queue: DispatchQueue? = .main,
        in library: StreamLibrary = StreamLibrary(),
        host: StreamHost = StreamHost(),
        clock: C = .continuous
    ) throws(JSONErrors) -> AnyPublisher<JSON, any Error> where C.Duration == Duration {
        try flow(in: library).toPublisher(on: queue, host: host, clock: clock)
    }

    /// Returns a publisher of the stream's values that can't fail; see
    /// ``SluiceStreams/Flow/toPublisher(on:host:clock:onError:)``.
    ///
    /// - Throws: `JSONErrors`, as `flow(in:parameters:)` does, before anything runs.
    public func toPublisher<C: Clock>(
        on queue: DispatchQueue? = .main,
        in library: StreamLibrary = StreamLibrary(),
        host: StreamHost = StreamHost(),
        clock: C = .continuous,
        onError: @escaping (any Error) -> Void
    ) throws(JSONErrors) -> AnyPublisher<JSON, Never> where C.Duration == Duration {
        try flow(in: library).toPublisher(on: queue, host: host, clock: clock, onError: onError)
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
    ///
    /// - Parameters:
    ///   - publisher: The publisher of the values.
    ///   - queue: The queue that calls the subscriber; `nil` for a task, on no queue and no actor.
    ///   - clock: The clock that measures the delays.
    public func applyPublisher<Value: Codable & Sendable, C: Clock>(
        _ publisher: AnyPublisher<Value, any Error>,
        on queue: DispatchQueue? = .main,
        clock: C = .continuous
    ) -> AnyPublisher<Value, any Error> where C.Duration == Duration {
        let items = PublisherValues(publisher, ahead: 0)
        return Flow.reading { items }.applying(self).toPublisher(on: queue, clock: clock)
    }
}
#endif
