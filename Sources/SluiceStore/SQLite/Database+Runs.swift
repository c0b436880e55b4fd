#if SQLite
import Foundation
import GRDB
import SluiceRuns
import SluiceStreams

/// The statements for durable runs. Each checks before it writes: if it throws ``SluiceRuns/StoreError``, nothing was written.
extension Database {
    func runs(_ hints: (places: [Int: [Int]], last: Int)) throws -> [StoredRun] {
        var places = hints.places
        let newer = try rows("SELECT place, stream FROM log WHERE place > ? ORDER BY place", [hints.last]) {
            (place: try $0.integer(0), stream: try $0.integer(1))
        }
        for entry in newer { places[entry.stream, default: []].append(entry.place) }
        return try rows(
            """
            SELECT id, run, run.revision, state, isPaused, speed, error, savedAt, outputs, NULL, stream, place FROM run
            JOIN stream ON stream.number = run.stream ORDER BY position
            """
        ) {
            let (stream, base) = (try $0.integer(10), try $0.integer(11))
            return try newest(of: StoredRun($0), places[stream, default: []].filter { $0 > base }, of: stream).run
        }
    }

    func storedRun(of stream: String, _ hint: LogIndex.Hint) throws -> StoredRun? {
        try rows(
            """
            SELECT id, run, run.revision, state, isPaused, speed, error, savedAt, outputs, checkpoint.text, number, place
            FROM stream JOIN run ON run.stream = stream.number
            LEFT JOIN checkpoint ON checkpoint.stream = stream.number WHERE id = ?
            """,
            [stream.key.value]
        ) {
            let number = try $0.integer(10)
            let places = try places(of: number, after: try $0.integer(11), hint)
            let (run, checkpoint) = try newest(
                of: StoredRun($0, try runDocuments(of: stream)),
                places,
                of: number,
                withCheckpoint: true
            )
            return checkpoint.map(run.with(checkpoint:)) ?? run
        }.first
    }

    /// Returns a run as its newest entry in the log has it, and the newest checkpoint in the log.
    private func newest(
        of run: StoredRun,
        _ places: [Int],
        of stream: Int,
        withCheckpoint: Bool = false
    ) throws -> (run: StoredRun, checkpoint: String?) {
        var newest: StoredRun?
        for place in places.reversed() {
            let row = try rows("SELECT entry, outputs FROM log WHERE place = ? AND stream = ?", [place, stream]) {
                (entry: try LogEntry([UInt8]($0.bytes(0))), outputs: try $0.integer(1))
            }.first
            guard let row else { continue }
            newest = newest ?? run.with(row.entry, outputs: row.outputs)
            if !withCheckpoint { break }
            if let checkpoint = row.entry.checkpoint { return (newest ?? run, checkpoint) }
        }
        return (newest ?? run, nil)
    }

    /// The documents that the run of a stream was compiled from, its own first.
    private func runDocuments(of stream: String) throws -> [StoredStream] {
        try rows(
            """
            SELECT document.id, document.revision, document.name, coalesce(document.text, revision.text) FROM stream
            JOIN runDocument AS document ON document.stream = stream.number
            LEFT JOIN stream AS other ON other.id = document.id
            LEFT JOIN revision ON revision.stream = other.number AND revision.revision = document.revision
            WHERE stream.id = ? ORDER BY place
            """,
            [stream.key.value]
        ) {
            StoredStream(
                id: try $0.text(0),
                revision: try $0.integer(1),
                name: try $0.optionalText(2),
                text: try $0.text(3)
            )
        }
    }

    /// Stores the documents that a run is compiled from. A revision that is in the history is kept there, and its text
    /// isn't stored twice.
    private func store(_ documents: [StoredStream], ofRunOf number: Int) throws {
        try run("DELETE FROM runDocument WHERE stream = ?", [number])
        for (place, document) in documents.enumerated() {
            try run(
                """
                INSERT INTO runDocument (stream, place, id, revision, name, text)
                SELECT ?1, ?2, ?3, ?4, ?5, CASE WHEN EXISTS (
                    SELECT 1 FROM stream JOIN revision ON revision.stream = stream.number
                    WHERE stream.id = ?3 AND revision.revision = ?4 AND revision.text = ?6
                ) THEN NULL ELSE ?6 END
                """,
                [
                    number, place, document.id.key.value, document.revision, document.name?.value, document.text.value,
                ]
            )
        }
    }

