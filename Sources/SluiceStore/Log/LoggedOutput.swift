#if SQLite
import SluiceRuns
import SluiceStreams

/// An output with the time of day at which it was stored, in milliseconds since 1970.
struct LoggedOutput: Equatable {
    let output: StoredOutput
    let savedAt: Int64

    init(_ output: StoredOutput, savedAt: Int64) { (self.output, self.savedAt) = (output, savedAt) }

    private static let kinds: [StoredOutput.Kind] = [.value, .reported, .completed, .failed]

    /// Writes outputs of one run whose numbers follow each other. Times are written as differences, which are short.
    ///
    /// - Parameter savedAt: the time from which the first difference is counted.
    static func write(_ outputs: [LoggedOutput], savedAt: Int64, to writer: inout ByteWriter) {
        writer.write(UInt64(outputs.count))
        guard let first = outputs.first else { return }
        writer.write(first.output.run)
        writer.write(first.output.sequence)
        var (time, saved) = (Int64(0), savedAt)
        for logged in outputs {
            let output = logged.output
            writer.write(UInt64(kinds.firstIndex(of: output.kind) ?? 0))
            writer.write(output.time.nanoseconds &- time)
            writer.write(logged.savedAt &- saved)
            writer.write(output.text)
            (time, saved) = (output.time.nanoseconds, logged.savedAt)
        }
    }

    /// Reads what ``write(_:savedAt:to:)`` has written.
    ///
    /// - Throws: ``SluiceRuns/StoreError`` where it is damaged.
    static func read(savedAt: Int64, from reader: inout ByteReader) throws -> [LoggedOutput] {
        let count = try reader.count()
        if count == 0 { return [] }
        let (run, first) = (try reader.integer(), try reader.integer())
        var (time, saved) = (Int64(0), savedAt)
        return try (0..<count).map { index in
            guard let kind = Int(exactly: try reader.unsigned()), kinds.indices.contains(kind) else {
                throw ByteReader.damage
            }
            time &+= try reader.signed()
            saved &+= try reader.signed()
            let output = StoredOutput(
                run: run,
                sequence: first &+ index,
                time: StreamTime(nanoseconds: max(0, time)),
                kind: kinds[kind],
                text: try reader.text()
            )
            return LoggedOutput(output, savedAt: saved)
        }
    }
}
#endif
