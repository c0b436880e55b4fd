#if SQLite
import Foundation
import GRDB
import SluiceRuns

/// The statements of retention. One finds the streams with something to remove, for a reader; one removes a piece of a
/// stream, for the writer.
enum Trimming: CaseIterable, Sendable {
    /// The outputs of removed runs.
    case removed
    /// The oldest revisions.
    case revisions
    /// The oldest outputs.
    case outputs

    /// The largest number of rows that one transaction removes. It takes some milliseconds, while other writers wait,
    /// since a revision, or a chunk of outputs, may take many pages.
    var piece: Int { self == .revisions ? 20 : 32 }

    /// Returns the numbers of the streams that exceed the retention limits.
    func streams(_ retention: Retention, at now: Date, in database: Database) throws -> [Int] {
        let oldest = retention.oldest(at: now)?.milliseconds
        return switch self {
        case .removed:
            try database.rows(
                """
                SELECT number FROM stream WHERE lastRun > 0 AND EXISTS (
                    SELECT 1 FROM outputChunk WHERE outputChunk.stream = stream.number AND run <= lastRun)
                """
            ) { try $0.integer(0) }
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
                SELECT stream FROM outputChunk GROUP BY stream HAVING sum(last - first + 1) > ?1
                UNION SELECT stream FROM outputChunk WHERE savedAt < ?2
                UNION SELECT stream FROM outputChunk GROUP BY stream HAVING sum(length(entry)) > ?3
                """,
                [retention.outputs ?? .max, oldest, retention.size ?? .max]
            ) { try $0.integer(0) }
        }
    }

    /// Removes a piece of a stream's surplus, the oldest first.
    ///
    /// - Returns: the number of rows removed; fewer than ``piece`` when nothing is left to remove.
    func remove(_ retention: Retention, at now: Date, of stream: Int, in database: Database) throws -> Int {
        let oldest = retention.oldest(at: now)?.milliseconds
        return switch self {
        case .removed:
            try database.run(
                """
                DELETE FROM outputChunk WHERE number IN (
                    SELECT outputChunk.number FROM outputChunk JOIN stream ON stream.number = stream
                    WHERE stream = ?1 AND run <= lastRun LIMIT \(piece))
                """,
                [stream]
            )
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
            try database.trimOutputs(of: stream, retention, from: oldest, piece: piece)
        }
    }
}

extension Database {
    /// Removes the oldest outputs of a stream beyond a count or a size, and those from before a time.
    ///
    /// - Returns: the number of chunks that were removed or made smaller; at most `piece`.
    fileprivate func trimOutputs(
        of stream: Int,
        _ retention: Retention,
        from oldest: Int64?,
        piece: Int
    ) throws -> Int {
        // Outputs that a sink has not delivered are kept.
        let cursor = try sinkCursor(of: stream) ?? OutputPlace(run: .max, sequence: .max)
        let chunks = try rows(
            "SELECT number, first, last, savedAt, run, length(entry) FROM outputChunk WHERE stream = ? ORDER BY run, first",
            [stream]
        ) { row in
            let (count, isOverflow) = try row.integer(2).subtractingReportingOverflow(row.integer(1))
            // No chunk has more, whatever a damaged file says.
            let isRight = !isOverflow && (0..<OutputChunk.largest).contains(count)
            return (
                number: try row.integer(0), count: isRight ? count + 1 : 1, savedAt: try row.integer(3),
                last: OutputPlace(run: try row.integer(4), sequence: try row.integer(2)), size: try row.integer(5)
            )
        }
        var (room, fitting) = (retention.size ?? .max, 0)
        for chunk in chunks.reversed() {
            // A part of a chunk by the mean size of its outputs.
            fitting += chunk.size <= room ? chunk.count : chunk.count * room / chunk.size
            if chunk.size > room { break }
            room -= chunk.size
        }
        let most = min(retention.outputs ?? .max, max(1, fitting))
        var excess = max(0, chunks.reduce(0) { $0 + $1.count } - most)
        var changes = 0
        for chunk in chunks where excess > 0 || oldest.map({ chunk.savedAt < $0 }) ?? false {
            if changes == piece || chunk.last > cursor { break }
            changes += 1
            let removed = min(excess, chunk.count)
            excess -= removed
            var kept: [LoggedOutput] = []
            if removed < chunk.count {
                let bytes = try rows("SELECT entry FROM outputChunk WHERE number = ?", [chunk.number]) {
                    try $0.bytes(0)
                }.first
                kept = try OutputChunk([UInt8](bytes ?? Data())).outputs.dropFirst(removed)
                    .filter { oldest == nil || $0.savedAt >= oldest ?? 0 }
            }
            try run("DELETE FROM outputChunk WHERE number = ?", [chunk.number])
            try store(outputs: kept, of: stream)
        }
        return changes
    }
}
#endif
