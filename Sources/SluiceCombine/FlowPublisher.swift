#if canImport(Combine) || OpenCombine
import Dispatch
import Sluice
import SluiceStreams

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// A publisher of the values of a stream, which may fail.
///
/// See ``SluiceStreams/Flow/toPublisher(on:host:clock:)`` for its behavior.
struct FlowPublisher<Output: Sendable, C: Clock>: Publisher where C.Duration == Duration {
    /// The error type. A stream may fail with any error: one that a closure or a source threw, or a
    /// ``SluiceStreams/StreamError``.
    typealias Failure = any Error

    let values: StreamValues<Output, C>
    let queue: DispatchQueue?

    /// Starts a run for `subscriber`.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
        let subscription = FlowSubscription<Output>(queue) {
            subscriber.receive($0)
        } complete: {
            subscriber.receive(completion: $0)
        }
        subscriber.receive(subscription: subscription)
        subscription.run(values)
    }
}

/// A publisher of the values of a stream that completes where the stream fails, and reports the error.
///
/// See ``SluiceStreams/Flow/toPublisher(on:host:clock:onError:)`` for its behavior.
struct InfallibleFlowPublisher<Output: Sendable, C: Clock>: Publisher where C.Duration == Duration {
    /// The error type: the publisher can't fail.
    typealias Failure = Never

    let values: StreamValues<Output, C>
    let queue: DispatchQueue?
    let onError: (any Error) -> Void

    /// Starts a run for `subscriber`.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        let subscription = FlowSubscription<Output>(queue) {
            subscriber.receive($0)
        } complete: { [onError] completion in
            if case .failure(let error) = completion { onError(error) }
            subscriber.receive(completion: .finished)
        }
        subscriber.receive(subscription: subscription)
        subscription.run(values)
    }
}

/// The run of one subscriber.
///
/// `@unchecked Sendable`: the subscriber, which may not be Sendable, is called by `receive(subscription:)` before the
/// task starts, and from then on only by the task or by the queue that the task waits for, one call at a time; all other
/// state is behind the lock.
private final class FlowSubscription<Output: Sendable>: Subscription, @unchecked Sendable {
    private let queue: DispatchQueue?
    private let receive: (Output) -> Subscribers.Demand
    private let complete: (Subscribers.Completion<any Error>) -> Void
    private let state = Locked(State())

    private struct State {
        var demand = Subscribers.Demand.none
        var isCanceled = false
        var task: Task<Void, Never>?
        /// The continuation of the task while it waits for demand.
        var waiter: CheckedContinuation<Void, Never>?

        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            guard demand > .none || isCanceled else { return nil }
            defer { waiter = nil }
            return waiter
        }
    }

    /// Creates a subscription that calls the closures on a queue; without a queue, in its task.
    init(
        _ queue: DispatchQueue?,
        receive: @escaping (Output) -> Subscribers.Demand,
        complete: @escaping (Subscribers.Completion<any Error>) -> Void
    ) {
        self.queue = queue
        self.receive = receive
        self.complete = complete
    }

    // MARK: The subscriber's side

    func request(_ demand: Subscribers.Demand) {
        // A demand of none is allowed here, and requests nothing.
        let waiter = state.withLock { state in
            state.demand += demand
            return state.takeWaiter()
        }
        waiter?.resume()
    }

    func cancel() {
        let (task, waiter) = state.withLock { state in
            state.isCanceled = true
            let task = state.task
            state.task = nil
            return (task, state.takeWaiter())
        }
        task?.cancel()
        waiter?.resume()
    }

    // MARK: The run's side

    func run<C: Clock>(_ values: StreamValues<Output, C>) {
        let task = Task { [self] in await deliver(values) }
        let isCanceled = state.withLock { state in
            if !state.isCanceled { state.task = task }
            return state.isCanceled
        }
        if isCanceled { task.cancel() }
    }

    private func deliver<C: Clock>(_ values: StreamValues<Output, C>) async {
        defer { state.withLock { $0.task = nil } }
        guard await waitForDemand() else { return }
        var iterator = values.makeAsyncIterator()
        do {
            while let value = try await iterator.next() {
                guard await waitForDemand() else { return }
                await call { self.pass(value) }
            }
            await call { self.finish(.finished) }
        } catch {
            await call { self.finish(.failure(error)) }
        }
    }

    /// Calls a closure on the queue of the subscriber.
    private func call(_ body: @escaping @Sendable () -> Void) async {
        guard let queue else { return body() }
        await withCheckedContinuation { continuation in
            queue.async {
                body()
                continuation.resume()
            }
        }
    }

    /// Hands over a value. The subscriber may have canceled while the value was on its way to the queue.
    private func pass(_ value: Output) {
        let isCanceled = state.withLock { state in
            if !state.isCanceled { state.demand -= 1 }
            return state.isCanceled
        }
        if isCanceled { return }
        let more = receive(value)
        state.withLock { $0.demand += more }
    }

    /// Ends the subscription; a subscriber that has canceled receives nothing.
    private func finish(_ completion: Subscribers.Completion<any Error>) {
        let isCanceled = state.withLock { state in
            defer { state.isCanceled = true }
            return state.isCanceled
        }
        if !isCanceled { complete(completion) }
    }

    /// Waits for demand; returns `false` when the subscriber has canceled.
    private func waitForDemand() async -> Bool {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                if state.demand > .none || state.isCanceled { return true }
                state.waiter = continuation
                return false
            }
            if isDue { continuation.resume() }
        }
        return state.withLock { !$0.isCanceled }
    }
}
#endif
