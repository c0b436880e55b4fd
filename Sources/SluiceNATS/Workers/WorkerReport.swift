#if NATS
public import Foundation

/// A worker as it shows itself to the others of its group.
public struct WorkerReport: Sendable, Hashable, Codable {
    /// A unit that the worker has.
    public struct Unit: Sendable, Hashable, Codable {
        /// The unit.
        public let unit: WorkUnit
        /// The state of its run: `opening`, or one of those of a run.
        public let state: String
        /// The error with which the run has failed, or the reason for which it waits; `nil` without either.
        public let reason: String?
        /// The number of messages of the subject that waited behind those that the unit has taken, for any partition; `nil` as
        /// long as it is not known, and for a stream with another source.
        public let behind: Int?
    }

    /// The id of the worker, which no other has.
    public let id: String
    /// The group.
    public let group: String
    /// The name for people.
    public let name: String
    /// The time at which it was started.
    public let since: Date
    /// The units that it has, in order.
    public let units: [Unit]
    /// A Boolean value that indicates whether it gives its units to the others, and takes no more.
    public let isDraining: Bool
}
#endif
