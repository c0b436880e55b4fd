public import SluiceJSON

/// The source of a stream's values, as data.
///
/// In JSON it is an object with one key that names it, `{"values": [1, 2, 3]}`, or an object of a source and operators,
/// `{"source": {"ref": "numbers"}, "operators": […]}`.
public indirect enum StreamSource: Sendable, Hashable {
    /// A source by its name.
    case named(NamedSource)
    /// A stream within a stream.
    case pipeline(StreamPipeline)
}

/// A source by its name, with its arguments.
public struct NamedSource: Sendable, Hashable {
    /// Its name in canonical text.
    public let name: String
    /// The arguments, by the keys of their parameters.
    var arguments: [String: Argument]
    /// Further members next to its name.
    var kept: [KeptMember] = []
    /// Further members among its parameters.
    var keptArguments: [KeptMember] = []
    /// The whole source as it appeared in its text, if its name is unknown.
    var unknown: JSONSlice?

    init(_ kind: SourceKind, _ arguments: [String: Argument?] = [:]) {
        name = kind.name
        self.arguments = arguments.compactMapValues(\.self)
    }

    init(unknown: JSONSlice, name: String) {
        self.name = name
        self.arguments = [:]
        self.unknown = unknown
    }

    /// The kind; `nil` if the name is unknown.
    var kind: SourceKind? { SourceKind.named[name] }
}

/// A source and a list of operators, which together make a stream.
public struct StreamPipeline: Sendable, Hashable {
    /// The source of the values.
    public var source: StreamSource
    /// The operators that are applied to the values, in order.
    public var operators: [Operator]
    /// The type of the source's items; `nil` for any.
    public var item: ItemType?
    /// A Boolean value that indicates whether a `stream` source is written in short form: `"stream": […]` for
    /// `"source": {"stream": […]}`.
    var isShort = false
    /// Further members of a stream within a stream.
    var kept: [KeptMember] = []

    /// Creates a pipeline.
    public init(source: StreamSource, operators: [Operator] = [], item: ItemType? = nil) {
        self.source = source
        self.operators = operators
        self.item = item
    }
}

/// The declared type of a source's items, with which expressions are checked and run faster.
public enum ItemType: Sendable, Hashable {
    /// Whole numbers.
    case int
    /// Numbers.
    case double
    /// Strings.
    case string
    /// The values `true` and `false`.
    case bool
    /// Any values.
    case dyn
    /// Values that meet a schema; others are omitted and reported.
    case schema(ItemSchema)

    /// The types with a name, by their names.
    static let named: [(name: String, type: ItemType)] = [
        ("int", .int), ("double", .double), ("string", .string), ("bool", .bool), ("dyn", .dyn),
    ]

    /// Creates the type with a name such as `int`; returns `nil` for an unknown name.
    public init?(_ name: String) {
        guard let type = Self.named.first(where: { $0.name == name })?.type else { return nil }
        self = type
    }

    /// The type in a document: its name, or its schema.
    public var json: JSON {
        if case .schema(let schema) = self { return schema.json }
        return .string(Self.named.first { $0.type == self }?.name ?? "")
    }
}

extension ItemType: CustomStringConvertible {
    /// The name of the type, or the JSON of its schema.
    public var description: String { json.string ?? json.description }
}
