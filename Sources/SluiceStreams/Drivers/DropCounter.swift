import Sluice

/// Counts the items that buffers have dropped, by the names of their sources.
///
/// ```swift
/// let host = StreamHost()
/// let dropped = host.drops.total  // 0, until a source floods
/// ```
public final class DropCounter: Sendable {
    private let counts = Locked<[String: Int]>([:])

    /// Makes a counter that has counted nothing.
    public init() {}

    /// How many items each source has lost; a source that lost none is not there.
    public var bySource: [String: Int] { counts.withLock { $0 } }

    /// How many items all sources have lost.
    public var total: Int { counts.withLock { $0.values.reduce(0, +) } }

    func add(_ source: String) { counts.withLock { $0[source, default: 0] += 1 } }
}
