#if SQLite
import GRDB
import SluiceRuns
import SluiceStreams

/// The tables of a file, as a list of steps that only grows.
///
/// `application_id` marks the file as a Sluice store, and `user_version` counts the completed steps. Files of schema 1
/// have neither and are recognized by their table of migrations.
enum Schema {
    /// "Slui" in ASCII.
    static let applicationID = 0x536C_7569
    /// The version of a file without tables. Each step leads to the next version.
    static let empty = 0
    static var newest: Int { steps.count }

    /// Step n makes schema n out of the one before.
    static let steps: [@Sendable (Database) throws -> Void] = [
        streams, history, runDocuments, tokens, log, lastRuns, sinks, resentLetters,
        leases, sinkFingerprints,
    ]

    /// Returns the schema version of a file, read in a transaction.
    ///
    /// - Throws: ``SluiceRuns/StoreError`` if the file belongs to another program or to a newer Sluice.
    static func version(of database: Database) throws -> Int {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let tables = try Set(String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
        switch application {
        case applicationID:
            guard version <= newest else { throw StoreError(.newer(schema: version, known: newest)) }
            guard version >= 1 else { throw StoreError(.damaged(reason: "it says schema \(version)")) }
            return version
        case 0 where version == 0 && tables.isEmpty:
            return empty
        case 0 where version == 0 && tables == ["stream", "grdb_migrations"]:
            let steps = try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations")
            if steps == ["1: streams"] { return 1 }
            fallthrough
        default:
            throw StoreError(.foreign(reason: "it is another program's database"))
        }
    }

    /// Migrates a file to a schema, all or nothing.
    static func migrate(_ database: Database, to newest: Int = newest) throws {
        // In one transaction, because another process may be about to migrate it.
        var version = newest
        try database.inTransaction(.deferred) {
            version = try Self.version(of: database)
            return .commit
        }
        guard version < newest else { return }
        try database.inTransaction(.immediate) {
            // Another process may have migrated it while this one waited for the lock.
            version = try Self.version(of: database)
            if version < newest {
                for step in steps[version..<newest] { try step(database) }
                try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(newest)")
            }
            return .commit
        }
    }

    /// Documents without history.
    private static func streams(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE stream (
                    id TEXT NOT NULL PRIMARY KEY,
                    revision INTEGER NOT NULL CHECK (revision >= 1),
                    name TEXT,
                    text TEXT NOT NULL
                );
                """
        )
    }

    /// History, groups and durable runs.
    ///
    /// A removed stream keeps its row, and so its revision: no revision number is reused. A checkpoint has a table of
    /// its own, since the row of its run is written far more often. Texts are the last columns of a row, so that the
    /// columns before them are read without them.
    private static func history(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE stream RENAME TO stream1;
                CREATE TABLE stream (
                    number INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE,
                    revision INTEGER NOT NULL CHECK (revision >= 1),
                    position INTEGER UNIQUE
                );
                CREATE TABLE revision (
                    stream INTEGER NOT NULL REFERENCES stream,
                    revision INTEGER NOT NULL CHECK (revision >= 1),
                    time INTEGER,
                    author TEXT,
                    name TEXT,
                    text TEXT,
                    UNIQUE (stream, revision)
                );
                CREATE TABLE clientGroup (
                    number INTEGER PRIMARY KEY,
                    name TEXT NOT NULL UNIQUE
                );
                CREATE TABLE assignment (
                    place INTEGER PRIMARY KEY,
                    clientGroup INTEGER NOT NULL REFERENCES clientGroup,
                    stream INTEGER NOT NULL REFERENCES stream,
                    UNIQUE (clientGroup, stream)
                );
                CREATE INDEX assignmentOfStream ON assignment (stream);
                CREATE TABLE run (
                    stream INTEGER PRIMARY KEY REFERENCES stream,
                    run INTEGER NOT NULL,
                    revision INTEGER NOT NULL,
                    state TEXT NOT NULL,
                    isPaused INTEGER NOT NULL,
                    speed REAL NOT NULL,
                    error TEXT,
                    savedAt INTEGER NOT NULL,
                    outputs INTEGER NOT NULL
                );
                CREATE TABLE checkpoint (
                    stream INTEGER PRIMARY KEY REFERENCES stream,
                    text TEXT NOT NULL
                );
                CREATE TABLE input (
                    place INTEGER PRIMARY KEY,
                    stream INTEGER NOT NULL REFERENCES stream,
                    source TEXT NOT NULL,
                    time INTEGER NOT NULL,
                    item TEXT NOT NULL
                );
                CREATE INDEX inputOfStream ON input (stream);
                CREATE TABLE output (
                    stream INTEGER NOT NULL REFERENCES stream,
                    run INTEGER NOT NULL,
                    sequence INTEGER NOT NULL,
                    time INTEGER NOT NULL,
                    kind TEXT NOT NULL,
                    savedAt INTEGER NOT NULL,
                    text TEXT NOT NULL,
                    PRIMARY KEY (stream, run, sequence)
                ) WITHOUT ROWID;
                INSERT INTO stream (number, id, revision, position) SELECT rowid, id, revision, rowid FROM stream1;
                INSERT INTO revision (stream, revision, name, text) SELECT rowid, revision, name, text FROM stream1;
                DROP TABLE stream1;
                DROP TABLE IF EXISTS grdb_migrations;
                """
        )
    }

