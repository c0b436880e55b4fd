import SluiceJSON

/// A kind of sink: its name, its parameters with their defaults, and its documentation.
///
/// A member of the family is one file in `Sinks`. The catalog, the JSON Schema, and the reference page are generated
/// from it. Its delivery is implemented by the host that runs the stream.
struct SinkKind: NamedKind, Sendable {
    static let noun = "sink"

    /// The name in canonical text.
    let name: String
    /// The parameters of this kind, followed by those that every sink has.
    let parameters: [Parameter]
    /// The parameters of this kind.
    let own: [Parameter]
    /// The parameter with the name under which the host has registered the receiver; `nil` where the kind is the name.
    let registered: String?
    /// The expression that is evaluated for a parameter that is absent.
    let implied: [String: String]
    /// The parameter that is the content of a delivery, which the tests of documents compare; `nil` where all arguments
    /// are.
    let content: String?
    /// The first sentence of the documentation.
    let summary: String
    /// The rest of the documentation, as Markdown.
    let documentation: String
    /// A closure that records errors of its arguments beyond their forms.
    let check: @Sendable (Stage) -> Void

    init(
        _ name: String,
        _ own: [Parameter],
        registered: String? = nil,
        implied: [String: String] = [:],
        content: String? = nil,
        summary: String,
        documentation: String,
        check: @escaping @Sendable (Stage) -> Void = { _ in }
    ) {
        (self.name, self.own, self.registered, self.implied) = (name, own, registered, implied)
        // The one argument that is the output itself unless the document says otherwise.
        self.content = content ?? (implied.count == 1 ? implied.keys.first : nil)
        (self.summary, self.documentation, self.check) = (summary, documentation, check)
        parameters = own + SinkRules.parameters
    }

    /// All kinds of sinks.
    static let all: [SinkKind] = [post, lines, publish, outside]

    /// All kinds by their names.
    static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// All names.
    static let names = all.map(\.name)
}
