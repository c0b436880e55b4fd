#if NATS
import Foundation
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

    /// Calls `body` on a thread for blocking calls with the bucket of the workers; `nil` before the first worker has made it.
    private func asking<Result: Sendable>(
        _ body: @escaping @Sendable (NATSBucket?) throws -> Result
    ) async throws -> Result {
        do {
            return try await connection.perform { connection in
                do {
                    // Opening a bucket that is missing would create it, without an expiry.
                    _ = try connection.streamState("KV_\(WorkerMembership.bucket)")
                } catch NATSError.missing { return try body(nil) }
                return try body(try connection.bucket(NATSBucketSettings(name: WorkerMembership.bucket)))
            }
        } catch let error as NATSError {
            throw StoreError(.unavailable(reason: "\(error)"))
        }
    }
}
#endif