    /// The documents that runs are compiled from. A text that is in the history is `NULL` here, and kept there.
    private static func runDocuments(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE runDocument (
                    stream INTEGER NOT NULL REFERENCES stream,
                    place INTEGER NOT NULL,
                    id TEXT NOT NULL,
                    revision INTEGER NOT NULL,
                    name TEXT,
                    text TEXT,
                    PRIMARY KEY (stream, place)
                ) WITHOUT ROWID;
                CREATE INDEX runDocumentOfRevision ON runDocument (id, revision);
                """
        )
    }

    /// The log of what all runs do, and their outputs in chunks.
    ///
    /// A run holds the log up to its place; what comes after that is in the log only.
    private static func log(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE run ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
                CREATE TABLE log (
                    place INTEGER PRIMARY KEY,
                    stream INTEGER NOT NULL,
                    outputs INTEGER NOT NULL,
                    entry BLOB NOT NULL
                );
                CREATE TABLE outputChunk (
                    number INTEGER PRIMARY KEY,
                    stream INTEGER NOT NULL REFERENCES stream,
                    run INTEGER NOT NULL,
                    first INTEGER NOT NULL,
                    last INTEGER NOT NULL,
                    savedAt INTEGER NOT NULL,
                    entry BLOB NOT NULL
                );
                CREATE UNIQUE INDEX outputChunkOfStream ON outputChunk (stream, run, first, last, savedAt);
                """
        )
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT run, sequence, time, kind, text, savedAt, stream FROM output ORDER BY stream, run, sequence"
        )
        var (stream, outputs): (Int?, [LoggedOutput]) = (nil, [])
        func store() throws {
            if let stream { try database.store(outputs: outputs, of: stream) }
            outputs = []
        }
        while let row = try rows.next() {
            let next = try row.integer(6)
            if next != stream || outputs.count >= 4096 { try store() }
            stream = next
            outputs.append(try LoggedOutput(StoredOutput(row), savedAt: Int64(row.integer(5))))
        }
        try store()
        try database.execute(sql: "DROP TABLE output")
    }

    /// The number of the last run of each stream whose runs were removed.
    private static func lastRuns(_ database: Database) throws {
        try database.execute(sql: "ALTER TABLE stream ADD COLUMN lastRun INTEGER NOT NULL DEFAULT 0")
    }

    /// The sinks, the deliveries that are not acknowledged, the dead letters, and the names of runs.
    private static func sinks(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE sink (
                    stream INTEGER NOT NULL REFERENCES stream,
                    id TEXT NOT NULL,
                    run INTEGER NOT NULL,
                    sequence INTEGER NOT NULL,
                    acknowledged TEXT NOT NULL,
                    delivered INTEGER NOT NULL,
                    failed INTEGER NOT NULL,
                    PRIMARY KEY (stream, id)
                ) WITHOUT ROWID;
                CREATE TABLE delivery (
                    stream INTEGER NOT NULL REFERENCES stream,
                    sink TEXT NOT NULL,
                    run INTEGER NOT NULL,
                    sequence INTEGER NOT NULL,
                    lastRun INTEGER NOT NULL,
                    lastSequence INTEGER NOT NULL,
                    key TEXT NOT NULL,
                    round INTEGER NOT NULL,
                    refusal TEXT,
                    request TEXT NOT NULL,
                    PRIMARY KEY (stream, sink, run, sequence)
                ) WITHOUT ROWID;
                CREATE TABLE deadLetter (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    stream INTEGER NOT NULL REFERENCES stream,
                    sink TEXT NOT NULL,
                    run INTEGER NOT NULL,
                    sequence INTEGER NOT NULL,
                    key TEXT NOT NULL,
                    error TEXT NOT NULL,
                    time INTEGER NOT NULL,
                    round INTEGER NOT NULL,
                    isResending INTEGER NOT NULL,
                    request TEXT,
                    items TEXT NOT NULL
                );
                CREATE INDEX deadLetterOfStream ON deadLetter (stream, number);
                CREATE TABLE runName (
                    stream INTEGER NOT NULL REFERENCES stream,
                    run INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    PRIMARY KEY (stream, run)
                ) WITHOUT ROWID;
                """
        )
    }

    /// An index of the dead letters that are being sent again.
    private static func resentLetters(_ database: Database) throws {
        try database.execute(
            sql: "CREATE INDEX deadLetterToResend ON deadLetter (stream, number) WHERE isResending = 1"
        )
    }

    /// The leases of streams that run on members of groups.
    private static func leases(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE lease (
                    stream INTEGER PRIMARY KEY REFERENCES stream,
                    number INTEGER NOT NULL,
                    clientGroup TEXT,
                    member TEXT
                );
                """
        )
    }

    /// The fingerprints of the sinks that make the requests.
    private static func sinkFingerprints(_ database: Database) throws {
        try database.execute(sql: "ALTER TABLE sink ADD COLUMN fingerprint TEXT")
    }

    /// The tokens of users.
    private static func tokens(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE token (
                    number INTEGER PRIMARY KEY,
                    name TEXT NOT NULL UNIQUE,
                    role TEXT NOT NULL,
                    hash TEXT NOT NULL,
                    created INTEGER NOT NULL
                );
                """
        )
    }
}

extension StoredOutput {
    /// Reads `run, sequence, time, kind, text`, as schema 4 had them.
    fileprivate init(_ row: Row) throws {
        guard let kind = StoredOutput.Kind(rawValue: try row.text(3)) else {
            throw StoreError(.damaged(reason: "an output is of no known kind"))
        }
        self.init(
            run: try row.integer(0),
            sequence: try row.integer(1),
            time: StreamTime(nanoseconds: Swift.max(0, Int64(try row.integer(2)))),
            kind: kind,
            text: try row.text(4)
        )
    }
}
#endif
