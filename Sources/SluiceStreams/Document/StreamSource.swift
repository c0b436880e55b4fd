import SluiceJSON

/// Where the values of a stream come from, as data.
///
/// On the wire it is an object with one key that names it, `{"values": [1, 2, 3]}`, or an object of a source and
/// operators, `{"source": {"ref": "numbers"}, "operators": […]}`.
public indirect enum StreamSource: Sendable, Hashable {
    /// A source by its name.
    case named(NamedSource)
    /// A stream within a stream.
    case pipeline(StreamPipeline)
}

/// A source by its name, with what it takes.
public struct NamedSource: Sendable, Hashable {
    /// Its name in canonical text.
    public let name: String
    /// What stands at the keys of its parameters.
    var arguments: [String: Argument]
    /// Further members beside its name.
    var kept: [KeptMember] = []
    /// Further members among its parameters.
    var keptArguments: [KeptMember] = []
    /// The whole source as it stood in its text, where its name is not known.
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

    /// The kind; `nil` where the name is not known.
    var kind: SourceKind? { SourceKind.named[name] }
}

/// A source and a list of operators: what every stream is.
public struct StreamPipeline: Sendable, Hashable {
    /// Where the values come from.
    public var source: StreamSource
    /// What happens to them, in order.
    public var operators: [Operator]
    /// The type of the source's items; `nil` where nothing is said: any.
    public var item: ItemType?
    /// Whether a `stream` source is written short: `"stream": […]` for `"source": {"stream": […]}`.
    var isShort = false
    /// Further members of a stream within a stream.
    var kept: [KeptMember] = []

    /// Makes a pipeline.
    public init(source: StreamSource, operators: [Operator] = [], item: ItemType? = nil) {
        self.source = source
        self.operators = operators
        self.item = item
    }
}

/// What the items of a source are, as its author declares it: expressions over them are checked and faster.
public enum ItemType: String, Sendable, Hashable, CaseIterable {
    /// Whole numbers.
    case int
    /// Numbers.
    case double
    /// Texts.
    case string
    /// `true` and `false`.
    case bool
    /// Anything.
    case dyn
}
