import SluiceJSON

/// A value of a stream, and the operators that decide when it is passed on: the smallest unit of a stream.
///
/// ```swift
/// let item = StreamItem(value: 1, operators: [.delay(seconds: 1)])
/// // {"value": 1, "operators": [{"delay": {"seconds": 1}}]}
/// ```
public struct StreamItem<Value: Codable & Sendable>: Codable, Sendable {
    /// What is passed on.
    public let value: Value
    /// What happens to it first, in order.
    public var operators: [Operator]
    /// Further members: `x-…`, and those that are not known.
    var kept: [KeptMember] = []
    /// The whole item as it stands in its text, where it can't be read.
    var unread: JSONSlice?

    /// Makes an item.
    public init(value: Value, operators: [Operator] = []) {
        self.value = value
        self.operators = operators
    }

    /// Reads an item; one without `operators` has none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MemberKey.self)
        value = try container.decode(Value.self, forKey: "value")
        operators = try container.decodeIfPresent([Operator].self, forKey: "operators") ?? []
        kept = try container.kept(besides: ["value", "operators"])
    }

    /// Writes the item with all that its text had.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberKey.self)
        try container.encode(value, forKey: "value")
        try container.encode(operators, forKey: "operators")
        try container.encode(kept)
    }
}

extension StreamItem: Equatable where Value: Equatable {}
extension StreamItem: Hashable where Value: Hashable {}
