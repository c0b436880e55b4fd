import Sluice

/// A flag that is set once.
package final class CancelFlag: Sendable {
    private let state = Locked(false)

    /// Creates a flag that is not set.
    package init() {}

    /// A Boolean value that indicates whether the flag is set.
    package var isSet: Bool { state.withLock { $0 } }

    /// Sets the flag.
    package func set() { state.withLock { $0 = true } }
}
