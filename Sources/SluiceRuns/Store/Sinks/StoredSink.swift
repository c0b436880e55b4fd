/// The stored state of a sink: which outputs its receiver has acknowledged.
public struct StoredSink: Sendable, Hashable, Codable {
    /// The id of the stream.
    public let stream: String
    /// The id of the sink.
    public let id: String
    /// The last output up to which all are acknowledged, skipped, or not for this sink.
    public let cursor: OutputPlace
    /// The acknowledged outputs after the cursor, in order.
    public let acknowledged: [OutputPlace]
    /// The number of outputs that were delivered.
    public let delivered: Int
    /// The number of outputs that went to the dead letters.
    public let failed: Int
    /// A fingerprint of the sink in its document, which makes the requests; `nil` where it is not known.
    public let fingerprint: String?

    /// Creates a state.
    public init(
        stream: String,
        id: String,
        cursor: OutputPlace,
        acknowledged: [OutputPlace] = [],
        delivered: Int = 0,
        failed: Int = 0,
        fingerprint: String? = nil
    ) {
        (self.stream, self.id, self.cursor, self.acknowledged) = (stream, id, cursor, acknowledged)
        (self.delivered, self.failed, self.fingerprint) = (delivered, failed, fingerprint)
    }
}

/// A delivery whose request is fixed, and that is not acknowledged yet.
public struct StoredDelivery: Sendable, Hashable, Codable {
    /// The place of its first output.
    public let first: OutputPlace
    /// The place of its last output; that of the first unless it is a batch.
    public let last: OutputPlace
    /// The idempotency key.
    public let key: String
    /// The request as JSON, which each attempt repeats.
    public let request: String
    /// The number of requests that were made for the outputs, from 1: an edit of a blocked sink makes another.
    public let round: Int
    /// The answer that has blocked the sink; `nil` where it is not blocked.
    public let refusal: String?

    /// Creates a delivery.
    public init(
        first: OutputPlace,
        last: OutputPlace,
        key: String,
        request: String,
        round: Int = 1,
        refusal: String? = nil
    ) {
        (self.first, self.last, self.key, self.request) = (first, last, key, request)
        (self.round, self.refusal) = (round, refusal)
    }
}
