import Foundation
import GRDB

/// Stream documents in one SQLite file.
///
/// ```swift
/// let store = try SQLiteStreamStore(path: "hub.sqlite")
/// try await store.create([StreamDraft(id: "a", name: "A", text: #"{"id": "a", "stream": []}"#)])
/// let names = try await store.list().map(\.name)  // ["A"]
/// ```
///
/// Documents are kept as the text that their author wrote, so that nothing of it is lost. Every method works in a
/// transaction of its own, off the cooperative threads; cancelling the task that calls it before it has begun leaves
/// the file as it was.
public final class SQLiteStreamStore: Sendable {
    private let database: DatabaseQueue

    /// Opens the file, makes it if it is not there, and brings it to the newest schema.
    ///
    /// - Throws: ``StoreError`` when the file cannot be opened, is no database, or cannot be written.
    public init(path: String) throws {
        do {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            database = try DatabaseQueue(path: path)
            try Schema.migrator.migrate(database)
        } catch {
            throw StoreError(.unavailable(reason: "\(error)"), path: path)
        }
    }

    /// Opens a store that is gone when it is let go.
    ///
    /// - Throws: ``StoreError`` when there is no memory for it.
    public init() throws {
        do {
            database = try DatabaseQueue()
            try Schema.migrator.migrate(database)
        } catch {
            throw StoreError(.unavailable(reason: "\(error)"))
        }
    }

    /// All streams, in the order in which they came.
    ///
    /// - Throws: ``StoreError``.
    public func list() async throws -> [StoredStream] {
        try await run { database in
            try database.read { try StreamRow.order(Column.rowID).fetchAll($0).map(\.stored) }
        }
    }

    /// The stream with an id; `nil` when there is none.
    ///
    /// - Throws: ``StoreError``.
    public func read(_ id: String) async throws -> StoredStream? {
        try await run { database in
            try database.read { try StreamRow.fetchOne($0, key: id)?.stored }
        }
    }

    /// Adds streams, all or none.
    ///
    /// - Throws: ``StoreError`` when one has an id that is taken.
    public func create(_ drafts: [StreamDraft]) async throws {
        try await run { database in
            try database.write { transaction in
                for draft in drafts { try StreamRow(draft).insert(transaction) }
            }
        }
    }

    /// Runs blocking work on a thread that may block.
    private func run<Result: Sendable>(
        _ work: @escaping @Sendable (DatabaseQueue) throws -> Result
    ) async throws -> Result {
        let database = database
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Swift.Result { try work(database) }
                        .mapError { StoreError(.unavailable(reason: "\($0)"), path: database.path) }
                )
            }
        }
    }
}
