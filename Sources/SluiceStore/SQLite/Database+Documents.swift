#if SQLite
import Foundation
import GRDB
import SluiceRuns

/// The statements for documents. Each checks before it writes: if it throws ``SluiceRuns/StoreError``, nothing was written.
extension Database {
    /// The current state of a stream: the number by which other tables refer to it, and its revision.
    struct Head {
        let number: Int
        let revision: Int
        let isRemoved: Bool
        /// The number of the last run that was removed; 0 if none was.
        let lastRun: Int
    }

    func head(_ id: String) throws -> Head? {
        try rows("SELECT number, revision, position IS NULL, lastRun FROM stream WHERE id = ?", [id.key.value]) {
            Head(
                number: try $0.integer(0),
                revision: try $0.integer(1),
                isRemoved: try $0.integer(2) != 0,
                lastRun: try $0.integer(3)
            )
        }.first
    }

    private static let current = """
        SELECT stream.id, revision.revision, revision.name, revision.text, revision.time FROM stream
        JOIN revision ON revision.stream = stream.number AND revision.revision = stream.revision
        """

    func list() throws -> [StoredStream] {
        try rows(Self.current + " WHERE position IS NOT NULL ORDER BY position") { try StoredStream($0) }
    }

    func read(_ id: String) throws -> StoredStream? {
        try rows(Self.current + " WHERE position IS NOT NULL AND id = ?", [id.key.value]) { try StoredStream($0) }.first
    }

    func history(of id: String) throws -> [StreamRevision] {
        try rows(
            """
            SELECT revision.revision, time, author, name, text IS NULL FROM stream
            JOIN revision ON revision.stream = stream.number WHERE id = ? ORDER BY revision.revision DESC
            """,
            [id.key.value]
        ) {
            StreamRevision(
                revision: try $0.integer(0),
                time: try $0.optionalDate(1),
                author: try $0.optionalText(2),
                name: try $0.optionalText(3),
                isRemoved: try $0.integer(4) != 0
            )
        }
    }

    func revision(_ revision: Int, of id: String) throws -> StoredStream? {
        try rows(
            """
            SELECT stream.id, revision.revision, name, text, time FROM stream
            JOIN revision ON revision.stream = stream.number
            WHERE id = ? AND revision.revision = ? AND text IS NOT NULL
            """,
            [id.key.value, revision]
        ) { try StoredStream($0) }.first
    }

    func create(_ drafts: [StreamDraft], replacing: Bool, by author: String?, at time: Date) throws -> [StoredStream] {
        var ids: Set<String> = []
        for draft in drafts {
            let isTaken = try !replacing && head(draft.id).map { !$0.isRemoved } ?? false
            guard !isTaken, ids.insert(draft.id).inserted else { throw StoreError(.taken(id: draft.id)) }
        }
        return try drafts.map { draft in
            guard let head = try head(draft.id) else {
                try run(
                    "INSERT INTO stream (id, revision, position) VALUES (?, 1, \(Self.nextPosition))",
                    [draft.id.key.value]
                )
                return try append(draft, to: Int(lastInsertedRowID), revision: 1, by: author, at: time)
            }
            try run(
                """
                UPDATE stream SET revision = revision + 1, position = coalesce(position, \(Self.nextPosition))
                WHERE number = ?
                """,
                [head.number]
            )
            return try append(draft, to: head.number, revision: head.revision + 1, by: author, at: time)
        }
    }

    private static let nextPosition = "(SELECT coalesce(max(position), 0) + 1 FROM stream)"

    func replace(
        with draft: StreamDraft,
        ifRevision revision: Int,
        by author: String?,
        at time: Date
    ) throws -> StoredStream {
        let changes = try run(
            "UPDATE stream SET revision = revision + 1 WHERE id = ? AND revision = ? AND position IS NOT NULL",
            [draft.id.key.value, revision]
        )
        guard changes == 1, let head = try head(draft.id) else { throw try conflict(draft.id, expected: revision) }
        return try append(draft, to: head.number, revision: head.revision, by: author, at: time)
    }

