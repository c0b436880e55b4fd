#if SQLite
import Foundation
import GRDB
import SluiceRuns

/// The statements for sinks. Each checks before it writes: if it throws ``SluiceRuns/StoreError``, nothing was written.
extension Database {
    func sinks(of stream: String?) throws -> [StoredSink] {
        try rows(
            """
            SELECT stream.id, sink.id, sink.run, sink.sequence, acknowledged, delivered, failed, fingerprint
            FROM sink
            JOIN stream ON stream.number = sink.stream WHERE ?1 IS NULL OR stream.id = ?1 ORDER BY position, sink.id
            """,
            [stream?.key.value]
        ) {
            StoredSink(
                stream: try $0.text(0),
                id: try $0.text(1),
                cursor: OutputPlace(run: try $0.integer(2), sequence: try $0.integer(3)),
                acknowledged: try Self.places(try $0.text(4)),
                delivered: try $0.integer(5),
                failed: try $0.integer(6),
                fingerprint: try $0.optionalText(7)
            )
        }
    }

    func deliveries(of stream: String, sink: String) throws -> [StoredDelivery] {
        try rows(
            """
            SELECT delivery.run, sequence, delivery.lastRun, lastSequence, key, round, refusal, request FROM delivery
            JOIN stream ON stream.number = delivery.stream WHERE stream.id = ? AND sink = ?
            ORDER BY delivery.run, sequence
            """,
            [stream.key.value, sink.key.value]
        ) {
            StoredDelivery(
                first: OutputPlace(run: try $0.integer(0), sequence: try $0.integer(1)),
                last: OutputPlace(run: try $0.integer(2), sequence: try $0.integer(3)),
                key: try $0.text(4),
                request: try $0.text(7),
                round: try $0.integer(5),
                refusal: try $0.optionalText(6)
            )
        }
    }

    func commit(_ commits: [SinkCommit]) throws {
        let numbers = try commits.map { commit in
            guard let head = try head(commit.sink.stream), !head.isRemoved else {
                throw StoreError(.missing(id: commit.sink.stream))
            }
            return head.number
        }
        for (commit, number) in zip(commits, numbers) { try store(commit, of: number) }
    }

    private func store(_ commit: SinkCommit, of stream: Int) throws {
        let id = commit.sink.id.key.value
        try run(
            """
            INSERT INTO sink (stream, id, run, sequence, acknowledged, delivered, failed, fingerprint)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET run = excluded.run, sequence = excluded.sequence,
            acknowledged = excluded.acknowledged, delivered = excluded.delivered, failed = excluded.failed,
            fingerprint = excluded.fingerprint
            """,
            [
                stream, id, commit.sink.cursor.run, commit.sink.cursor.sequence, Self.text(commit.sink.acknowledged),
                commit.sink.delivered, commit.sink.failed, commit.sink.fingerprint?.value,
            ]
        )
        for place in commit.ended {
            try run(
                "DELETE FROM delivery WHERE stream = ? AND sink = ? AND run = ? AND sequence = ?",
                [stream, id, place.run, place.sequence]
            )
        }
        for delivery in commit.fixed {
            try run(
                """
                INSERT INTO delivery (stream, sink, run, sequence, lastRun, lastSequence, key, round, refusal, request)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET lastRun = excluded.lastRun,
                lastSequence = excluded.lastSequence, key = excluded.key, round = excluded.round,
                refusal = excluded.refusal, request = excluded.request
                """,
                [
                    stream, id, delivery.first.run, delivery.first.sequence, delivery.last.run, delivery.last.sequence,
                    delivery.key.value, delivery.round, delivery.refusal?.value, delivery.request.value,
                ]
            )
        }
        for letter in commit.letters { try add(letter, of: stream) }
    }

    func removeSink(_ id: String, of stream: String) throws {
        guard let head = try head(stream) else { return }
        try run("DELETE FROM sink WHERE stream = ? AND id = ?", [head.number, id.key.value])
        try run("DELETE FROM delivery WHERE stream = ? AND sink = ?", [head.number, id.key.value])
    }

    /// Removes the deliveries of a stream whose runs are removed, and the names of the runs.
    func forgetDeliveries(of stream: Int) throws {
        try run("UPDATE sink SET acknowledged = '' WHERE stream = ?", [stream])
        for table in ["delivery", "runName"] { try run("DELETE FROM \(table) WHERE stream = ?", [stream]) }
    }

    /// Removes everything about the sinks of a stream.
    func removeSinks(of stream: Int) throws {
        for table in ["sink", "delivery", "runName", "deadLetter"] {
            try run("DELETE FROM \(table) WHERE stream = ?", [stream])
        }
    }

    /// Returns the smallest cursor of a stream's sinks; `nil` where it has none.
    func sinkCursor(of stream: Int) throws -> OutputPlace? {
        try rows("SELECT run, sequence FROM sink WHERE stream = ? ORDER BY run, sequence LIMIT 1", [stream]) {
            OutputPlace(run: try $0.integer(0), sequence: try $0.integer(1))
        }.first
    }

    /// Returns the name of a run, and stores `new` as its name where it has none.
    func name(ofRun number: Int, of stream: String, orStore new: String) throws -> String {
        guard let head = try head(stream), !head.isRemoved else { throw StoreError(.missing(id: stream)) }
        let stored = try rows("SELECT name FROM runName WHERE stream = ? AND run = ?", [head.number, number]) {
            try $0.text(0)
        }
        if let name = stored.first { return name }
        try run("INSERT INTO runName (stream, run, name) VALUES (?, ?, ?)", [head.number, number, new])
        return new
    }

