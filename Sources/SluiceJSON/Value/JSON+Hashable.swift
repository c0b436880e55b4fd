extension JSON: Hashable {
    /// Whether two values are the same JSON; the order of members does not count.
    /// - Complexity: O(*n*) in the size of the values.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.unsigned(let a), .unsigned(let b)): a == b
        case (.int(let a), .unsigned(let b)), (.unsigned(let b), .int(let a)): a >= 0 && UInt64(a) == b
        case (.double(let a), .double(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }

    /// Feeds the value to a hasher, so that equal values hash alike.
    /// - Complexity: O(*n*) in the size of the value.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .bool(let value):
            hasher.combine(1 as UInt8)
            hasher.combine(value)
        case .int(let value):
            hasher.combine(2 as UInt8)
            hasher.combine(UInt64(bitPattern: value))
        case .unsigned(let value):
            hasher.combine(2 as UInt8)
            hasher.combine(value)
        case .double(let value):
            hasher.combine(3 as UInt8)
            hasher.combine(value)
        case .number(let value):
            hasher.combine(4 as UInt8)
            hasher.combine(value)
        case .string(let value):
            hasher.combine(5 as UInt8)
            hasher.combine(value)
        case .array(let value):
            hasher.combine(6 as UInt8)
            hasher.combine(value)
        case .object(let value):
            hasher.combine(7 as UInt8)
            hasher.combine(value)
        }
    }
}
