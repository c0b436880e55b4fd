import SluiceExpressions
import SluiceJSON

/// A kind of operator: its names, its parameters, and its implementation.
struct OperatorKind: NamedKind, Sendable {
    static let noun = "operator"

    /// The name in canonical text: that of Combine or the standard library if they have the operator, otherwise
    /// ReactiveX's.
    let name: String
    /// The names in other families that are accepted as synonyms.
    let synonyms: [String]
    /// A summary of one sentence without a full stop, for editors.
    let summary: String
    /// The parameters, in the order of canonical text.
    let parameters: [Parameter]
    /// The steps from each earlier version of the saved state to the next.
    let migrations: [StateMigration]
    /// A closure that returns the stream of the operator, and sets the type of its items if it changes.
    let apply: @Sendable (inout Stage) -> Flow<CELValue>

    init(
        _ name: String,
        synonyms: [String] = [],
        summary: String,
        _ parameters: [Parameter] = [],
        migrations: [StateMigration] = [],
        apply: @escaping @Sendable (inout Stage) -> Flow<CELValue>
    ) {
        self.name = name
        self.synonyms = synonyms
        self.summary = summary
        self.parameters = parameters
        self.migrations = migrations
        self.apply = apply
    }

    /// All kinds by each of their names.
    static let named: [String: OperatorKind] = {
        var kinds: [String: OperatorKind] = [:]
        for kind in all { for name in [kind.name] + kind.synonyms { kinds[name] = kind } }
        return kinds
    }()

    /// All names, the canonical ones first.
    static let names = all.map(\.name) + all.flatMap(\.synonyms)
}

extension OperatorKind {
    /// All kinds of operators, by family.
    static let all: [OperatorKind] =
        transforming + filtering + aggregating + timing + windowing + signaling + combining + flattening + sharing
        + failing
}
