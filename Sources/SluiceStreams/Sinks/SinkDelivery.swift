package import SluiceFilters
public import SluiceJSON

/// One attempt to deliver outputs to a receiver.
public struct SinkDelivery: Sendable {
    /// The name of the delivery, which all its attempts share and no other delivery of any host has:
    /// `STREAM/RUN/SINK/SEQUENCE`.
    ///
    /// A receiver that ignores a name that it has seen processes each output exactly once.
    public let key: String
    /// The arguments of the sink with its expressions evaluated, which are the same for each attempt.
    public let request: JSON
    /// The id of the stream.
    public let stream: String
    /// A Boolean value that indicates whether the sink delivers one output after the other, so that the receiver of one has
    /// all that came before it.
    package var isOrdered = true
    /// Cancels the task of the attempt: a receiver that limits its time has it called at the end.
    package var cancel: @Sendable () -> Void = {}

    /// Creates an attempt.
    public init(key: String, request: JSON, stream: String) {
        (self.key, self.request, self.stream) = (key, request, stream)
    }
}

/// A refusal of a delivery that further attempts can't mend.
///
/// ```swift
/// var host = StreamHost()
/// host.registerSink("notify") { delivery in
///     guard delivery.request["value"]?.string != nil else { throw SinkRefusalError("a text is needed") }
/// }
/// ```
public struct SinkRefusalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason.
    public let description: String

    /// Creates a refusal.
    public init(_ reason: String) { description = reason }
}

/// A failure of a delivery that may pass, with the time for which the receiver wants no further attempt.
public struct SinkRetryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason.
    public let description: String
    /// The least time until the next attempt; `nil` if the receiver has named none.
    public let wait: Duration?

    /// Creates a failure.
    public init(_ reason: String, after wait: Duration? = nil) { (description, self.wait) = (reason, wait) }
}

/// An attempt that the host holds back: nothing is wrong with the receiver, and no rule counts it.
package struct SinkHoldError: Error, Sendable, CustomStringConvertible {
    /// The reason.
    package let description: String
    /// The least time until the next attempt; `nil` for that of any failure.
    package let wait: Duration?

    /// Creates a hold.
    package init(_ reason: String, for wait: Duration? = nil) { (description, self.wait) = (reason, wait) }
}

extension SinkHoldError: ClassifiedError {
    package var responseClass: ResponseClass { .ignorable }
}

extension StreamHost {
    /// A closure that delivers outputs.
    package typealias Receiver = @Sendable (SinkDelivery) async throws -> Void

    /// Registers a receiver under a name, replacing any receiver of that name.
    ///
    /// ```swift
    /// var host = StreamHost()
    /// host.registerSink("print") { delivery in print(delivery.request["value"] ?? .null) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the receiver in documents, under `outside`. `post` and `lines` replace those sinks.
    ///   - deliver: A closure that delivers outputs, and returns when the receiver has them. An error that it throws is
    ///     tried again, with the same key and the same request, unless it is a ``SinkRefusalError``. The task is
    ///     canceled when the host shuts down.
    public mutating func registerSink(
        _ name: String,
        _ deliver: @escaping @Sendable (SinkDelivery) async throws -> Void
    ) {
        receivers[name] = deliver
    }

    /// Returns the receiver of a name.
    package func receiver(_ name: String) -> Receiver? { receivers[name] }

    /// Returns the host with a call before each attempt, outside of its filters. An attempt is held back if the call throws an
    /// error.
    package func gatingDeliveries(_ gate: @escaping @Sendable () throws(SinkHoldError) -> Void) -> StreamHost {
        var host = self
        host.gate = gate
        return host
    }

    /// The names of the receivers, in order.
    public var sinkNames: [String] { receivers.keys.sorted() }
}