    /// Appends a commit to the log. One that begins a run, changes its documents, or is large goes to the tables at once, after
    /// what the log has of the run.
    func commit(_ commit: RunCommit, _ log: LogIndex) throws {
        let id = commit.stream.key
        var tail = log.tail(id)
        var (number, lastRun) = (tail?.stream, 0)
        if tail == nil {
            guard let head = try head(id), !head.isRemoved else { throw StoreError(.missing(id: commit.stream)) }
            number = head.number
            let stored = try rows("SELECT run, revision, outputs FROM run WHERE stream = ?", [head.number]) {
                (run: try $0.integer(0), revision: try $0.integer(1), outputs: try $0.integer(2))
            }.first
            if let stored {
                log.put(id, stream: head.number, run: stored.run, revision: stored.revision, outputs: stored.outputs)
                tail = log.tail(id)
            } else {
                lastRun = try self.lastRun(of: commit.stream)
            }
        }
        let count = try commit.isContinuation(of: tail?.run, after: lastRun) ? tail?.outputs ?? 0 : 0
        let new = try commit.newOutputs(after: count)
        let isPlain = !commit.isNewRun && commit.documents == nil && commit.revision == tail?.revision
        if let tail, isPlain, commit.checkpoint?.utf8.count ?? 0 < log.limits.checkpoint,
            new.reduce(0, { $0 + $1.size }) < log.limits.size
        {
            return try append(commit, new, to: tail, log)
        }
        guard let number else { return }
        try apply(id, log)
        try store(commit, new, count, of: number, log)
        log.put(id, stream: number, run: commit.run, revision: commit.revision, outputs: count + new.count)
    }

    /// Stores a commit in the tables.
    private func store(
        _ commit: RunCommit,
        _ new: ArraySlice<StoredOutput>,
        _ count: Int,
        of number: Int,
        _ log: LogIndex
    ) throws {
        try run(
            """
            INSERT INTO run (stream, run, revision, state, isPaused, speed, error, savedAt, outputs, place)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET run = excluded.run,
            revision = excluded.revision, state = excluded.state, isPaused = excluded.isPaused, speed = excluded.speed,
            error = excluded.error, savedAt = excluded.savedAt, outputs = excluded.outputs, place = excluded.place
            """,
            [
                number, commit.run, commit.revision, commit.state.value, commit.isPaused, commit.speed,
                commit.error?.value, commit.savedAt.milliseconds, count + new.count, log.last,
            ]
        )
        let entry = LogEntry(commit, new)
        if let checkpoint = commit.checkpoint {
            try store(checkpoint: checkpoint, of: number)
        } else if commit.isNewRun {
            for table in ["checkpoint", "input"] { try run("DELETE FROM \(table) WHERE stream = ?", [number]) }
        }
        if let documents = commit.documents {
            try store(documents, ofRunOf: number)
        } else if commit.isNewRun {
            try run("DELETE FROM runDocument WHERE stream = ?", [number])
        }
        try store(inputs: entry.inputs, of: number)
        try store(outputs: entry.outputs, of: number)
        log.noteGrowth(new.reduce(0) { $0 + $1.size }, of: number)
    }

    func journal(of stream: String, _ hint: LogIndex.Hint) throws -> [StreamInput] {
        guard let base = try base(of: stream) else { return [] }
        var entries: [LogEntry] = []
        for place in try places(of: base.stream, after: base.place, hint).reversed() {
            guard let entry = try logEntry(place, of: base.stream) else { continue }
            entries.append(entry)
            if entry.checkpoint != nil { break }
        }
        let newer = entries.reversed().flatMap(\.inputs)
        if entries.last?.checkpoint != nil { return try newer.map { try $0.streamInput() } }
        let older = try rows("SELECT source, time, item FROM input WHERE stream = ? ORDER BY place", [base.stream]) {
            LogEntry.Input(source: try $0.text(0), nanoseconds: Int64(try $0.integer(1)), item: try $0.text(2))
        }
        return try (older + newer).map { try $0.streamInput() }
    }

    /// The run of a stream in the tables, and the place in the log up to which they hold everything.
    private func base(of stream: String) throws -> (stream: Int, run: Int, place: Int)? {
        try rows(
            "SELECT number, run, place FROM stream JOIN run ON run.stream = stream.number WHERE id = ?",
            [stream.key.value]
        ) { (try $0.integer(0), try $0.integer(1), try $0.integer(2)) }.first
    }

    func outputs(
        of stream: String,
        run: Int?,
        after sequence: Int,
        limit: Int,
        _ hint: LogIndex.Hint
    ) throws -> [StoredOutput] {
        guard let head = try head(stream) else { return [] }
        let base = try base(of: stream)
        guard let wanted = run ?? base?.run, wanted > head.lastRun, limit > 0 else { return [] }
        var page = try outputs(
            """
            SELECT entry FROM outputChunk WHERE stream = ?1 AND run = ?2 AND last > ?3 AND first >= coalesce((
                SELECT max(first) FROM outputChunk WHERE stream = ?1 AND run = ?2 AND first <= ?3), 0)
            ORDER BY first
            """,
            [head.number, wanted, sequence],
            limit
        ) { $0.sequence > sequence }
        guard let base, base.run == wanted, !page.isFull else { return page.elements }
        for output in try logged(after: sequence, base, hint) { page.append(output, size: output.size) }
        return page.elements
    }

