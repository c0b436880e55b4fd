#if SQLite
import Foundation
import GRDB
import SluiceStreams
import Testing

@testable import SluiceStore

/// Files of every past schema are migrated to the newest without loss.
@Suite struct SchemaTests {
    /// The contents that a Sluice of each schema wrote. They are never edited: a new schema adds its own.
    static let past: [String] = [
        "",
        """
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('1: streams');
        CREATE TABLE "stream" ("id" TEXT PRIMARY KEY NOT NULL, "revision" INTEGER NOT NULL CHECK ("revision" >= 1),
            "name" TEXT, "text" TEXT NOT NULL);
        INSERT INTO stream VALUES ('z', 3, 'Z', '{"id": "z"}'), ('gone', 1, NULL, ''), ('a', 1, NULL, '{ "id":"a" }');
        DELETE FROM stream WHERE id = 'gone';
        """,
        schema2 + "PRAGMA application_id = 1399616873; PRAGMA user_version = 2;",
        schema3 + "PRAGMA application_id = 1399616873; PRAGMA user_version = 3;",
        schema4,
        schema5,
        schema6,
        schema7,
        schema8,
        schema9,
    ]

    /// The contents of schema 9: schema 8, and leases.
    private static let schema9 =
        schema8 + """
            CREATE TABLE lease (
                stream INTEGER PRIMARY KEY REFERENCES stream,
                number INTEGER NOT NULL,
                clientGroup TEXT,
                member TEXT
            );
            PRAGMA user_version = 9;
            """

    /// The contents of schema 8: schema 7, and an index of the dead letters that are being sent again.
    private static let schema8 =
        schema7 + """
            CREATE INDEX deadLetterToResend ON deadLetter (stream, number) WHERE isResending = 1;
            PRAGMA user_version = 8;
            """

    /// The contents of schema 7: schema 6, and sinks.
    private static let schema7 =
        schema6 + """
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
            PRAGMA user_version = 7;
            """

    /// The contents of schema 6: schema 5, and the numbers of the last runs.
    private static let schema6 =
        schema5 + """
            ALTER TABLE stream ADD COLUMN lastRun INTEGER NOT NULL DEFAULT 0;
            PRAGMA user_version = 6;
            """

    /// The contents of schema 5: schema 4 with an empty log, and without outputs.
    private static let schema5 =
        schema4 + """
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
            DROP TABLE output;
            PRAGMA user_version = 5;
            """

    /// The contents of schema 4: schema 3, tokens, and outputs of more than one chunk.
    private static let schema4 =
        schema3 + """
            CREATE TABLE token (
                number INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                role TEXT NOT NULL,
                hash TEXT NOT NULL,
                created INTEGER NOT NULL
            );
            INSERT INTO token VALUES (1, 'ann', 'read', 'abc', 1000);
            INSERT INTO input VALUES (1, 1, 's', 5, '["value",7]');
            WITH RECURSIVE number(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 700)
                INSERT INTO output SELECT 1, 2, n, n * 1000, 'value', 9000 + n, n * 7 FROM number;
            INSERT INTO output VALUES (1, 1, 5, 3, 'value', 8000, '"x"'), (1, 1, 6, 4, 'reported', 8000, 'no'),
                (1, 1, 7, 5, 'failed', 8000, 'broken'), (3, 1, 1, 0, 'completed', 8000, '');
            UPDATE run SET outputs = 700;
            PRAGMA application_id = 1399616873; PRAGMA user_version = 4;
            """

    /// The contents of schema 3: schema 2, and the documents of runs.
    private static let schema3 =
        schema2 + """
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
            INSERT INTO runDocument VALUES (1, 0, 'a', 1, NULL, NULL);

            """

    /// The tables of schema 2, which schema 3 has too, and their rows.
    private static let schema2 = """
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
        INSERT INTO stream VALUES (1, 'a', 3, 1), (2, 'gone', 2, NULL), (3, 'z', 1, 2);
        INSERT INTO revision VALUES (1, 1, NULL, NULL, NULL, '{"id": "a"}'), (1, 3, 7000, 'me', 'A', '{ "id":"a" }'),
            (2, 2, 8000, NULL, NULL, NULL), (3, 1, 8000, NULL, NULL, '{"id": "z"}');
        INSERT INTO clientGroup VALUES (1, 'blue');
        INSERT INTO assignment VALUES (1, 1, 1);
        INSERT INTO run VALUES (1, 2, 1, 'running', 0, 1.0, NULL, 9000, 1);
        INSERT INTO checkpoint VALUES (1, '{"schema": "sluice.checkpoint/1"}');
        INSERT INTO output VALUES (1, 2, 1, 1000, 'value', 9000, '7');

        """

    func file(_ sql: String, _ folder: TemporaryFolder) throws -> String {
        let path = folder.path("hub.sqlite")
        try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
        return path
    }

    func schema(_ path: String) throws -> [String] {
        try DatabaseQueue(path: path).read { database in
            let tables = try String.fetchAll(
                database,
                sql: "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name"
            )
            let numbers = try ["application_id", "user_version"].map {
                "\($0) \(try Int.fetchOne(database, sql: "PRAGMA \($0)") ?? -1)"
            }
            return tables + numbers
        }
    }

    @Test func everyPastSchemaHasItsFile() {
        #expect(Self.past.count == Schema.newest)
    }

