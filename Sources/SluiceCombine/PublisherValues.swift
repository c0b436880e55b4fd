#if canImport(Combine) || OpenCombine
import Sluice

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// The values of a publisher as an async sequence. They are requested one at a time when the reader asks for them, or a
/// number of them ahead.
///
/// `@unchecked Sendable`: publishers are values that may be subscribed from any thread, although their types do not say
/// so.
struct PublisherValues<Element: Sendable>: AsyncSequence, @unchecked Sendable {
    private let publisher: AnyPublisher<Element, any Error>

    private let ahead: Int

    /// Reads a publisher, of which `ahead` values are requested before the reader asks for them.
    init(_ publisher: AnyPublisher<Element, any Error>, ahead: Int) {
        self.publisher = publisher
        self.ahead = ahead
    }

    func makeAsyncIterator() -> Iterator { Iterator(publisher, ahead: ahead) }

    final class Iterator: AsyncIteratorProtocol {
        private let reader: PublisherReader<Element>

        init(_ publisher: AnyPublisher<Element, any Error>, ahead: Int) {
            reader = PublisherReader(ahead: ahead)
            publisher.subscribe(reader)
        }

        func next() async throws -> Element? { try await reader.next() }

        deinit { reader.cancel() }
    }
}

/// A subscriber that requests the values of a publisher, one at a time or a number of them ahead, and hands them over.
///
/// `@unchecked Sendable`: the subscription, whose type is not marked as Sendable, may be called from any thread by
/// Combine's rules; all stored state is behind the lock.
private final class PublisherReader<Element: Sendable>: Subscriber, @unchecked Sendable {
    private let state = Locked(State())
    private let ahead: Int

    init(ahead: Int) { self.ahead = ahead }

    /// A subscription across threads.
    ///
    /// `@unchecked Sendable`: as above.
    private struct Upstream: @unchecked Sendable {
        let subscription: any Subscription
    }

    private struct State {
        var upstream: Upstream?
        /// A Boolean value that indicates whether a value was requested before there was a subscription.
        var isWanted = false
        var waiter: CheckedContinuation<Element?, any Error>?
        var end: Result<Element?, any Error>?
        /// The values that were requested ahead and wait for the reader.
        var waiting: ArraySlice<Element> = []

        /// Stores the end, and returns the continuation that waits for it.
        mutating func finish(_ result: Result<Element?, any Error>) -> CheckedContinuation<Element?, any Error>? {
            guard end == nil else { return nil }
            end = result
            upstream = nil
            defer { waiter = nil }
            return waiter
        }
    }

    func receive(subscription: any Subscription) {
        let upstream = Upstream(subscription: subscription)
        let (isOver, isWanted) = state.withLock { state in
            guard state.upstream == nil, state.end == nil else { return (true, false) }
            state.upstream = upstream
            return (false, state.isWanted)
        }
        if isOver {
            subscription.cancel()
        } else if ahead > 0 {
            subscription.request(.max(ahead))
        } else if isWanted {
            subscription.request(.max(1))
        }
    }

    func receive(_ input: Element) -> Subscribers.Demand {
        let waiter = state.withLock { state in
            if state.waiter == nil, state.end == nil { state.waiting.append(input) }
            defer { state.waiter = nil }
            return state.waiter
        }
        guard let waiter else { return .none }
        waiter.resume(returning: input)
        return ahead > 0 ? .max(1) : .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        let result: Result<Element?, any Error> =
            switch completion {
            case .finished: .success(nil)
            case .failure(let error): .failure(error)
            }
        state.withLock { $0.finish(result) }?.resume(with: result)
    }

    /// Returns the next value; `nil` after the last.
    func next() async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, upstream) = state.withLock { state -> (Result<Element?, any Error>?, Upstream?) in
                    if let value = state.waiting.popFirst() { return (.success(value), state.upstream) }
                    if let end = state.end { return (end, nil) }
                    state.waiter = continuation
                    state.isWanted = state.upstream == nil
                    return (nil, ahead > 0 ? nil : state.upstream)
                }
                if let result { continuation.resume(with: result) }
                upstream?.subscription.request(.max(1))
            }
        } onCancel: {
            cancel()
        }
    }

    func cancel() {
        let (upstream, waiter) = state.withLock { state in
            let upstream = state.upstream
            state.waiting = []
            return (upstream, state.finish(.failure(CancellationError())))
        }
        upstream?.subscription.cancel()
        waiter?.resume(throwing: CancellationError())
    }
}
#endif
