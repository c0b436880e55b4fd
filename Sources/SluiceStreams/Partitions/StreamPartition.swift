import SluiceExpressions
public import SluiceJSON

/// The division of a stream among workers of a cluster: by a key of each item, into a number of partitions.
///
/// ```json
/// {"partition": {"by": "x.user", "count": 16}, "source": {"subject": "orders.in"}}
/// ```
///
/// Items with one key are processed by one partition, in order. Each partition is a run of its own, with its own state.
/// Where the stream runs as a whole, as in a hub or with `sluice run`, the member has no effect.
public struct StreamPartition: Sendable, Hashable {
    /// The numbers of partitions that a stream may have.
    public static let counts = 1...1024
    /// The names of its members, in the order of canonical text.
    static let keys = ["by", "count"]

    /// The expression of an item's key, in which `x` is an item of the source.
    public let by: String
    /// The number of partitions.
    public let count: Int

    /// Creates a division.
    ///
    /// - Parameters:
    ///   - by: The expression of an item's key.
    ///   - count: The number of partitions, 1 to 1024.
    public init(by: String, count: Int) {
        (self.by, self.count) = (by, min(max(count, Self.counts.lowerBound), Self.counts.upperBound))
    }
}

extension StreamPartition: JSONWritable {
    /// Writes the division.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("by", by)
            json.member("count", count)
        }
    }
}

extension DocumentReader {
    /// Returns the division of a stream.
    mutating func partition(_ node: JSONNode?) -> StreamPartition? {
        guard let node, let fields = check.object(node, keys: StreamPartition.keys, required: StreamPartition.keys),
            fields.others.isEmpty, let by = check.string(fields["by"]),
            let count = check.int(fields["count"], in: StreamPartition.counts)
        else { return nil }
        return StreamPartition(by: by, count: count)
    }
}

extension StreamCompiler {
    /// Returns the expression of the keys, checked.
    @discardableResult
    func key(of partition: StreamPartition, _ scope: CompilationScope) -> StreamExpression {
        let stage = Stage(
            compiler: self,
            scope: scope.at(scope.path.appending("partition")),
            parameters: [],
            arguments: ["by": .json(.string(partition.by))],
            input: .never,
            item: .dyn
        )
        return stage.expression(.only(.dyn), "by")
    }
}
