#if NATS
import Foundation
import Sluice
import SluiceJSON
public import SluiceRuns

/// The outputs that hubs and workers share over NATS JetStream.
///
/// ```text
/// let connection = try await NATSConnection.connect(NATSSettings("nats://127.0.0.1:4222"))
/// var settings = HubSettings()
/// settings.sharedOutputs = NATSSharedOutputs(connection)
/// ```
///
/// They are messages of the stream `sluice-outputs`, which keeps them for a day, and up to 1 GiB in all. Each run has a subject for
/// what comes from now on, `sluice.outputs.STREAM.RUN`, another one that ends with `.start` for everything that is kept, and each
/// partition of a worker has one. The requests are keys of the bucket `sluice-output-requests`, which expire after a day.
public struct NATSSharedOutputs: SharedOutputs {
    /// The stream of JetStream with all shared outputs.
    static let stream = "sluice-outputs"
    /// The bucket of the requests.
    static let bucket = "sluice-output-requests"
    /// The size of all outputs that are kept, in bytes.
    static let size = 1 << 30
    /// The number of runs whose last messages are remembered.
    private static let mostHeads = 4096

    private let connection: NATSConnection
    private let replicas: Int
    /// The last message of each subject that this process has written.
    private let heads = Heads()

    private final class Heads: Sendable {
        /// The sequence of a message, and that of its output in the run; 0 for none.
        struct Head: Sendable {
            let message: UInt64
            let output: Int
        }

        let all = Locked<[String: Head]>([:])
    }

    /// Creates the outputs that a connection reaches.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - replicas: The number of servers that keep a copy of a new stream and bucket.
    public init(_ connection: NATSConnection, replicas: Int = 1) {
        (self.connection, self.replicas) = (connection, replicas)
    }

    // MARK: Requests

    /// As `SharedOutputs.request(_:)`.
    public func request(_ request: SharedOutputRequest) async throws {
        let text = request.isFromStart ? "start" : "now"
        let key = "\(try BucketKey.token(request.stream)).\(text)"
        _ = try await perform { connection in try openRequests(connection).put(Array(text.utf8), for: key) }
    }

    /// As `SharedOutputs.requests()`.
    public func requests() async throws -> AsyncThrowingStream<SharedOutputRequest, any Error> {
        let watch = try await perform { connection in try openRequests(connection).watch(">") }
        let (requests, continuation) = AsyncThrowingStream<SharedOutputRequest, any Error>.makeStream()
        let work = Task {
            do {
                for try await event in watch.events() {
                    guard case .entry(let entry) = event, entry.value != nil else { continue }
                    let parts = entry.key.split(separator: ".")
                    guard parts.count == 2, let stream = BucketKey.id(ofToken: String(parts[0])) else { continue }
                    continuation.yield(SharedOutputRequest(stream: stream, isFromStart: parts[1] == "start"))
                }
                continuation.finish()
            } catch { continuation.finish(throwing: StoreError(.unavailable(reason: "\(error)"))) }
        }
        continuation.onTermination = { _ in work.cancel() }
        return requests
    }

    private func openRequests(_ connection: NATSConnection) throws -> NATSBucket {
        var settings = NATSBucketSettings(name: Self.bucket)
        (settings.expiry, settings.replicas) = (SharedOutputRequest.lifetime, replicas)
        return try connection.bucket(settings)
    }

    // MARK: Reading

    /// As `SharedOutputs.outputs(for:after:)`.
    public func outputs(
        for request: SharedOutputRequest,
        after position: String?
    ) async throws -> any SharedOutputReading {
        let subject = try OutputSubject.all(of: request.stream)
        return try await perform { connection in
            try createStream(connection)
            return try NATSOutputReading(
                connection,
                subject,
                after: position.flatMap { SubjectPlace($0) },
                isFromStart: request.isFromStart
            )
        }
    }

    // MARK: Sharing

    /// As `SharedOutputs.lastShared(ofRun:for:)`.
    public func lastShared(ofRun run: String, for request: SharedOutputRequest) async throws -> Int? {
        let subject = try OutputSubject.text(ofRun: run, for: request)
        return try await perform { connection in
            let head = try head(of: subject, connection)
            remember(head, of: subject)
            return head.message == 0 ? nil : head.output
        }
    }

    /// As `SharedOutputs.share(_:ofRun:for:)`.
    public func share(_ output: StoredOutput, ofRun run: String, for request: SharedOutputRequest) async throws {
        let subject = try OutputSubject.text(ofRun: run, for: request)
        try await perform { connection in
            // While an attempt is under way, nothing is known for sure.
            let known = heads.all.withLock { $0.removeValue(forKey: subject) }
            let head = try known ?? head(of: subject, connection)
            if head.output >= output.sequence { return remember(head, of: subject) }
            let receipt: NATSReceipt
            do {
                receipt = try connection.publish(OutputMessage(output).bytes, to: subject, ifLast: head.message)
            } catch NATSError.tooLarge(_, let size, let limit) {
                let reason = "output \(output.place) has \(size) bytes, and the NATS server takes \(limit)"
                let message = OutputMessage(place: output.place, content: .missing(reason: reason))
                receipt = try connection.publish(message.bytes, to: subject, ifLast: head.message)
            }
            remember(Heads.Head(message: receipt.sequence, output: output.sequence), of: subject)
        }
    }

    /// Returns the last message of a subject, as the server has it.
    private func head(of subject: String, _ connection: NATSConnection) throws -> Heads.Head {
        try createStream(connection)
        guard let last = try connection.lastMessage(of: subject, in: Self.stream) else {
            return Heads.Head(message: 0, output: 0)
        }
        return Heads.Head(message: last.sequence, output: OutputMessage(last.bytes)?.place?.sequence ?? 0)
    }

    private func remember(_ head: Heads.Head, of subject: String) {
        heads.all.withLock { heads in
            if heads.count >= Self.mostHeads { heads = [:] }
            heads[subject] = head
        }
    }

    // MARK: NATS

    private func createStream(_ connection: NATSConnection) throws(NATSError) {
        guard try connection.stream(of: "sluice.outputs.>") == nil else { return }
        var settings = NATSStreamSettings(name: Self.stream, subjects: ["sluice.outputs.>"])
        (settings.replicas, settings.expiry, settings.size) = (replicas, SharedOutputRequest.lifetime, Self.size)
        try connection.createStream(settings)
    }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (NATSConnection) throws -> Value
    ) async throws -> Value {
        do { return try await connection.perform(body) } catch let error as NATSError {
            throw StoreError(.unavailable(reason: "\(error)"))
        }
    }
}
#endif
