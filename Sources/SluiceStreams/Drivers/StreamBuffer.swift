/// The buffer between a source of the outside world and a run: how much it holds, and what happens when it is full.
///
/// ```swift
/// let latest = StreamBuffer(size: 1, whenFull: .dropOldest)  // {"size": 1, "whenFull": "dropOldest"}
/// ```
public struct StreamBuffer: Sendable, Hashable {
    /// What happens to an item for which there is no room.
    public enum WhenFull: String, Sendable, Hashable, CaseIterable {
        /// The source waits until there is room: nothing is lost.
        case block
        /// The oldest item that waits is dropped.
        case dropOldest
        /// The item itself is dropped.
        case dropNewest
        /// The source is stopped, and the stream fails after the items that wait.
        case fail
    }

    /// The most that a document may ask for.
    public static let largestSize = 1_000_000

    /// How many items may wait, from 1.
    public var size: Int
    /// What happens to an item for which there is no room.
    public var whenFull: WhenFull

    /// Makes a buffer; a size outside of 1 to ``largestSize`` is taken as the nearest.
    public init(size: Int = 64, whenFull: WhenFull = .block) {
        self.size = min(max(size, 1), Self.largestSize)
        self.whenFull = whenFull
    }
}
