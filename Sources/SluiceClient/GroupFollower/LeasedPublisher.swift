#if HTTP
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// Publishes a run under a lease: to the reader of the follower's notices, and to the deliveries of its sinks.
struct LeasedPublisher: UnwatchedPublisher {
    let feed: FollowerFeed
    let deliveries: Deliveries
    /// Takes the place of each output that was reported.
    let onOutput: @Sendable (OutputPlace) -> Void

    func publish(_ status: RunStatus, isNewRun: Bool) { feed.publish(status, isNewRun: isNewRun) }

    func publish(_ event: StreamEvent<JSON>, number: Int, of status: RunStatus) {
        feed.publish(event, number: number, of: status)
        if case .failed = event.kind {} else { onOutput(OutputPlace(run: status.run, sequence: number)) }
        guard deliveries.takesOutputs(of: status.stream) else { return }
        let size = event.value.map { $0.description.utf8.count } ?? 0
        deliveries.publish(OutputPlace(run: status.run, sequence: number), size: size, of: status.stream)
    }

    func publish(_ change: RunChange, of status: RunStatus, _ program: RunProgram) {
        feed.publish(change, of: status, program)
    }

    func hasRoom(for stream: String) -> Bool { deliveries.hasRoom(for: stream) && feed.hasRoom(for: stream) }
    func isDrained(_ stream: String) -> Bool { feed.isDrained(stream) }

    func onSubscription(of stream: String, _ body: (@Sendable () -> Void)?) {
        feed.onSubscription(of: stream, body)
        deliveries.onRoom(of: stream, body)
    }

    func use(_ sinks: [CompiledSink], after number: Int, of status: RunStatus, keepsOthers: Bool) {
        let place = OutputPlace(run: status.run, sequence: number)
        deliveries.use(sinks, of: status.stream, after: place, keepsOthers: keepsOthers)
    }

    func noteStored(_ stream: String) { deliveries.noteStored(stream) }
    func forgetOutputs(of stream: String, upTo run: Int) { deliveries.forgetOutputs(of: stream, upTo: run) }
}
#endif
