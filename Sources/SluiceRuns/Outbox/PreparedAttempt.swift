import SluiceJSON
import SluiceStreams

/// An attempt with what it needs of its sink, which may be edited meanwhile.
struct PreparedAttempt: Sendable {
    let key: String
    let request: String
    let receiver: String
    /// A Boolean value that indicates whether no other attempt of the sink is made meanwhile.
    let isOrdered: Bool
    let filters: SinkFilters?

    init(_ key: String, _ request: String, to sink: CompiledSink, through filters: SinkFilters?) {
        (self.key, self.request, self.filters) = (key, request, filters)
        (receiver, isOrdered) = (sink.receiver, sink.rules.concurrency == 1)
    }
}

extension StreamHost {
    /// Makes an attempt, and returns its outcome.
    ///
    /// - Parameter cancel: Cancels the task of the attempt, for a receiver that limits its time.
    func outcome(
        of attempt: PreparedAttempt,
        _ stream: String,
        cancel: @escaping @Sendable () -> Void
    ) async -> Outbox.Outcome {
        guard let deliver = receiver(attempt.receiver) else {
            return .refused("there is no receiver '\(attempt.receiver)' here: the program has to register it")
        }
        do {
            try gate?()
            var delivery = SinkDelivery(key: attempt.key, request: try JSON(parsing: attempt.request), stream: stream)
            (delivery.isOrdered, delivery.cancel) = (attempt.isOrdered, cancel)
            if let filters = attempt.filters {
                try await filters.deliver(delivery, to: deliver)
            } else {
                try await deliver(delivery)
            }
            return .delivered
        } catch let error as SinkRefusalError {
            return .refused(error.description)
        } catch let error as SinkRetryError {
            return .failed(error.description, after: error.wait)
        } catch  where error.isLocalRefusal {
            return .held("\(error)", after: error.wantedWait)
        } catch {
            return .failed("\(error)", after: error.wantedWait)
        }
    }
}
