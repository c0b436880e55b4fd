/// A value of the Common Expression Language.
///
/// ```swift
/// let value: CELValue = ["name": "Ada", "tags": [1, 2]]
/// print(value.typeName)   // map
/// ```
///
/// Swift's `==` is strict: same type, same value. The language's own `==` treats `1` as equal to `1.0` and `1u`.
public enum CELValue: Sendable {
    /// The value `null`.
    case null
    /// A Boolean value.
    case bool(Bool)
    /// A signed 64-bit integer.
    case int(Int64)
    /// An unsigned 64-bit integer.
    case uint(UInt64)
    /// A double.
    case double(Double)
    /// A string, a sequence of Unicode code points.
    case string(String)
    /// Bytes.
    case bytes([UInt8])
    /// A list.
    case list([CELValue])
    /// A map.
    case map(CELMap)
    /// A type, represented by its name.
    case type(String)
    /// A duration.
    case duration(CELDuration)
    /// A point in time.
    case timestamp(CELTimestamp)
    /// A value that may be absent.
    indirect case optional(CELValue?)
    /// An IP address.
    case address(CELAddress)
    /// An IP network.
    case network(CELNetwork)
}

extension CELValue {
    /// The name of the value's type, the result of `type(x)`.
    public var typeName: String {
        switch self {
        case .null: "null_type"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .list: "list"
        case .map: "map"
        case .type: "type"
        case .duration: "google.protobuf.Duration"
        case .timestamp: "google.protobuf.Timestamp"
        case .optional: "optional_type"
        case .address: "net.IP"
        case .network: "net.CIDR"
        }
    }

    /// A Boolean value that indicates whether the value is the zero value of its type: zero, empty, false, null, or an
    /// optional without a value.
    var isZero: Bool {
        switch self {
        case .null: true
        case .bool(let value): !value
        case .int(let value): value == 0
        case .uint(let value): value == 0
        case .double(let value): value == 0
        case .string(let value): value.isEmpty
        case .bytes(let value): value.isEmpty
        case .list(let value): value.isEmpty
        case .map(let value): value.isEmpty
        case .duration(let value): value.nanoseconds == 0
        case .timestamp(let value): value == CELTimestamp.zero
        case .optional(let value): value == nil
        case .type, .address, .network: false
        }
    }
}

extension CELValue: Equatable {
    /// Returns a Boolean value that indicates whether both have the same type and the same value; strings are compared
    /// by code points.
    public static func == (left: CELValue, right: CELValue) -> Bool {
        switch (left, right) {
        case (.int, .int), (.uint, .uint), (.double, .double): left.isEqual(to: right)
        case (.int, _), (.uint, _), (.double, _): false
        case (.list(let left), .list(let right)): left == right
        case (.map(let left), .map(let right)): left == right
        case (.optional(let left), .optional(let right)): left == right
        default: left.isEqual(to: right)
        }
    }
}

extension CELValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a bool.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates an int.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// Creates a double.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a list.
    public init(arrayLiteral elements: CELValue...) { self = .list(elements) }
    /// Creates a map; of two members with the same key the last counts.
    public init(dictionaryLiteral elements: (String, CELValue)...) {
        var map = CELMap()
        for (key, value) in elements { map.set(.string(key), value) }
        self = .map(map)
    }
}
