import SluiceJSON

/// An operator as data: it decides which values of a stream are passed on, when, and in which form.
///
/// In JSON it is an object with one key that names it: `{"delay": {"seconds": 1}}`, optionally with `id`, `note`,
/// `disabled`, and keys that begin with `x-`.
///
/// ```swift
/// let even = Operator.filter("x % 2 == 0")  // {"filter": {"expression": "x % 2 == 0"}}
/// ```
public struct Operator: Sendable, Hashable, NamedPart {
    /// The identity of the operator through all edits: an operator that keeps its id keeps its state.
    public var id: String?
    /// A note of its author.
    public var note: String?
    /// A Boolean value that indicates whether values pass it as if it were not there.
    public var isDisabled = false
    /// Its name in canonical text.
    public let name: String
    /// The arguments, by the keys of their parameters.
    var arguments: [String: Argument]
    /// Further members next to its name.
    var kept: [KeptMember] = []
    /// Further members among its parameters.
    var keptArguments: [KeptMember] = []
    /// The whole operator as it appeared in its text, if its name is unknown.
    var unknown: JSONSlice?

    /// Creates an operator of a known kind; arguments that are `nil` are omitted.
    init(_ kind: OperatorKind, _ arguments: [String: Argument?] = [:]) {
        name = kind.name
        self.arguments = arguments.compactMapValues(\.self)
    }

    /// Keeps an operator whose name is unknown.
    init(unknown: JSONSlice, name: String) {
        self.name = name
        self.arguments = [:]
        self.unknown = unknown
    }

    /// The text that is shown next to its name: its expression, or its only plain argument.
    var expression: String? {
        if case .json(.string(let text)) = arguments["expression"] { return text }
        let plain = (kind?.parameters ?? []).compactMap { parameter -> String? in
            guard case .json(let json) = arguments[parameter.name] else { return nil }
            return "\(parameter.name) \(json)"
        }
        return plain.isEmpty ? nil : plain.joined(separator: ", ")
    }
}
