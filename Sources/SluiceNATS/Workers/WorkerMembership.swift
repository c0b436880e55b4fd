#if NATS
import Foundation
import Sluice
import SluiceJSON
import SluiceRuns

/// The membership of a worker in its group: a key of a bucket whose keys expire, which the worker renews.
///
/// Whoever reads the bucket sees the workers that are there. The membership counts from the instant at which the renewal was
/// asked for, which is before the server's, so that a worker knows that it is gone before the others do.
final class WorkerMembership: Sendable {
    private struct State {
        /// The instant up to which the membership holds.
        var end: Int64 = .min
        /// The number of times that the membership has begun again.
        var epoch = 0
    }

    /// The bucket of the workers.
    static let bucket = "sluice-workers"
    /// The id of the worker.
    let id: String
    private let bucket: NATSBucket
    private let group: String
    private let duration: Duration
    private let timer: any RunTimer
    private let state = Locked(State())
    /// The thread of renewals, which wait for no other request of the connection.
    private let calls = BlockingCalls(atOnce: 1)

    /// - Parameters:
    ///   - id: The id of the worker.
    ///   - group: The group.
    ///   - bucket: The bucket.
    ///   - duration: The time after which the keys of the bucket expire.
    ///   - timer: The clock.
    init(_ id: String, in group: String, _ bucket: NATSBucket, lasting duration: Duration, timer: any RunTimer) {
        (self.id, self.group, self.bucket) = (id, group, bucket)
        (self.duration, self.timer) = (duration, timer)
    }

    /// The number of times that the membership has begun again; `nil` while it does not hold.
    var epoch: Int? { state.withLock { timer.now < $0.end ? $0.epoch : nil } }

    /// Renews the membership.
    func renew(_ report: WorkerReport) async throws {
        let asked = timer.now
        let bytes = try SluiceJSONEncoder().bytes(report)
        let key = try self.key
        _ = try await calls.perform { [bucket] in try bucket.put(bytes, for: key) }
        state.withLock { state in
            if timer.now >= state.end { state.epoch += 1 }
            // A quarter is for clocks that differ, and for what is under way.
            state.end = max(state.end, asked + duration.wholeNanoseconds * 3 / 4)
        }
    }

    /// Ends the membership.
    func leave() async throws {
        state.withLock { $0.end = .min }
        let key = try self.key
        try await calls.perform { [bucket] in try bucket.purge(key) }
    }

    /// Reads the group.
    ///
    /// - Returns: The workers in the order of their ids, and whether this one is asked to be drained; `nil` without a request.
    func read() async throws -> (workers: [WorkerReport], isDrainWanted: Bool?) {
        let keys = "\(try BucketKey.token(group)).>"
        let request = "\(try key).\(Self.drainToken)"
        let entries = try await bucket.connection.perform { [bucket] _ in try bucket.values(of: keys) }
        let wanted = entries.first { $0.key == request }?.value
        return (Self.reports(in: entries), wanted.map { String(decoding: $0, as: UTF8.self) == "true" })
    }

    /// Returns the reports among the values of the bucket, in the order of the workers' ids.
    static func reports(in entries: [NATSEntry]) -> [WorkerReport] {
        entries.compactMap { entry in
            entry.value.flatMap { try? SluiceJSONDecoder().decode(WorkerReport.self, from: $0) }
        }
        .sorted { $0.id < $1.id }
    }

    /// The last token of the key of a request to drain the worker, or to end that. The request expires as memberships do, so
    /// that nothing is left of a worker that is gone.
    static let drainToken = "drain"

    private var key: String { get throws { "\(try BucketKey.token(group)).\(id)" } }
}
#endif
