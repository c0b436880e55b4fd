/// A group of clients, and the streams that are given to it.
public struct StoredGroup: Sendable, Hashable {
    /// The name of the group.
    public let name: String
    /// The ids of its streams, in the order in which they were given.
    public let streams: [String]

    /// Makes an entry.
    public init(name: String, streams: [String]) {
        self.name = name
        self.streams = streams
    }
}
