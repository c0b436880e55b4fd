/// How much a run may do, so that no document spins for ever or fills the memory.
public struct StreamLimits: Sendable, Hashable {
    /// How many values and subscriptions there may be at one instant.
    public var eventsPerInstant: Int
    /// How many items all operators together may hold back.
    public var heldItems: Int

    /// Makes limits.
    public init(eventsPerInstant: Int = 1_000_000, heldItems: Int = 1_000_000) {
        self.eventsPerInstant = eventsPerInstant
        self.heldItems = heldItems
    }
}
