/// The buffer between a source of the outside world and a run: its size, and its policy when it is full.
///
/// ```swift
/// let latest = StreamBuffer(size: 1, whenFull: .dropOldest)  // {"size": 1, "whenFull": "dropOldest"}
/// ```
public struct StreamBuffer: Sendable, Hashable {
    /// The treatment of an item for which there is no room.
    public enum WhenFull: String, Sendable, Hashable, CaseIterable {
        /// The source waits for room: nothing is lost.
        case block
        /// The oldest waiting item is dropped.
        case dropOldest
        /// The new item is dropped.
        case dropNewest
        /// The source is stopped, and the stream fails after the waiting items.
        case fail
    }

    /// The largest size that a document may request.
    public static let largestSize = 1_000_000

    /// The maximum number of waiting items, from 1.
    public var size: Int
    /// The treatment of an item for which there is no room.
    public var whenFull: WhenFull

    /// Creates a buffer; a size outside of 1 to ``largestSize`` is replaced by the nearest valid one.
    public init(size: Int = 64, whenFull: WhenFull = .block) {
        self.size = min(max(size, 1), Self.largestSize)
        self.whenFull = whenFull
    }
}