    func outputs(
        of stream: String,
        afterRun run: Int,
        sequence: Int,
        limit: Int,
        _ hint: LogIndex.Hint
    ) throws -> [StoredOutput] {
        guard let head = try head(stream), limit > 0 else { return [] }
        let (run, sequence) = run > head.lastRun ? (run, sequence) : (head.lastRun + 1, 0)
        var page = try outputs(
            """
            SELECT entry FROM outputChunk WHERE stream = ?1 AND run >= ?2 AND (run, last) > (?2, ?3)
            ORDER BY run, first
            """,
            [head.number, run, sequence],
            limit
        ) { ($0.run, $0.sequence) > (run, sequence) }
        guard let base = try base(of: stream), base.run >= run, !page.isFull else { return page.elements }
        let newer = try logged(after: base.run == run ? sequence : 0, base, hint)
        for output in newer { page.append(output, size: output.size) }
        return page.elements
    }

    /// Returns the outputs of chunks that are wanted, `limit` of them at most.
    private func outputs(
        _ sql: String,
        _ arguments: [Int],
        _ limit: Int,
        where isWanted: (StoredOutput) -> Bool
    ) throws -> StoredPage<StoredOutput> {
        let cursor = try Row.fetchCursor(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
        var page = StoredPage<StoredOutput>(limit: limit)
        while !page.isFull, let row = try cursor.next() {
            for logged in try OutputChunk([UInt8](row.bytes(0))).outputs where isWanted(logged.output) {
                page.append(logged.output, size: logged.output.size)
            }
        }
        return page
    }

    /// Returns the outputs of a run that the tables do not hold.
    private func logged(
        after sequence: Int,
        _ base: (stream: Int, run: Int, place: Int),
        _ hint: LogIndex.Hint
    ) throws -> [StoredOutput] {
        var entries: [[StoredOutput]] = []
        // The newest first: whoever reads what has just come needs few.
        for place in try places(of: base.stream, after: base.place, hint).reversed() {
            let row = try rows("SELECT outputs, entry FROM log WHERE place = ? AND stream = ?", [place, base.stream]) {
                (last: try $0.integer(0), bytes: try $0.bytes(1))
            }.first
            guard let row else { continue }
            if row.last <= sequence { break }
            entries.append(try LogEntry([UInt8](row.bytes)).outputs.map(\.output).filter { $0.sequence > sequence })
        }
        return entries.reversed().flatMap { $0 }
    }

    func forgetRun(of stream: String, _ log: LogIndex) throws {
        if let head = try head(stream) { try forgetRun(ofNumber: head.number, id: stream, log) }
    }

    /// Returns the number of the last run of a stream, removed ones included; 0 if there was none.
    func lastRun(of stream: String) throws -> Int {
        try rows(
            "SELECT max(lastRun, coalesce(run.run, 0)) FROM stream LEFT JOIN run ON run.stream = number WHERE id = ?",
            [stream.key.value]
        ) { try $0.integer(0) }.first ?? 0
    }

    /// Removes the runs of a stream, and keeps the number of the last, so that none is used twice.
    ///
    /// Nobody reads the outputs of a run with that number or a lower one. They may be many, and are removed piece by piece
    /// (``Trimming/removed``), so that no other writer waits for that.
    func forgetRun(ofNumber number: Int, id: String, _ log: LogIndex) throws {
        try run(
            """
            UPDATE stream SET lastRun = (SELECT run FROM run WHERE stream = ?1)
            WHERE number = ?1 AND EXISTS (SELECT 1 FROM run WHERE stream = ?1)
            """,
            [number]
        )
        for table in ["run", "checkpoint", "input", "runDocument"] {
            try run("DELETE FROM \(table) WHERE stream = ?", [number])
        }
        try forgetDeliveries(of: number)
        log.forget(id.key)
    }
}

extension StoredRun {
    /// Returns the run as an entry of the log has it.
    fileprivate func with(_ entry: LogEntry, outputs: Int) -> StoredRun {
        var run = self
        (run.revision, run.state, run.isPaused) = (entry.revision, entry.state, entry.isPaused)
        (run.speed, run.error, run.outputs) = (entry.speed, entry.error, outputs)
        run.savedAt = Date(milliseconds: entry.savedAt)
        return run
    }

    /// Returns the run with another checkpoint.
    fileprivate func with(checkpoint: String) -> StoredRun {
        var run = self
        run.checkpoint = checkpoint
        return run
    }

    /// Reads `id, run, revision, state, isPaused, speed, error, savedAt, outputs, checkpoint`.
    fileprivate init(_ row: Row, _ documents: [StoredStream] = []) throws {
        self.init(
            stream: try row.text(0),
            run: try row.integer(1),
            revision: try row.integer(2),
            state: try row.text(3),
            isPaused: try row.integer(4) != 0,
            speed: try row.number(5),
            error: try row.optionalText(6),
            savedAt: try row.date(7),
            checkpoint: try row.optionalText(9),
            outputs: try row.integer(8),
            documents: documents
        )
    }
}
#endif
