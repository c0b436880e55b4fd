import Foundation
import GRDB
import SluiceRuns

/// The statements of retention. One finds the streams with something to remove, for a reader; one removes a piece of a
/// stream, for the writer.
enum Trimming: CaseIterable, Sendable {
    case revisions, outputs

    /// The largest number of rows that one transaction removes. It takes some milliseconds, while other writers wait,
    /// since the text of a revision may take many pages.
    var piece: Int { self == .revisions ? 20 : 500 }

    /// Returns the numbers of the streams that exceed the retention limits.
    func streams(_ retention: Retention, at now: Date, in database: Database) throws -> [Int] {
        let oldest = retention.oldest(at: now)?.milliseconds
        return switch self {
        case .revisions:
            try database.rows(
                """
                SELECT stream FROM revision GROUP BY stream HAVING count(*) > ?1
                UNION SELECT stream.number FROM stream JOIN revision ON revision.stream = stream.number
                WHERE revision.revision < stream.revision AND time < ?2
                """,
                [retention.revisions ?? .max, oldest]
            ) { try $0.integer(0) }
        case .outputs:
            try database.rows(
                """
                SELECT stream FROM output GROUP BY stream HAVING count(*) > ?1
                UNION SELECT stream FROM output WHERE savedAt < ?2
                """,
                [retention.outputs ?? .max, oldest]
            ) { try $0.integer(0) }
        }
    }

    /// Removes a piece of a stream's surplus, the oldest first.
    ///
    /// - Returns: the number of rows removed; fewer than ``piece`` when nothing is left to remove.
    func remove(_ retention: Retention, at now: Date, of stream: Int, in database: Database) throws -> Int {
        let oldest = retention.oldest(at: now)?.milliseconds
        return switch self {
        case .revisions:
            try database.run(
                """
                DELETE FROM revision WHERE rowid IN (
                    SELECT revision.rowid FROM revision JOIN stream ON stream.number = revision.stream
                    LEFT JOIN run ON run.stream = stream.number
                    WHERE revision.stream = ?1
                    AND revision.revision <> stream.revision AND revision.revision IS NOT run.revision
                    AND NOT EXISTS (
                        SELECT 1 FROM runDocument WHERE runDocument.id = stream.id
                        AND runDocument.revision = revision.revision AND runDocument.text IS NULL)
                    AND (time < ?3 OR revision.revision < (
                        SELECT revision FROM revision WHERE stream = ?1 ORDER BY revision DESC LIMIT 1 OFFSET ?2))
                    ORDER BY revision.revision LIMIT \(piece))
                """,
                [stream, retention.revisions.map { $0 - 1 } ?? .max, oldest]
            )
        case .outputs:
            try database.run(
                """
                DELETE FROM output WHERE stream = ?1 AND (run, sequence) IN (
                    SELECT run, sequence FROM output WHERE stream = ?1
                    AND (savedAt < ?3 OR (run, sequence) < (
                        SELECT run, sequence FROM output WHERE stream = ?1
                        ORDER BY run DESC, sequence DESC LIMIT 1 OFFSET ?2))
                    ORDER BY run, sequence LIMIT \(piece))
                """,
                [stream, retention.outputs.map { $0 - 1 } ?? .max, oldest]
            )
        }
    }
}
