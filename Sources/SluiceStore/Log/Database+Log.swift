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

    /// Moves the entries of a run to the tables, the oldest first.
    ///
    /// - Parameter limit: the cost at which the rest stays for later.
    /// - Returns: the cost of what was moved.
    @discardableResult
    func apply(_ id: String, _ log: LogIndex, upTo limit: Int = .max) throws -> Int {
        guard let tail = log.tail(id), tail.count > 0 else { return 0 }
        var entries: [LogEntry] = []
        var (size, last, outputs) = (0, tail.base, tail.outputs)
        for place in tail.places where place > tail.base {
            guard let row = try logRow(place, of: tail.stream) else { continue }
            entries.append(try LogEntry(row.bytes))
            (size, last, outputs) = (size + row.bytes.count, place, row.outputs)
            if size + entries.count * LogIndex.Limits.entryCost >= limit { break }
        }
        guard let newest = entries.last else { return 0 }
        let isWhole = last == tail.places.last
        let start = entries.lastIndex { $0.checkpoint != nil }
        try run(
            """
            UPDATE run SET revision = ?, state = ?, isPaused = ?, speed = ?, error = ?, savedAt = ?, outputs = ?, place = ?
            WHERE stream = ?
            """,
            [
                newest.revision, newest.state.value, newest.isPaused, newest.speed, newest.error?.value, newest.savedAt,
                isWhole ? tail.outputs : outputs, isWhole ? log.last : last, tail.stream,
            ]
        )
        if let start, let checkpoint = entries[start].checkpoint { try store(checkpoint: checkpoint, of: tail.stream) }
        try store(inputs: entries[(start ?? 0)...].flatMap(\.inputs), of: tail.stream)
        try store(outputs: entries.flatMap(\.outputs), of: tail.stream)
        log.noteGrowth(size, of: tail.stream)
        log.applied(id, upTo: isWhole ? nil : last, size: size)
        return size + entries.count * LogIndex.Limits.entryCost
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

    /// Moves some old entries to the tables, and removes some that the tables hold: as many as other writes can wait for.
    func upkeep(_ log: LogIndex) throws {
        let budget = log.takeBudget()
        if let old = log.old() {
            let end = try place(after: old, upTo: budget)
            let kept = log.damaged.map(String.init).joined(separator: ", ")
            try execute(
                sql: "DELETE FROM log WHERE place >= ? AND place < ?"
                    + (kept.isEmpty ? "" : " AND stream NOT IN (\(kept))"),
                arguments: [old.lowerBound, end]
            )
            log.removed(before: end, isPart: end < old.upperBound)
        }
        var cost = 0
        while cost < budget, let id = log.takeDue() {
            // An entry that can't be read is an error for the readers of its stream, and for no other stream.
            do { cost += try apply(id, log, upTo: budget - cost) } catch let error as StoreError where error.isDamage {
                log.setAside(id)
            }
        }
    }

    /// Returns the end of the entries at the beginning of a range that cost no more than a budget, but for one.
    private func place(after range: Range<Int>, upTo budget: Int) throws -> Int {
        let entries = try Row.fetchCursor(
            cachedStatement(sql: "SELECT place, length(entry) FROM log WHERE place >= ? AND place < ? ORDER BY place"),
            arguments: [range.lowerBound, range.upperBound]
        )
        var cost = 0
        while let row = try entries.next() {
            if cost >= budget { return try row.integer(0) }
            cost += try row.integer(1) + LogIndex.Limits.entryCost
        }
        return range.upperBound
    }

    // MARK: Reading

    /// Returns an entry of a stream; `nil` where it is gone.
    func logEntry(_ place: Int, of stream: Int) throws -> LogEntry? {
        try logRow(place, of: stream).map { try LogEntry($0.bytes) }
    }

    /// Returns the bytes of an entry, and the number of the last output with it; `nil` where it is gone.
    private func logRow(_ place: Int, of stream: Int) throws -> (bytes: [UInt8], outputs: Int)? {
        try rows("SELECT entry, outputs FROM log WHERE place = ? AND stream = ?", [place, stream]) {
            ([UInt8](try $0.bytes(0)), try $0.integer(1))
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
