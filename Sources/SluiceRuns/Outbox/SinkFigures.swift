/// The figures of a sink that monitoring reads.
package struct SinkFigures: Sendable, Equatable, Codable {
    /// The id of the stream.
    package let stream: String
    /// The id of the sink.
    package let sink: String
    /// The number of outputs that were delivered.
    package let delivered: Int
    /// The number of outputs that went to the dead letters.
    package let failed: Int
    /// The number of outputs that wait.
    package let waiting: Int
    /// A Boolean value that indicates whether the sink waits for a command because a delivery has failed.
    package let isBlocked: Bool
}

extension SinkFigures {
    init(_ stream: String, _ status: SinkStatus) {
        self.init(
            stream: stream,
            sink: status.id,
            delivered: status.delivered,
            failed: status.failed,
            waiting: status.waiting,
            isBlocked: status.state == "blocked"
        )
    }
}
