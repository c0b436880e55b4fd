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

    /// Makes an item.
    public init(value: Value, operators: [Operator] = []) {
        self.value = value
        self.operators = operators
    }

    private enum CodingKeys: CodingKey {
        case value, operators
    }

    /// Reads an item; one without `operators` has none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        value = try container.decode(Value.self, forKey: .value)
        operators = try container.decodeIfPresent([Operator].self, forKey: .operators) ?? []
    }
}

extension StreamItem: Equatable where Value: Equatable {}
extension StreamItem: Hashable where Value: Hashable {}
