import SluiceJSON

/// What decides which values of a stream are passed on, when, and as what: an operator as data.
///
/// On the wire it is an object with one key that names it: `{"delay": {"seconds": 1}}`; beside that may stand `id`,
/// `note`, `disabled` and keys that begin with `x-`.
///
/// ```swift
/// let even = Operator.filter("x % 2 == 0")  // {"filter": {"expression": "x % 2 == 0"}}
/// ```
public struct Operator: Sendable, Hashable {
    /// Who it is, through all edits: what keeps its id keeps its state.
    public var id: String?
    /// What its author wants to say of it.
    public var note: String?
    /// Whether values pass it as if it were not there.
    public var isDisabled = false
    /// Its name in canonical text.
    public let name: String
    /// What stands at the keys of its parameters.
    var arguments: [String: Argument]
    /// Further members beside its name.
    var kept: [KeptMember] = []
    /// Further members among its parameters.
    var keptArguments: [KeptMember] = []
    /// The whole operator as it stood in its text, where its name is not known.
    var unknown: JSONSlice?

    /// Makes an operator of a known kind; arguments that are `nil` are left out.
    init(_ kind: OperatorKind, _ arguments: [String: Argument?] = [:]) {
        name = kind.name
        self.arguments = arguments.compactMapValues(\.self)
    }

    /// Keeps an operator whose name is not known.
    init(unknown: JSONSlice, name: String) {
        self.name = name
        self.arguments = [:]
        self.unknown = unknown
    }

    /// What people read beside its name: its expression, or its one plain argument.
    var expression: String? {
        if case .json(.string(let text)) = arguments["expression"] { return text }
        let plain = (kind?.parameters ?? []).compactMap { parameter -> String? in
            guard case .json(let json) = arguments[parameter.name] else { return nil }
            return "\(parameter.name) \(json)"
        }
        return plain.isEmpty ? nil : plain.joined(separator: ", ")
    }

    /// The kind; `nil` where the name is not known.
    var kind: OperatorKind? { OperatorKind.named[name] }
}
