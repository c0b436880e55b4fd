package import Foundation
package import SluiceJSON
package import SluiceStreams

/// A delivery of a sample to a sink, for an author who edits it. It is sent, and nothing of it is stored.
package struct DeliverySample: Sendable {
    private let sink: CompiledSink
    /// The request, with the names of secrets in it.
    package let request: JSON

    /// Makes the request of a sample.
    ///
    /// - Parameter item: The sample, in the place of an output.
    /// - Throws: ``StreamError`` if an expression fails, or if the condition of the sink rejects the sample.
    package init(of item: JSON, for sink: CompiledSink) throws {
        guard try sink.accepts(item) else {
            throw StreamError(message: "\"when\" is false for this sample: the sink would not deliver it")
        }
        _ = try sink.key(of: item)
        request = try sink.request(for: [item])
        self.sink = sink
    }

    /// Attempts the delivery once, through the filters of the sink's stack, under a key that no delivery has.
    ///
    /// - Returns: The error; `nil` if the receiver has acknowledged the sample.
    /// - Cancellation: Cancels the attempt.
    package func send(
        of stream: String,
        to host: StreamHost,
        at time: Date,
        clock: any Clock<Duration> = .continuous
    ) async -> String? {
        let key = DeliveryKey.make(stream: stream, run: ULID.make(at: time), sink: sink.id, sequence: 0)
        let filters = SinkFilters(sink.rules.stack, clock: clock)
        let attempt = PreparedAttempt(key, request.description, to: sink, through: filters)
        switch await AttemptTask.run({ await host.outcome(of: attempt, stream, cancel: $0) }) {
        case .delivered: return nil
        case .failed(let error, _), .held(let error, _), .refused(let error): return error
        }
    }
}
