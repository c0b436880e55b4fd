#if Hub
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// Publishes the runs of a hub on its event bus, and counts them.
struct HubPublisher: RunPublisher {
    let bus: EventBus
    let counters: HubCounters
    /// The deliveries of the hub; `nil` where nothing of the runs is stored.
    let deliveries: Deliveries?
    /// The subscriptions of streams to others.
    let subscriptions: SubscriptionDesk
    /// The last output of each stream.
    let outputs: LastOutputs

    func publish(_ status: RunStatus, isNewRun: Bool) {
        bus.publish(status, isNew: isNewRun)
        subscriptions.noteStatus(status.stream)
    }

    func publish(_ marks: [StageWatch.Mark], of stream: String) {
        let id = JSON.string(stream).description
        bus.publish(marks.map { $0.value(of: id) }, of: stream)
    }

    func discardValues(of stream: String) { bus.forgetValues(of: stream) }

    func hasSubscribers(of stream: String) -> Bool { bus.stageSubscribers.contains(stream) }

    func onSubscription(of stream: String, _ body: (@Sendable () -> Void)?) {
        bus.stageSubscribers.onSubscription(of: stream, body)
        deliveries?.onRoom(of: stream, body)
    }

    func publish(_ event: StreamEvent<JSON>, number: Int, of status: RunStatus) {
        if let value = event.value { outputs.note(value, at: event.time, of: status.stream) }
        guard let deliveries, deliveries.takesOutputs(of: status.stream) else { return }
        let size = event.value.map { $0.description.utf8.count } ?? 0
        deliveries.publish(OutputPlace(run: status.run, sequence: number), size: size, of: status.stream)
    }

    func hasRoom(for stream: String) -> Bool { deliveries?.hasRoom(for: stream) ?? true }

    func use(_ sinks: [CompiledSink], after number: Int, of status: RunStatus, keepsOthers: Bool) {
        let place = OutputPlace(run: status.run, sequence: number)
        deliveries?.use(sinks, of: status.stream, after: place, keepsOthers: keepsOthers)
    }

    func noteStored(_ stream: String) {
        deliveries?.noteStored(stream)
        subscriptions.noteStored(stream)
    }

    func forgetOutputs(of stream: String, upTo run: Int) { deliveries?.forgetOutputs(of: stream, upTo: run) }

    func count(_ event: RunEvent) {
        counters.count { counts in
            switch event {
            case .begun: counts.runsBegun += 1
            case .failed: counts.runsFailed += 1
            case .skipped(let count): counts.ticksSkipped += count
            case .batchStored: counts.batchesStored += 1
            case .storeFailed: counts.storeFailures += 1
            }
        }
    }
}

extension StageWatch.Mark {
    /// Returns the mark as an event; `stream` is the id as JSON.
    func value(of stream: String) -> EventBus.Value {
        let head = #"{"stream": \#(stream), "stage": \#(stage), "time": \#(mark.time)"#
        switch mark.kind {
        case .value(let value):
            let data = #"\#(head), "value": \#(value), "origins": \#(mark.origins)}"#
            return EventBus.Value(event: "value", data: data, time: mark.time)
        case .completed: return EventBus.Value(event: "completed", data: head + "}", time: mark.time)
        case .reported(let error), .failed(let error):
            let event = mark.kind.isEnd ? "failed" : "reported"
            let data = #"\#(head), "error": \#(JSON.string(error.description))}"#
            return EventBus.Value(event: event, data: data, time: mark.time)
        }
    }
}
#endif
