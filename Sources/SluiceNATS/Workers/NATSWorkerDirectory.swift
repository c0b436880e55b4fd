#if NATS
import Foundation
import SluiceJSON
public import SluiceRuns

/// The workers of a cluster on NATS.
///
/// ```text
/// let connection = try await NATSConnection.connect(NATSSettings("nats://127.0.0.1:4222"))
/// let directory = NATSWorkerDirectory(connection)
/// for worker in try await directory.workers() { print(worker.name, worker.units.count) }
/// ```
public struct NATSWorkerDirectory: WorkerDirectory {
    private let connection: NATSConnection

    /// Creates the directory of the workers that a connection reaches.
    public init(_ connection: NATSConnection) { self.connection = connection }

    /// Returns the workers that show a sign of life, of all groups, in the order of their ids.
    ///
    /// - Throws: `StoreError` when NATS is not available.
    /// - Cancellation: Has no effect: a request ends when NATS answers, or after the connection's time limit.
    public func workers() async throws -> [WorkerReport] {
        try await asking { bucket in
            guard let bucket else { return [] }
            return try WorkerMembership.reports(in: bucket.values(of: ">"))
        }
    }

    /// Asks a worker to give its units to the others and to take no more, or to take units again.
    ///
    /// - Parameters:
    ///   - id: The id of the worker.
    ///   - isDraining: A Boolean value that indicates whether it is to be drained.
    /// - Returns: A Boolean value that indicates whether there is such a worker.
    /// - Throws: `StoreError` when NATS is not available.
    /// - Cancellation: Has no effect: a request ends when NATS answers, or after the connection's time limit.
    public func drain(_ id: String, _ isDraining: Bool) async throws -> Bool {
        guard let worker = try await workers().first(where: { $0.id == id }) else { return false }
        let key = "\(try BucketKey.token(worker.group)).\(try BucketKey.token(id)).\(WorkerMembership.drainToken)"
        try await asking { bucket in _ = try bucket?.put(Array("\(isDraining)".utf8), for: key) }
        return true
    }

    /// Returns the groups whose workers run a stream, or have run it and keep its state.
    ///
    /// - Parameters:
    ///   - stream: The id of the stream.
    ///   - groups: The groups that have the stream.
    /// - Throws: `StoreError` when NATS is not available.
    /// - Cancellation: Has no effect: a request ends when NATS answers, or after the connection's time limit.
    public func groups(running stream: String, among groups: [String]) async throws -> [String] {
        let keys = try groups.map { (name: $0, key: try WorkerSession.layoutKey($0, stream)) }
        return try await asking(WorkerSession.layoutBucket) { bucket in
            guard let bucket else { return [] }
            return try keys.filter { WorkerSession.layout(of: try bucket.value(of: $0.key)) != nil }.map(\.name)
        }
    }

    /// Asks the workers of a group to pause a stream, or to have it go on: also a partition that has failed.
    ///
    /// - Parameters:
    ///   - stream: The id of the stream.
    ///   - isPaused: A Boolean value that indicates whether it is to be paused.
    ///   - group: The group.
    /// - Throws: `StoreError` when NATS is not available, or no worker has divided the stream.
    /// - Cancellation: Has no effect: a request ends when NATS answers, or after the connection's time limit.
    public func pause(_ stream: String, _ isPaused: Bool, in group: String) async throws {
        let key = try WorkerSession.layoutKey(group, stream)
        try await asking(WorkerSession.layoutBucket) { bucket in
            while true {
                let entry = try bucket?.value(of: key)
                guard let bucket, let entry, var layout = WorkerSession.layout(of: entry) else {
                    throw StoreError(.missing(id: stream))
                }
                layout.order = PartitionLayout.Order(number: (layout.order?.number ?? 0) + 1, isPaused: isPaused)
                // A worker may change the division at the same time.
                do {
                    let bytes = try SluiceJSONEncoder().bytes(layout)
                    try bucket.update(bytes, for: key, ifRevision: entry.revision)
                    return
                } catch NATSError.stale {}
            }
        }
    }

    /// Calls `body` on a thread for blocking calls with a bucket of the workers; `nil` before the first worker has made it.
    private func asking<Result: Sendable>(
        _ name: String = WorkerMembership.bucket,
        _ body: @escaping @Sendable (NATSBucket?) throws -> Result
    ) async throws -> Result {
        do {
            return try await connection.perform { connection in
                do {
                    // Opening a bucket that is missing would create it, without an expiry.
                    _ = try connection.streamState("KV_\(name)")
                } catch NATSError.missing { return try body(nil) }
                return try body(try connection.bucket(NATSBucketSettings(name: name)))
            }
        } catch let error as NATSError {
            throw StoreError(.unavailable(reason: "\(error)"))
        }
    }
}
#endif
