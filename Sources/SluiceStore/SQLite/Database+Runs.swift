import GRDB
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The statements for durable runs. Each checks before it writes: if it throws ``StoreError``, nothing was written.
extension Database {
    func runs() throws -> [StoredRun] {
        try rows(
            """
            SELECT id, run, run.revision, state, isPaused, speed, error, savedAt, outputs, NULL FROM run
            JOIN stream ON stream.number = run.stream ORDER BY position
            """
        ) { try StoredRun($0) }
    }

    func storedRun(of stream: String) throws -> StoredRun? {
        try rows(
            """
            SELECT id, run, run.revision, state, isPaused, speed, error, savedAt, outputs, checkpoint.text FROM stream
            JOIN run ON run.stream = stream.number LEFT JOIN checkpoint ON checkpoint.stream = stream.number
            WHERE id = ?
            """,
            [stream.key.value]
        ) { try StoredRun($0, try runDocuments(of: stream)) }.first
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

    func commit(_ commit: RunCommit) throws {
        guard let head = try head(commit.stream), !head.isRemoved else { throw StoreError(.missing(id: commit.stream)) }
        let last = try rows("SELECT run, outputs FROM run WHERE stream = ?", [head.number]) {
            (number: try $0.integer(0), outputs: try $0.integer(1))
        }.first
        let count = try commit.isContinuation(of: last?.number) ? last?.outputs ?? 0 : 0
        let new = try commit.newOutputs(after: count)
        let number = head.number
        try run(
            """
            INSERT INTO run (stream, run, revision, state, isPaused, speed, error, savedAt, outputs)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET run = excluded.run,
            revision = excluded.revision, state = excluded.state, isPaused = excluded.isPaused, speed = excluded.speed,
            error = excluded.error, savedAt = excluded.savedAt, outputs = excluded.outputs
            """,
            [
                number, commit.run, commit.revision, commit.state.value, commit.isPaused, commit.speed,
                commit.error?.value, commit.savedAt.milliseconds, count + new.count,
            ]
        )
        if commit.isNewRun || commit.checkpoint != nil { try run("DELETE FROM input WHERE stream = ?", [number]) }
        if let checkpoint = commit.checkpoint {
            try run(
                "INSERT INTO checkpoint (stream, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text",
                [number, checkpoint.value]
            )
        } else if commit.isNewRun {
            try run("DELETE FROM checkpoint WHERE stream = ?", [number])
        }
        if let documents = commit.documents {
            try store(documents, ofRunOf: number)
        } else if commit.isNewRun {
            try run("DELETE FROM runDocument WHERE stream = ?", [number])
        }
        for input in commit.inputs where commit.checkpoint == nil {
            try run(
                "INSERT INTO input (stream, source, time, item) VALUES (?, ?, ?, ?)",
                [number, input.source.value, input.nanoseconds, input.item.description.value]
            )
        }
        for output in new {
            try run(
                "INSERT INTO output (stream, run, sequence, time, kind, savedAt, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    number, output.run, output.sequence, output.time.nanoseconds, output.kind.rawValue,
                    commit.savedAt.milliseconds, output.text.value,
                ]
            )
        }
    }

    func journal(of stream: String) throws -> [StreamInput] {
        try rows(
            """
            SELECT source, time, item FROM stream JOIN input ON input.stream = stream.number WHERE id = ? ORDER BY place
            """,
            [stream.key.value]
        ) { row in
            let item: JSON
            do {
                item = try JSON(parsing: row.text(2))
            } catch let error as JSONError {
                throw StoreError(.damaged(reason: "an input of the journal: \(error)"))
            }
            return StreamInput(source: try row.text(0), time: try row.streamTime(1), item: item)
        }
    }

    func outputs(of stream: String, run: Int?, after sequence: Int, limit: Int) throws -> [StoredOutput] {
        try rows(
            """
            SELECT output.run, sequence, time, kind, text FROM stream JOIN output ON output.stream = stream.number
            WHERE id = ?1 AND output.run = coalesce(?2, (SELECT run FROM run WHERE run.stream = stream.number))
            AND sequence > ?3 ORDER BY sequence LIMIT ?4
            """,
            [stream.key.value, run, sequence, max(0, limit)]
        ) { try StoredOutput($0) }
    }

    func outputs(of stream: String, afterRun run: Int, sequence: Int, limit: Int) throws -> [StoredOutput] {
        guard let head = try head(stream) else { return [] }
        return try rows(
            """
            SELECT run, sequence, time, kind, text FROM output
            WHERE stream = ?1 AND (run, sequence) > (?2, ?3) ORDER BY run, sequence LIMIT ?4
            """,
            [head.number, run, sequence, max(0, limit)]
        ) { try StoredOutput($0) }
    }

    func forgetRun(of stream: String) throws {
        if let head = try head(stream) { try forgetRun(ofNumber: head.number) }
    }

    func forgetRun(ofNumber number: Int) throws {
        for table in ["run", "checkpoint", "input", "output", "runDocument"] {
            try run("DELETE FROM \(table) WHERE stream = ?", [number])
        }
    }
}

extension StoredRun {
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

extension StoredOutput {
    /// Reads `run, sequence, time, kind, text`.
    fileprivate init(_ row: Row) throws {
        guard let kind = StoredOutput.Kind(rawValue: try row.text(3)) else {
            throw StoreError(.damaged(reason: "an output is of no known kind"))
        }
        self.init(
            run: try row.integer(0),
            sequence: try row.integer(1),
            time: try row.streamTime(2),
            kind: kind,
            text: try row.text(4)
        )
    }
}

extension Row {
    fileprivate func streamTime(_ index: Int) throws -> StreamTime {
        StreamTime(nanoseconds: Swift.max(0, Int64(try integer(index))))
    }
}
