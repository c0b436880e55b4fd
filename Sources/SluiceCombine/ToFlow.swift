#if canImport(Combine) || OpenCombine
public import SluiceStreams

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension Publisher where Output: Sendable {
    /// Returns a stream of the publisher's values.
    ///
    /// ```swift
    /// let numbers = [1, 2, 3].publisher.toFlow().filter { $0 != 2 }
    /// for try await number in numbers.values() { print(number) }  // 1 3
    /// ```
    ///
    /// Each run subscribes to the publisher when it begins, and cancels its subscription when it ends. It requests at
    /// most `count` values ahead of its reader. A subject drops what was not requested, so its `count` is the number of
    /// values that may wait; a `CurrentValueSubject` gives its latest value as soon as it is requested. The stream fails
    /// with the publisher's error.
    ///
    /// - Parameter count: The number of values that may wait for the reader; below 1 counts as 1.
    public func toFlow(buffering count: Int = 256) -> Flow<Output> {
        let items = PublisherValues(mapError { $0 as any Error }.eraseToAnyPublisher(), ahead: Swift.max(count, 1))
        return Flow.reading { items }
    }
}
#endif
