import GRDB
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The statements for durable runs. Each checks before it writes: where it throws ``StoreError``, nothing was written.
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
        ) { try StoredRun($0) }.first
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
        ) { row in
            guard let kind = StoredOutput.Kind(rawValue: try row.text(3)) else {
                throw StoreError(.damaged(reason: "an output is of no known kind"))
            }
            return StoredOutput(
                run: try row.integer(0),
                sequence: try row.integer(1),
                time: try row.streamTime(2),
                kind: kind,
                text: try row.text(4)
            )
        }
    }

    func forgetRun(of stream: String) throws {
        if let head = try head(stream) { try forgetRun(ofNumber: head.number) }
    }

    func forgetRun(ofNumber number: Int) throws {
        for table in ["run", "checkpoint", "input", "output"] {
            try run("DELETE FROM \(table) WHERE stream = ?", [number])
        }
    }
}

extension StoredRun {
    /// Reads `id, run, revision, state, isPaused, speed, error, savedAt, outputs, checkpoint`.
    fileprivate init(_ row: Row) throws {
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
            outputs: try row.integer(8)
        )
    }
}

extension Row {
    fileprivate func streamTime(_ index: Int) throws -> StreamTime {
        StreamTime(nanoseconds: Swift.max(0, Int64(try integer(index))))
    }
}
