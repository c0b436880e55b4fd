/// A unit of work, which one worker of a group has at a time: a partition of a stream.
public struct WorkUnit: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// The id of the stream.
    public let stream: String
    /// The number of the stream's division: it grows with each change of its key or its count.
    public let generation: Int
    /// The number of the partition, from 0.
    public let partition: Int

    /// Creates a unit.
    package init(_ stream: String, _ generation: Int, _ partition: Int) {
        (self.stream, self.generation, self.partition) = (stream, generation, partition)
    }

    /// The name of the unit, such as `orders/1/15`.
    public var description: String { "\(stream)/\(generation)/\(partition)" }

    /// Returns a Boolean value that indicates whether a unit comes before another in lists.
    public static func < (a: WorkUnit, b: WorkUnit) -> Bool {
        (a.stream, a.generation, a.partition) < (b.stream, b.generation, b.partition)
    }
}
