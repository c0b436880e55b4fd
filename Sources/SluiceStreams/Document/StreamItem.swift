import SluiceJSON

/// A value of a stream with the operators that decide when it is passed on: the smallest unit of a stream.
///
/// ```swift
/// let item = StreamItem(value: 1, operators: [.delay(seconds: 1)])
/// // {"value": 1, "operators": [{"delay": {"seconds": 1}}]}
/// ```
public struct StreamItem<Value: Codable & Sendable>: Codable, Sendable {
    /// The value that is passed on.
    public let value: Value
    /// The operators that are applied to the value, in order.
    public var operators: [Operator]
    /// Further members: `x-…`, and unknown ones.
    var kept: [KeptMember] = []
    /// The whole item as it appears in its text, if it can't be read.
    var unread: JSONSlice?

    /// Creates an item.
    public init(value: Value, operators: [Operator] = []) {
        self.value = value
        self.operators = operators
    }

    /// Reads an item; without the key `operators`, it has no operators.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MemberKey.self)
        value = try container.decode(Value.self, forKey: "value")
        operators = try container.decodeIfPresent([Operator].self, forKey: "operators") ?? []
        kept = try container.kept(besides: ["value", "operators"])
    }

    /// Writes the item with all members of its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberKey.self)
        try container.encode(value, forKey: "value")
        try container.encode(operators, forKey: "operators")
        try container.encode(kept)
    }
}

extension StreamItem: Equatable where Value: Equatable {}
extension StreamItem: Hashable where Value: Hashable {}
