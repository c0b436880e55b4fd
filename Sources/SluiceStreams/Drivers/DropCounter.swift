import Sluice

/// A counter of the items that buffers have dropped, by the names of their sources.
///
/// ```swift
/// let host = StreamHost()
/// let dropped = host.drops.total  // 0, until a source floods
/// ```
public final class DropCounter: Sendable {
    private let counts = Locked<[String: Int]>([:])

    /// Creates a counter at 0.
    public init() {}

    /// The number of items that each source has lost; sources without losses are omitted.
    public var bySource: [String: Int] { counts.withLock { $0 } }

    /// The number of items that all sources have lost.
    public var total: Int { counts.withLock { $0.values.reduce(0, +) } }

    func add(_ source: String) { counts.withLock { $0[source, default: 0] += 1 } }
}
