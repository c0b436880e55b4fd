import SluiceExpressions
import SluiceJSON

/// A kind of source: its names, its parameters, and its implementation.
struct SourceKind: Sendable {
    /// The name in canonical text.
    let name: String
    /// The names in other families that are accepted as synonyms.
    let synonyms: [String]
    /// A summary of one sentence without a full stop, for editors.
    let summary: String
    /// The parameters, in the order of canonical text.
    let parameters: [Parameter]
    /// The parameter that may be given alone in place of the object: `{"ref": "numbers"}` for
    /// `{"ref": {"id": "numbers"}}`.
    let bare: String?
    /// The steps from each earlier version of the saved state to the next.
    let migrations: [StateMigration]
    /// A closure that returns the stream, and sets the type of its items if it is known.
    let make: @Sendable (inout Stage) -> Flow<CELValue>

    init(
        _ name: String,
        synonyms: [String] = [],
        summary: String,
        _ parameters: [Parameter] = [],
        bare: String? = nil,
        migrations: [StateMigration] = [],
        make: @escaping @Sendable (inout Stage) -> Flow<CELValue>
    ) {
        self.name = name
        self.synonyms = synonyms
        self.summary = summary
        self.parameters = parameters
        self.migrations = migrations
        self.bare = bare
        self.make = make
    }

    /// All kinds by each of their names.
    static let named: [String: SourceKind] = {
        var kinds: [String: SourceKind] = [:]
        for kind in all { for name in [kind.name] + kind.synonyms { kinds[name] = kind } }
        return kinds
    }()

    /// All names, the canonical ones first.
    static let names = all.map(\.name) + all.flatMap(\.synonyms)
}

extension SourceKind {
    /// All kinds of sources, by family.
    static let all: [SourceKind] = given + timed + recorded + combined + outside
}
