/// How much a run may do, so that no document spins for ever or fills the memory.
public struct StreamLimits: Sendable, Hashable {
    /// How many values and subscriptions there may be at one instant.
    public var eventsPerInstant: Int
    /// How many items all operators together may hold back.
    public var heldItems: Int
    /// The largest value that a stage of a run in a hub or a follower may pass on, in bytes, as far as it can be
    /// estimated; the run fails at a larger one.
    public var valueSize: Int

    /// Makes limits.
    public init(eventsPerInstant: Int = 1_000_000, heldItems: Int = 1_000_000, valueSize: Int = .max) {
        self.eventsPerInstant = eventsPerInstant
        self.heldItems = heldItems
        self.valueSize = valueSize
    }
}
