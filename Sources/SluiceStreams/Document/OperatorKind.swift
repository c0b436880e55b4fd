import SluiceExpressions
import SluiceJSON

/// A kind of operator: its names, what it takes, and what it does.
struct OperatorKind: Sendable {
    /// The name in canonical text: Combine's and the standard library's where they have the operator, else ReactiveX's.
    let name: String
    /// Names of other families that are read as this one.
    let synonyms: [String]
    /// What it takes, in the order of canonical text.
    let parameters: [Parameter]
    /// The steps from each earlier version of the saved state to the next.
    let migrations: [StateMigration]
    /// Makes the stream that the operator gives, and sets the type of its items where it changes.
    let apply: @Sendable (inout Stage) -> Flow<CELValue>

    init(
        _ name: String,
        synonyms: [String] = [],
        _ parameters: [Parameter] = [],
        migrations: [StateMigration] = [],
        apply: @escaping @Sendable (inout Stage) -> Flow<CELValue>
    ) {
        self.name = name
        self.synonyms = synonyms
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
    /// Every kind of operator, by family.
    static let all: [OperatorKind] =
        transforming + filtering + aggregating + timing + windowing + signaling + combining + flattening + sharing
        + failing
}
