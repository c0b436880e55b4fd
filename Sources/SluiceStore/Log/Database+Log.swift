#if SQLite
import Foundation
import GRDB
import SluiceRuns
import SluiceStreams

/// The log of all runs, in the writer's transactions.
extension Database {
    /// Makes the index where it is not of the file as it is: at first, after a transaction that was undone, and after
    /// another process has written.
    func prepare(_ log: LogIndex) throws {
        let version = try Int.fetchOne(cachedStatement(sql: "PRAGMA data_version")) ?? 0
        if log.isValid(version) { return }
        let (first, last) =
            try rows("SELECT coalesce(min(place), 0), coalesce(max(place), 0) FROM log") {
                (try $0.integer(0), try $0.integer(1))
            }.first ?? (0, 0)
        var tails: [String: LogIndex.Tail] = [:]
        var base = last
        let entries = try Row.fetchCursor(
            cachedStatement(
                sql: """
                    SELECT stream.id, log.stream, run.run, run.revision, log.outputs, run.place, log.place, length(entry)
                    FROM log JOIN run ON run.stream = log.stream AND log.place > run.place
                    JOIN stream ON stream.number = log.stream ORDER BY log.place
                    """
            )
        )
        while let row = try entries.next() {
            let id = try row.text(0)
            if tails[id] == nil {
                tails[id] = LogIndex.Tail(
                    stream: try row.integer(1),
                    run: try row.integer(2),
                    revision: try row.integer(3),
                    outputs: 0,
                    base: try row.integer(5)
                )
            }
            tails[id]?.outputs = try row.integer(4)
            tails[id]?.places.append(try row.integer(6))
            tails[id]?.size += try row.integer(7)
        }
        base = max(base, try Int.fetchOne(cachedStatement(sql: "SELECT max(place) FROM run")) ?? 0)
        log.fill(tails, first: first, last: base, version: version)
    }

    /// Appends the commit of a run to the log.
    func append(_ commit: RunCommit, _ new: ArraySlice<StoredOutput>, to tail: LogIndex.Tail, _ log: LogIndex) throws {
        let bytes = LogEntry(commit, new).bytes
        let (place, outputs) = (log.nextPlace, tail.outputs + new.count)
        try run(
            "INSERT INTO log (place, stream, outputs, entry) VALUES (?, ?, ?, ?)",
            [place, tail.stream, outputs, Data(bytes)]
        )
        log.append(place, of: commit.stream.key, outputs: outputs, size: bytes.count)
    }

    /// Moves the entries of a run to the tables.
    func apply(_ id: String, _ log: LogIndex) throws {
        guard let tail = log.tail(id), tail.count > 0 else { return }
        let entries = try tail.places.filter { $0 > tail.base }.compactMap { try logEntry($0, of: tail.stream) }
        guard let newest = entries.last else { return }
        let start = entries.lastIndex { $0.checkpoint != nil }
        try run(
            """
            UPDATE run SET revision = ?, state = ?, isPaused = ?, speed = ?, error = ?, savedAt = ?, outputs = ?, place = ?
            WHERE stream = ?
            """,
            [
                newest.revision, newest.state.value, newest.isPaused, newest.speed, newest.error?.value, newest.savedAt,
                tail.outputs, log.last, tail.stream,
            ]
        )
        if let start, let checkpoint = entries[start].checkpoint { try store(checkpoint: checkpoint, of: tail.stream) }
        try store(inputs: entries[(start ?? 0)...].flatMap(\.inputs), of: tail.stream)
        try store(outputs: entries.flatMap(\.outputs), of: tail.stream)
        log.applied(id)
    }

    /// Stores a checkpoint; the inputs before it go.
    func store(checkpoint: String, of stream: Int) throws {
        try run("DELETE FROM input WHERE stream = ?", [stream])
        try run(
            "INSERT INTO checkpoint (stream, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text",
            [stream, checkpoint.value]
        )
    }

    func store(inputs: [LogEntry.Input], of stream: Int) throws {
        for input in inputs {
            try run(
                "INSERT INTO input (stream, source, time, item) VALUES (?, ?, ?, ?)",
                [stream, input.source.value, input.nanoseconds, input.item.value]
            )
        }
    }

    func store(outputs: [LoggedOutput], of stream: Int) throws {
        for chunk in OutputChunk.chunks(outputs) { try store(chunk, of: stream) }
    }

    func store(_ chunk: OutputChunk, of stream: Int) throws {
        guard let first = chunk.outputs.first?.output, let last = chunk.outputs.last?.output else { return }
        try run(
            "INSERT INTO outputChunk (stream, run, first, last, savedAt, entry) VALUES (?, ?, ?, ?, ?, ?)",
            [stream, first.run, first.sequence, last.sequence, chunk.savedAt, Data(chunk.bytes)]
        )
    }

    /// Moves some old entries to the tables, and removes some that the tables hold.
    func upkeep(_ log: LogIndex) throws {
        if let old = log.takeOld() {
            let kept = log.damaged.map(String.init).joined(separator: ", ")
            try execute(
                sql: "DELETE FROM log WHERE place >= ? AND place < ?"
                    + (kept.isEmpty ? "" : " AND stream NOT IN (\(kept))"),
                arguments: [old.lowerBound, old.upperBound]
            )
        }
        for id in log.takeDue() {
            // An entry that can't be read is an error for those who read its stream, and for no other stream.
            do { try apply(id, log) } catch let error as StoreError where error.isDamage { log.setAside(id) }
        }
    }

    // MARK: Reading

    /// Returns an entry of a stream; `nil` where it is gone.
    func logEntry(_ place: Int, of stream: Int) throws -> LogEntry? {
        try rows("SELECT entry FROM log WHERE place = ? AND stream = ?", [place, stream]) {
            try LogEntry([UInt8]($0.bytes(0)))
        }.first
    }

    /// Returns the places of the entries of a stream that the tables don't hold, the oldest first.
    func places(of stream: Int, after base: Int, _ hint: LogIndex.Hint) throws -> [Int] {
        let newer = try rows(
            "SELECT place FROM log WHERE place > ? AND stream = ? ORDER BY place",
            [max(hint.last, base), stream]
        ) { try $0.integer(0) }
        return hint.places.filter { $0 > base } + newer
    }
}
#endif
