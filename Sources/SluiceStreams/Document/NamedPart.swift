import SluiceJSON

/// A part of a document that is an object with one key that names it: an operator or a sink.
protocol NamedPart {
    associatedtype Kind: NamedKind

    var id: String? { get set }
    var note: String? { get set }
    var isDisabled: Bool { get set }
    var name: String { get }
    var arguments: [String: Argument] { get }
    var kept: [KeptMember] { get set }
    var keptArguments: [KeptMember] { get set }
    var unknown: JSONSlice? { get }

    /// Creates a part of a known kind.
    init(_ kind: Kind, _ arguments: [String: Argument?])

    /// Keeps a part that can't be read.
    init(unknown: JSONSlice, name: String)
}

/// A kind of named parts, in the catalog of its family.
protocol NamedKind {
    var name: String { get }
    var parameters: [Parameter] { get }

    /// The noun of the family in messages.
    static var noun: String { get }
    /// All names, the canonical ones first.
    static var names: [String] { get }
    /// All kinds by each of their names.
    static var named: [String: Self] { get }
}

extension NamedPart {
    /// The kind; `nil` if the name is unknown.
    var kind: Kind? { Kind.named[name] }

    /// Writes the part in canonical form: `id`, `note`, `disabled`, its name, then its other members. An unknown part is
    /// written byte for byte.
    func writePart(to json: inout JSONWriter) {
        if let unknown { return json.value(unknown) }
        json.object { json in
            json.member("id", ifPresent: id)
            json.member("note", ifPresent: note)
            if isDisabled { json.member("disabled", true) }
            json.member(key: name, WrittenArguments(kind?.parameters ?? [], arguments, keptArguments))
            for member in kept { json.member(key: member.key, member.value) }
        }
    }
}
