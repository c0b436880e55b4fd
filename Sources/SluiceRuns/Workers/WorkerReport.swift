public import Foundation

/// A worker as it shows itself to the others of its group, and to hubs.
///
/// Fields that an earlier version does not write have their defaults, so that workers of two versions see each other.
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
        /// The number of outputs that its sinks have still to deliver; `nil` of a worker that does not say.
        public var waiting: Int?
        /// A Boolean value that indicates whether a sink waits for a command, since a delivery has failed; `nil` of a worker that
        /// does not say.
        public var isBlocked: Bool?

        /// Creates a unit without figures of its sinks.
        package init(unit: WorkUnit, state: String, reason: String? = nil, behind: Int? = nil) {
            (self.unit, self.state, self.reason, self.behind) = (unit, state, reason, behind)
        }
    }

    /// The events that a worker counts from its start.
    public struct Counts: Sendable, Hashable, Codable {
        /// The number of units that it has taken over.
        public var takeovers = 0
        /// The number of units that other workers have taken from it, since they took it for dead.
        public var losses = 0
        /// The number of outputs that it did not publish again, since the subject had them: of an attempt whose answer was
        /// lost, or of the worker before it.
        public var repeats = 0

        /// Creates counts of 0.
        package init() {}
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
    /// The events since its start; `nil` of a worker that does not count them.
    public var counts: Counts?
    /// The units that it could not open, such as those whose state is of a later version: others take them. `nil` of a worker that does
    /// not say.
    public var refused: [WorkUnit]?

    /// Creates a report.
    package init(
        id: String,
        group: String,
        name: String,
        since: Date,
        units: [Unit],
        isDraining: Bool = false,
        counts: Counts? = nil
    ) {
        (self.id, self.group, self.name, self.since, self.units) = (id, group, name, since, units)
        (self.isDraining, self.counts) = (isDraining, counts)
    }
}
