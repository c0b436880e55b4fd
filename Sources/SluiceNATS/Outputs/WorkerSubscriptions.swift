#if NATS
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The source `subscribe` on a worker: it reads the outputs that hubs and workers share.
struct WorkerSubscriptions: Sendable {
    private let outputs: NATSSharedOutputs
    private let clock: any Clock<Duration>
    private let timer: any RunTimer

    init(_ outputs: NATSSharedOutputs, clock: any Clock<Duration>, timer: any RunTimer) {
        (self.outputs, self.clock, self.timer) = (outputs, clock, timer)
    }

    /// Reads another stream until the task is canceled.
    @Sendable func feed(_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws {
        let subscription = try StreamSubscription(arguments)
        guard let stream = subscription.stream, subscription.subject != .states else {
            throw StreamError(message: "workers don't read states with 'subscribe': let a hub run the stream")
        }
        let reading = SharedSubscription(subscription, to: stream, over: outputs, timer: timer)
        // The place among the outputs of a hub, which a worker doesn't have.
        var position = inlet.position.flatMap(SubscriptionPosition.init) ?? SubscriptionPosition(.start)
        while true {
            do {
                try await reading.read(for: inlet, from: &position) { true }
            } catch let error as StoreError {
                inlet.report(waiting: "the outputs of '\(stream)' can't be read: \(error.reason)")
                try await clock.sleep(for: .seconds(1))
            }
        }
    }
}
#endif
