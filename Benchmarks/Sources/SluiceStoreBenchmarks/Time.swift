import Foundation
import GRDB
import SluiceRuns
import SluiceStore
import SluiceStreams

/// The measured stores, each on a file of its own.
struct Time: Sendable {
    let store: SQLiteStreamStore
    let full: DatabasePool
    let normal: DatabasePool

    init(_ folder: URL) throws {
        store = try SQLiteStreamStore(path: folder.appendingPathComponent("ours.sqlite").path)
        full = try Self.pool(folder.appendingPathComponent("full.sqlite"), synchronous: "FULL")
        normal = try Self.pool(folder.appendingPathComponent("normal.sqlite"), synchronous: "NORMAL")
    }

    private static func pool(_ file: URL, synchronous: String) throws -> DatabasePool {
        let pool = try DatabasePool(path: file.path)
        try pool.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA synchronous = \(synchronous);
                    CREATE TABLE stream (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
                    CREATE TABLE run (stream INTEGER PRIMARY KEY, state TEXT, outputs INTEGER);
                    CREATE TABLE output (stream INTEGER, sequence INTEGER, text TEXT, PRIMARY KEY (stream, sequence))
                        WITHOUT ROWID;
                    """
            )
        }
        return pool
    }

    /// Commits a second, where `writers` commit `count` times together.
    func rate(
        _ writers: Int,
        _ count: Int,
        _ commit: @escaping @Sendable (_ sequence: Int, _ stream: String) async throws -> Void
    ) async throws -> Double {
        let each = max(1, count * (writers > 1 ? 4 : 1) / writers)
        let batch = UUID().uuidString
        let time = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for sequence in 1...each { try await commit(sequence, "\(batch) \(writer)") }
                    }
                }
                try await group.waitForAll()
            }
        }
        return Double(writers * each) / (time / .seconds(1))
    }
}

extension SQLiteStreamStore {
    func commit(_ sequence: Int, of stream: String) async throws {
        if sequence == 1 { try await create([StreamDraft(id: stream, name: nil, text: "{}")], by: nil) }
        let output = StoredOutput(run: 1, sequence: sequence, time: .zero, kind: .value, text: "\(sequence)")
        try await commit(
            RunCommit(
                stream: stream,
                run: 1,
                isNewRun: sequence == 1,
                revision: 1,
                state: "running",
                savedAt: Date(),
                outputs: [output]
            )
        )
    }
}

extension DatabasePool {
    func insert(_ sequence: Int, of stream: String) async throws {
        if sequence == 1 {
            try await write { try $0.execute(sql: "INSERT INTO stream (id) VALUES (?)", arguments: [stream]) }
        }
        try await write { database in
            let lookup = try database.cachedStatement(sql: "SELECT number FROM stream WHERE id = ?")
            let number = try Int.fetchOne(lookup, arguments: [stream])
            try database.cachedStatement(
                sql: """
                    INSERT INTO run (stream, state, outputs) VALUES (?, 'running', ?)
                    ON CONFLICT DO UPDATE SET outputs = excluded.outputs
                    """
            ).execute(arguments: [number, sequence])
            try database.cachedStatement(sql: "INSERT INTO output VALUES (?, ?, ?)")
                .execute(arguments: [number, sequence, "\(sequence)"])
        }
    }
}
