#if Hub
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// Publishes the runs of a hub on its event bus, and counts them.
struct HubPublisher: RunPublisher {
    let bus: EventBus
    let counters: HubCounters

    func publish(_ status: RunStatus, isNewRun: Bool) { bus.publish(status, isNew: isNewRun) }

    func publish(_ marks: [StageWatch.Mark], of stream: String) {
        let id = JSON.string(stream).description
        bus.publish(marks.map { $0.value(of: id) }, of: stream)
    }

    func discardValues(of stream: String) { bus.forgetValues(of: stream) }

    func hasSubscribers(of stream: String) -> Bool { bus.stageSubscribers.contains(stream) }

    func onSubscription(of stream: String, _ body: (@Sendable () -> Void)?) {
        bus.stageSubscribers.onSubscription(of: stream, body)
    }

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
