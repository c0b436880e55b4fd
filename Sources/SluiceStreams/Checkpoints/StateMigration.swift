import SluiceJSON

/// A step from one version of the saved state of an operator or source kind to the next.
///
/// An operator whose state changes gets another migration, which raises its version by one. Checkpoints of all versions
/// are in `Tests/Golden`.
struct StateMigration: Sendable {
    let migrate: @Sendable (inout SavedStateNode) throws -> Void

    init(_ migrate: @escaping @Sendable (inout SavedStateNode) throws -> Void) { self.migrate = migrate }

    /// Adds a field to a state of several fields.
    ///
    /// - Parameters:
    ///   - value: The value of the field in states of earlier versions.
    ///   - name: The name of the state.
    static func adding(_ field: String, _ value: JSON, to name: String) -> StateMigration {
        StateMigration { node in
            guard case .object(var object) = node.states[name] else { return }
            object[field] = value
            node.states[name] = .object(object)
        }
    }
}

extension [StateMigration] {
    #if SLUICE_NEXT_VERSION
    /// One more version of the state of `scan`, for the test of a rolling upgrade (`bin/test upgrade`), which builds the command twice.
    static let ofScan = [StateMigration { _ in }]
    #else
    /// The versions of the state of `scan`. The test of a rolling upgrade (`bin/test upgrade`) builds the command with one more.
    static let ofScan: [StateMigration] = []
    #endif
}

/// The kind of a stage, as far as its saved state is concerned.
struct StateKind: Sendable {
    let name: String
    let migrations: [StateMigration]

    /// The version of the states that are saved.
    var version: Int { migrations.count + 1 }
}

extension SavedStateNode {
    /// Migrates the state of a stage to the version of its kind.
    ///
    /// - Throws: ``StreamError`` for a version that is newer than this program's, and for a state that can't be migrated.
    mutating func migrate(to kind: StateKind) throws {
        guard version <= kind.version else {
            let text = "the state of \(kind.name) is of version \(version), this program reads up to \(kind.version)"
            throw StreamError(message: text)
        }
        for migration in kind.migrations.dropFirst(version - 1) { try migration.migrate(&self) }
        version = kind.version
    }
}
