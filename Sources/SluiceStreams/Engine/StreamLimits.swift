/// The limits on the work of a run, so that no document loops forever or fills the memory.
public struct StreamLimits: Sendable, Hashable {
    /// The maximum number of values and subscriptions at one instant.
    public var eventsPerInstant: Int
    /// The maximum number of items that all operators together may hold back.
    public var heldItems: Int
    /// The largest value that a stage of a run in a hub or a follower may pass on, in bytes, as far as it can be
    /// estimated; the run fails at a larger one. The values of one instant may take 64 times as much together.
    public var valueSize: Int

    /// Creates limits.
    public init(eventsPerInstant: Int = 1_000_000, heldItems: Int = 1_000_000, valueSize: Int = .max) {
        self.eventsPerInstant = eventsPerInstant
        self.heldItems = heldItems
        self.valueSize = valueSize
    }

    /// The size of the values that the stages of a run may pass on at one instant together, in bytes: an instant may have many
    /// values, and nothing is measured before its end.
    var instantSize: Int { valueSize > Int.max / 64 ? .max : valueSize * 64 }
}