    func replace(_ edits: [StreamEdit], by author: String?, at time: Date) throws -> [StoredStream] {
        var ids: Set<String> = []
        for edit in edits {
            let id = edit.draft.id
            guard ids.insert(id).inserted else { throw StoreError(.taken(id: id)) }
            guard let head = try head(id), !head.isRemoved, head.revision == edit.revision else {
                throw try conflict(id, expected: edit.revision)
            }
        }
        return try edits.map { try replace(with: $0.draft, ifRevision: $0.revision, by: author, at: time) }
    }

    func remove(
        _ id: String,
        ifRevision revision: Int,
        by author: String?,
        at time: Date,
        _ log: LogIndex
    ) throws {
        let current = try read(id)
        let changes = try run(
            """
            UPDATE stream SET revision = revision + 1, position = NULL
            WHERE id = ? AND revision = ? AND position IS NOT NULL
            """,
            [id.key.value, revision]
        )
        guard changes == 1, let head = try head(id) else { throw try conflict(id, expected: revision) }
        try finishRemoval(head, id, name: current?.name, by: author, at: time, log)
    }

    /// Writes the line of a removal, and removes what belongs to the stream.
    private func finishRemoval(
        _ head: Head,
        _ id: String,
        name: String?,
        by author: String?,
        at time: Date,
        _ log: LogIndex
    ) throws {
        try run(
            "INSERT INTO revision (stream, revision, time, author, name) VALUES (?, ?, ?, ?, ?)",
            [head.number, head.revision, time.milliseconds, author?.value, name?.value]
        )
        try run("DELETE FROM assignment WHERE stream = ?", [head.number])
        try forgetRun(ofNumber: head.number, id: id, log)
        try removeSinks(of: head.number)
    }

    // MARK: Copies

    func removedIDs() throws -> [String] {
        try rows("SELECT id FROM stream WHERE position IS NULL") { try $0.text(0) }
    }

    /// Stores a document under the number that another store has given it, unless that is not newer.
    func takeOver(_ document: StoredStream, at now: Date) throws {
        let (draft, time) = (document.draft, document.time ?? now)
        guard let head = try head(document.id) else {
            try run(
                "INSERT INTO stream (id, revision, position) VALUES (?, ?, \(Self.nextPosition))",
                [document.id.key.value, document.revision]
            )
            let number = Int(lastInsertedRowID)
            _ = try append(draft, to: number, revision: document.revision, by: nil, at: time)
            return
        }
        guard document.revision > head.revision else { return }
        try run(
            "UPDATE stream SET revision = ?, position = coalesce(position, \(Self.nextPosition)) WHERE number = ?",
            [document.revision, head.number]
        )
        _ = try append(draft, to: head.number, revision: document.revision, by: nil, at: time)
    }

    /// Removes a document at a revision that another store has given to the removal, unless that is not newer.
    ///
    /// - Returns: whether it was removed.
    func takeOverRemoval(of id: String, at revision: Int, time: Date, _ log: LogIndex) throws -> Bool {
        guard let current = try read(id), current.revision < revision else { return false }
        try run("UPDATE stream SET revision = ?, position = NULL WHERE id = ?", [revision, id.key.value])
        guard let head = try head(id) else { return false }
        try finishRemoval(head, id, name: current.name, by: nil, at: time, log)
        return true
    }

    private func append(
        _ draft: StreamDraft,
        to number: Int,
        revision: Int,
        by author: String?,
        at time: Date
    ) throws -> StoredStream {
        try run(
            "INSERT INTO revision (stream, revision, time, author, name, text) VALUES (?, ?, ?, ?, ?, ?)",
            [number, revision, time.milliseconds, author?.value, draft.name?.value, draft.text.value]
        )
        return StoredStream(id: draft.id.key, revision: revision, name: draft.name, text: draft.text, time: time)
    }

    private func conflict(_ id: String, expected: Int) throws -> StoreError {
        guard try head(id) != nil else { return StoreError(.missing(id: id)) }
        return StoreError(.conflict(id: id, expected: expected, current: try read(id)))
    }
}

extension StoredStream {
    /// Reads `id, revision, name, text, time`.
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.text(0),
            revision: try row.integer(1),
            name: try row.optionalText(2),
            text: try row.text(3),
            time: try row.optionalDate(4)
        )
    }
}
#endif