    @Test(arguments: 0..<past.count)
    func everyPastSchemaBecomesTheNewest(_ number: Int) throws {
        let (folder, fresh) = (try TemporaryFolder(), try TemporaryFolder())
        let path = try file(Self.past[number], folder)
        _ = try SQLiteStreamStore(path: path)
        _ = try SQLiteStreamStore(path: fresh.path("hub.sqlite"))
        #expect(try schema(path) == schema(fresh.path("hub.sqlite")))
        #expect(
            try schema(path).suffix(2) == ["application_id \(Schema.applicationID)", "user_version \(Schema.newest)"]
        )
        _ = try SQLiteStreamStore(path: path)
    }

    @Test func schema2KeepsItsRuns() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStreamStore(path: try file(Self.past[2], folder))
        let run = try await store.run(of: "a")
        #expect(run?.run == 2 && run?.revision == 1 && run?.checkpoint?.isEmpty == false && run?.documents == [])
        #expect(try await store.outputs(of: "a", afterRun: 0, sequence: 0, limit: 9).map(\.text) == ["7"])
        #expect(try await store.groups().map(\.streams) == [["a"]])
        #expect(try await store.history(of: "a").map(\.revision) == [3, 1])
    }

    @Test func schema4KeepsItsOutputs() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStreamStore(path: try file(Self.past[4], folder))
        let newest = try await store.outputs(of: "a", run: nil, after: 0, limit: 1000)
        #expect(newest.map(\.sequence) == Array(1...700))
        #expect(newest.dropFirst().map(\.text) == (2...700).map { "\($0 * 7)" })
        #expect(newest.dropFirst().map(\.time.nanoseconds) == (2...700).map { Int64($0 * 1000) })
        let older = try await store.outputs(of: "a", run: 1, after: 5, limit: 9)
        #expect(older.map(\.sequence) == [6, 7] && older.map(\.kind) == [.reported, .failed])
        #expect(try await store.outputs(of: "z", afterRun: 0, sequence: 0, limit: 9).map(\.kind) == [.completed])
        #expect(try await store.journal(of: "a").map(\.nanoseconds) == [5])
        #expect(try await store.run(of: "a")?.outputs == 700)
        #expect(try await store.tokens().map(\.name) == ["ann"])
        // The run goes on where it was, and what is old goes to the millisecond.
        try await store.commit(RunCommit(run: 2, outputs: (699...701).map { StoredOutput($0, run: 2) }))
        #expect(try await store.outputs(of: "a", run: 2, after: 698, limit: 9).map(\.text) == ["4893", "4900", "701"])
        try await store.trim(Retention(outputs: 12))
        let kept = try await store.outputs(of: "a", afterRun: 0, sequence: 0, limit: 99)
        #expect(kept.map(\.sequence) == Array(690...701))
    }

    /// The numbers of runs continue in every file that has had runs.
    @Test(arguments: 2..<past.count) func pastRunsKeepTheirNumbers(_ number: Int) async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStreamStore(path: try file(Self.past[number], folder))
        #expect(try await store.lastRun(of: "a") == 2)
        try await store.forgetRun(of: "a")
        #expect(try await store.lastRun(of: "a") == 2)
        #expect(try await store.lastRun(of: "z") == 0)
    }

    @Test func schema1KeepsItsDocuments() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStreamStore(path: try file(Self.past[1], folder))
        let z = StoredStream(id: "z", revision: 3, name: "Z", text: #"{"id": "z"}"#)
        #expect(try await store.list() == [z, StoredStream(id: "a", revision: 1, name: nil, text: #"{ "id":"a" }"#)])
        // Of the history it is known what the newest revision is, and not when it was written, or by whom.
        #expect(
            try await store.history(of: "z")
                == [StreamRevision(revision: 3, time: nil, author: nil, name: "Z", isRemoved: false)]
        )
        #expect(try await store.revision(3, of: "z") == z)
        #expect(try await store.replace(with: z.draft, ifRevision: 3, by: nil).revision == 4)
        try await store.create([StreamDraft("new")], by: nil)
        #expect(try await store.list().map(\.id) == ["z", "a", "new"])
        // Entries without a time are not old.
        try await store.trim(Retention(age: .zero))
        #expect(try await store.history(of: "z").map(\.revision) == [4, 3])
    }

    @Test func aStepThatFailsLeavesTheFileAsItWas() throws {
        let folder = try TemporaryFolder()
        // The table that the step makes is there already.
        let path = try file(Self.past[1], folder)
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "CREATE INDEX assignmentOfStream ON stream (name)") }
        let before = try schema(path)
        #expect(throws: StoreError.self) { try SQLiteStreamStore(path: path) }
        #expect(try schema(path) == before)
    }

    @Test func twoThatOpenAtOnceBothGetTheNewest() async throws {
        for number in Self.past.indices {
            let folder = try TemporaryFolder()
            let path = try file(Self.past[number], folder)
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await SQLiteStreamStore(path: path, patience: .seconds(60)).list().count
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts == Array(repeating: number == 0 ? 0 : 2, count: 4))
        }
    }

    @Test func aNewerSchemaIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hub.sqlite")
        _ = try SQLiteStreamStore(path: path)
        try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
        let error = StoreError(.newer(schema: 99, known: Schema.newest), path: path)
        #expect(throws: error) { try SQLiteStreamStore(path: path) }
    }
}
#endif