    // MARK: Leases

    func leases() throws -> [StoredLease] {
        try rows(
            """
            SELECT stream.id, lease.number, clientGroup, member FROM lease JOIN stream ON stream.number = lease.stream
            ORDER BY stream.id
            """,
            []
        ) {
            StoredLease(
                stream: try $0.text(0),
                number: try $0.integer(1),
                group: try $0.optionalText(2),
                member: try $0.optionalText(3)
            )
        }
    }

    func store(_ lease: StoredLease) throws {
        guard let head = try head(lease.stream), !head.isRemoved else { throw StoreError(.missing(id: lease.stream)) }
        try run(
            """
            INSERT INTO lease (stream, number, clientGroup, member) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
            number = excluded.number, clientGroup = excluded.clientGroup, member = excluded.member
            """,
            [head.number, lease.number, lease.group?.value, lease.member?.value]
        )
    }

    // MARK: Dead letters

    private func add(_ letter: StoredDeadLetter, of stream: Int) throws {
        try run(
            """
            INSERT INTO deadLetter (stream, sink, run, sequence, key, error, time, round, isResending, request, items)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                stream, letter.sink.key.value, letter.place.run, letter.place.sequence, letter.key.value,
                letter.error.value, letter.time.milliseconds, letter.round, letter.isResending, letter.request?.value,
                letter.items.value,
            ]
        )
    }

    func deadLetters(
        of stream: String,
        sink: String? = nil,
        number: Int? = nil,
        after: Int = 0,
        limit: Int = 1
    ) throws -> [StoredDeadLetter] {
        let sql = """
            SELECT deadLetter.number, stream.id, sink, run, sequence, key, error, time, round, isResending, request, items
            FROM deadLetter JOIN stream ON stream.number = deadLetter.stream
            WHERE stream.id = ?1 AND (?2 IS NULL OR sink = ?2) AND (?3 IS NULL OR deadLetter.number = ?3)
            AND deadLetter.number > ?4 ORDER BY deadLetter.number LIMIT ?5
            """
        let arguments: [(any DatabaseValueConvertible)?] = [
            stream.key.value, sink?.key.value, number, after, max(0, limit),
        ]
        let cursor = try Row.fetchCursor(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
        var page = StoredPage<StoredDeadLetter>(limit: limit)
        while !page.isFull, let row = try cursor.next() {
            let letter = try StoredDeadLetter(row)
            page.append(letter, size: letter.size)
        }
        return page.elements
    }

    func deadLettersToResend(of stream: String, limit: Int) throws -> [Int] {
        guard let head = try head(stream) else { return [] }
        return try rows(
            "SELECT number FROM deadLetter WHERE stream = ? AND isResending = 1 ORDER BY number LIMIT ?",
            [head.number, max(0, limit)]
        ) { try $0.integer(0) }
    }

    func replaceDeadLetter(_ letter: StoredDeadLetter) throws {
        guard let head = try head(letter.stream) else { return }
        try run(
            """
            UPDATE deadLetter SET key = ?, error = ?, round = ?, isResending = ?, request = ?
            WHERE number = ? AND stream = ?
            """,
            [
                letter.key.value, letter.error.value, letter.round, letter.isResending, letter.request?.value,
                letter.number, head.number,
            ]
        )
    }

    func removeDeadLetter(_ number: Int, of stream: String) throws {
        guard let head = try head(stream) else { return }
        try run("DELETE FROM deadLetter WHERE number = ? AND stream = ?", [number, head.number])
    }

    func deadLetterCounts(of stream: String) throws -> [String: Int] {
        let counts = try rows(
            """
            SELECT sink, count(*) FROM deadLetter JOIN stream ON stream.number = deadLetter.stream
            WHERE stream.id = ? GROUP BY sink
            """,
            [stream.key.value]
        ) { (try $0.text(0), try $0.integer(1)) }
        return Dictionary(counts) { first, _ in first }
    }

    // MARK: Places

    private static func text(_ places: [OutputPlace]) -> String { places.map(\.description).joined(separator: " ") }

    private static func places(_ text: String) throws -> [OutputPlace] {
        try text.split(separator: " ").map { part in
            let numbers = part.split(separator: "-").map { Int($0) }
            guard numbers.count == 2, let run = numbers[0], let sequence = numbers[1] else {
                throw StoreError(.damaged(reason: "the place of an output can't be read"))
            }
            return OutputPlace(run: run, sequence: sequence)
        }
    }
}

extension StoredDeadLetter {
    /// Reads `number, stream, sink, run, sequence, key, error, time, round, isResending, request, items`.
    fileprivate init(_ row: Row) throws {
        self.init(
            number: try row.integer(0),
            stream: try row.text(1),
            sink: try row.text(2),
            place: OutputPlace(run: try row.integer(3), sequence: try row.integer(4)),
            items: try row.text(11),
            key: try row.text(5),
            request: try row.optionalText(10),
            error: try row.text(6),
            time: try row.date(7),
            round: try row.integer(8),
            isResending: try row.integer(9) != 0
        )
    }
}
#endif
