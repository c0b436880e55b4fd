/// The outputs of streams that run on other hubs of a cluster, and on its workers.
///
/// `NATSSharedOutputs` is the one on NATS. A hub has it as `HubSettings.sharedOutputs`, and calls it from any task, several times
/// at once. Outputs are shared from the moment at which a subscriber asks for them. There are two copies: one holds what comes from
/// then on, and the other one begins with what was kept before. Canceling the task of a call that writes has no effect once the call
/// has begun: an output is shared once in each copy, however many ask again.
public protocol SharedOutputs: Sendable {
    /// Asks the hubs and workers that run a stream to share its outputs.
    ///
    /// A request holds for a day, so that a subscriber that is away for less misses nothing. It is repeated while somebody reads.
    ///
    /// - Throws: `StoreError` when the cluster is not available.
    func request(_ request: SharedOutputRequest) async throws

    /// Returns the requests of all subscribers: those that hold, and then each new or repeated one.
    ///
    /// - Throws: `StoreError` when the cluster is not available, as the sequence does.
    func requests() async throws -> AsyncThrowingStream<SharedOutputRequest, any Error>

    /// Opens the outputs that are shared for a request.
    ///
    /// - Parameters:
    ///   - request: The request. A reader that begins gets everything that is kept if it is one from the start, and what comes from
    ///     now on otherwise.
    ///   - position: The position of the last output that was read for such a request, as ``SharedOutput/position``; `nil` to begin.
    /// - Throws: `StoreError` when the cluster is not available.
    func outputs(for request: SharedOutputRequest, after position: String?) async throws -> any SharedOutputReading

    /// Returns the sequence of the last output of a run that is shared for a request; `nil` where none is.
    ///
    /// - Parameters:
    ///   - run: The name of the run, which no other run of the cluster has.
    ///   - request: The request.
    /// - Throws: `StoreError` when the cluster is not available.
    func lastShared(ofRun run: String, for request: SharedOutputRequest) async throws -> Int?

    /// Shares an output of a run behind those that were shared before, and returns when it is stored.
    ///
    /// An output that is shared already for the request is not shared again.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - run: The name of the run.
    ///   - request: The request.
    /// - Throws: `StoreError` when the cluster is not available.
    func share(_ output: StoredOutput, ofRun run: String, for request: SharedOutputRequest) async throws
}

/// A request to share the outputs of a stream. Requests that are equal are served together.
public struct SharedOutputRequest: Sendable, Hashable {
    /// The id of the stream.
    public var stream: String
    /// A Boolean value that indicates whether the outputs that are kept where the stream runs are shared too.
    public var isFromStart: Bool

    /// Creates a request.
    public init(stream: String, isFromStart: Bool) { (self.stream, self.isFromStart) = (stream, isFromStart) }

    /// The time for which a request holds.
    public static let lifetime = Duration.seconds(24 * 60 * 60)
}

/// An output of a stream that runs elsewhere.
public struct SharedOutput: Sendable, Hashable {
    /// The part of an output that subscribers read.
    public enum Content: Sendable, Hashable {
        /// A value, as JSON.
        case value(String)
        /// An error that was reported, or with which the run has failed.
        case error(StoredOutput.Kind, String)
        /// An output that can't be shared, with the reason.
        case missing(reason: String)
    }

    /// The position of the output among all that are shared.
    public var position: String
    /// The content.
    public var content: Content
    /// The place of the output in its run, as the hub that runs it knows it; `nil` for one of a worker.
    public var place: OutputPlace?
    /// The name of the run, which no other run of the cluster has; `nil` for one of a worker.
    public var run: String?

    /// Creates an output.
    public init(position: String, content: Content, place: OutputPlace? = nil, run: String? = nil) {
        (self.position, self.content, self.place, self.run) = (position, content, place, run)
    }
}

/// Outputs of a stream that were read together.
public struct SharedOutputPage: Sendable, Hashable {
    /// The outputs, in order.
    public var outputs: [SharedOutput]
    /// The position behind them.
    public var position: String
    /// A Boolean value that indicates whether outputs before these may no longer be kept.
    public var mayMissOutputs: Bool

    /// Creates a page.
    public init(outputs: [SharedOutput], position: String, mayMissOutputs: Bool = false) {
        (self.outputs, self.position, self.mayMissOutputs) = (outputs, position, mayMissOutputs)
    }
}

/// A reading of the outputs of a stream that runs elsewhere.
public protocol SharedOutputReading: Sendable {
    /// The position after which the reading continues.
    var position: String { get async }

    /// Returns the next outputs as soon as there is one; a page without outputs when none has come for a second or two.
    ///
    /// - Throws: `StoreError` when the cluster is not available: another reading goes on from the last position.
    ///   `CancellationError` if the task is canceled.
    func next() async throws -> SharedOutputPage

    /// Ends the reading.
    func close() async
}
