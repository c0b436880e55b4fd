/// A type of the language, declared for a variable or a function, or inferred by the checker.
///
/// ```swift
/// let program = try CELExpression("names.exists(n, n == x)", variables: ["names": .list(.string), "x": .string])
/// print(program.type)   // bool
/// ```
public indirect enum CELType: Sendable, Hashable {
    /// Any value, checked at run time.
    case dyn
    /// The type of `null`.
    case null
    /// The type of `true` and `false`.
    case bool
    /// A signed 64-bit integer.
    case int
    /// An unsigned 64-bit integer.
    case uint
    /// A double.
    case double
    /// A string.
    case string
    /// Bytes.
    case bytes
    /// A duration.
    case duration
    /// A point in time.
    case timestamp
    /// A type as a value.
    case type(CELType)
    /// A list of elements of one type.
    case list(CELType)
    /// A map from keys of one type to values of one type.
    case map(CELType, CELType)
    /// A value that may be absent.
    case optional(CELType)
    /// A named type with parameters.
    case opaque(String, [CELType])
    /// A type that a call infers: all parameters of the same name are the same type.
    case parameter(String)
    /// Values of a shape. It is `dyn` in evaluations; a check reports the parts that fail on all of its values.
    case shape(CELShape)
}

extension CELType: CustomStringConvertible {
    /// The type in the language's syntax: `list(int)`.
    public var description: String {
        switch self {
        case .dyn: "dyn"
        case .null: "null_type"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .duration: "duration"
        case .timestamp: "timestamp"
        case .type(let type): "type(\(type))"
        case .list(let element): "list(\(element))"
        case .map(let key, let value): "map(\(key), \(value))"
        case .optional(let type): "optional(\(type))"
        case .opaque(let name, let parameters):
            parameters.isEmpty ? name : "\(name)(\(parameters.map(\.description).joined(separator: ", ")))"
        case .parameter(let name): name
        case .shape(let shape): shape.description
        }
    }
}

extension CELType {
    static let address = CELType.opaque("net.IP", [])
    static let network = CELType.opaque("net.CIDR", [])

    /// Returns a Boolean value that indicates whether a value may have this type, by its outermost type alone.
    func accepts(_ value: CELValue) -> Bool {
        switch (self, value) {
        case (.dyn, _), (.parameter, _), (.null, .null), (.bool, .bool), (.int, .int), (.uint, .uint),
            (.double, .double), (.string, .string), (.bytes, .bytes), (.duration, .duration),
            (.timestamp, .timestamp), (.type, .type), (.list, .list), (.map, .map), (.optional, .optional),
            (.opaque("net.IP", _), .address), (.opaque("net.CIDR", _), .network):
            true
        default: false
        }
    }

    /// The types that the type contains.
    var arguments: [CELType] {
        switch self {
        case .type(let type), .list(let type), .optional(let type): [type]
        case .map(let key, let value): [key, value]
        case .opaque(_, let parameters): parameters
        default: []
        }
    }

    /// Returns this type with other arguments.
    func with(_ arguments: [CELType]) -> CELType {
        switch self {
        case .type: .type(arguments[0])
        case .list: .list(arguments[0])
        case .optional: .optional(arguments[0])
        case .map: .map(arguments[0], arguments[1])
        case .opaque(let name, _): .opaque(name, arguments)
        default: self
        }
    }

    /// Returns a Boolean value that indicates whether both are the same except for their arguments.
    func hasSameHead(as other: CELType) -> Bool {
        switch (self, other) {
        case (.type, .type), (.list, .list), (.map, .map), (.optional, .optional): true
        case (.opaque(let left, let first), .opaque(let right, let second)):
            left == right && first.count == second.count
        default: self == other
        }
    }

    /// A Boolean value that indicates whether it contains a type parameter.
    var hasParameter: Bool {
        if case .parameter = self { return true }
        return arguments.contains(where: \.hasParameter)
    }

    /// The depth of the type.
    var depth: Int { 1 + (arguments.map(\.depth).max() ?? 0) }

    /// A number for each type without parts, or nil for a type that needs a closer comparison.
    var scalar: Int? {
        switch self {
        case .bool: 0
        case .int: 1
        case .uint: 2
        case .double: 3
        case .string: 4
        case .bytes: 5
        default: nil
        }
    }
}
