#if Hub
import Sluice

/// The streams whose stages have subscribers.
final class StageSubscribers: Sendable {
    private struct State {
        /// The number of subscribers to all streams.
        var all = 0
        var streams: [String: Int] = [:]
        var bodies: [String: @Sendable () -> Void] = [:]
    }

    private let state = Locked(State())

    /// Returns a Boolean value that indicates whether the stages of a stream have subscribers.
    func contains(_ stream: String) -> Bool { state.withLock { $0.all > 0 || $0.streams[stream] != nil } }

    /// Calls `body` at each new subscription to a stream; `nil` removes the callback.
    func onSubscription(of stream: String, _ body: (@Sendable () -> Void)?) {
        state.withLock { $0.bodies[stream] = body }
    }

    /// Adds a subscriber, and makes the calls that its streams have asked for.
    func add(_ interest: EventBus.Interest) {
        let bodies = state.withLock { state -> [@Sendable () -> Void] in
            guard let streams = interest.valueStreams else {
                state.all += 1
                return Array(state.bodies.values)
            }
            for stream in streams { state.streams[stream, default: 0] += 1 }
            return streams.compactMap { state.bodies[$0] }
        }
        for body in bodies { body() }
    }

    /// Removes a subscriber.
    func remove(_ interest: EventBus.Interest) {
        state.withLock { state in
            guard let streams = interest.valueStreams else { return state.all -= 1 }
            for stream in streams {
                let count = (state.streams[stream] ?? 0) - 1
                state.streams[stream] = count > 0 ? count : nil
            }
        }
    }
}
#endif
