#if SQLite
import SluiceRuns

/// Outputs of one run whose numbers follow each other: a row of the table.
struct OutputChunk {
    /// The largest number of outputs of a chunk.
    static let largest = 256
    /// The size in bytes from which a chunk takes no more outputs.
    static let size = 16 << 10

    let outputs: [LoggedOutput]

    /// The time at which the oldest was stored, in milliseconds.
    var savedAt: Int64 { outputs.map(\.savedAt).min() ?? 0 }

    /// The chunk as bytes.
    var bytes: [UInt8] {
        // A large text isn't copied as the bytes grow.
        var writer = ByteWriter(reserving: outputs.reduce(32) { $0 + $1.output.text.utf8.count + 16 })
        LoggedOutput.write(outputs, savedAt: outputs.first?.savedAt ?? 0, to: &writer)
        writer.write(outputs.first?.savedAt ?? 0)
        return writer.bytes
    }

    init(_ outputs: [LoggedOutput]) { self.outputs = outputs }

    /// Reads a chunk.
    ///
    /// - Throws: ``SluiceRuns/StoreError`` where it is damaged.
    init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        let outputs = try LoggedOutput.read(savedAt: 0, from: &reader)
        let savedAt = try reader.signed()
        guard reader.isAtEnd, !outputs.isEmpty else { throw ByteReader.damage }
        self.outputs = outputs.map { LoggedOutput($0.output, savedAt: $0.savedAt &+ savedAt) }
    }

    /// Returns outputs, in their order, as chunks.
    static func chunks(_ outputs: [LoggedOutput]) -> [OutputChunk] {
        var chunks: [OutputChunk] = []
        var (open, size): ([LoggedOutput], Int) = ([], 0)
        for logged in outputs {
            if let last = open.last {
                let follows =
                    last.output.run == logged.output.run && last.output.sequence &+ 1 == logged.output.sequence
                if !follows || open.count >= largest || size >= Self.size {
                    chunks.append(OutputChunk(open))
                    (open, size) = ([], 0)
                }
            }
            open.append(logged)
            size += logged.output.text.utf8.count + 8
        }
        if !open.isEmpty { chunks.append(OutputChunk(open)) }
        return chunks
    }
}
#endif
