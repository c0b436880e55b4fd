#if SQLite
import Foundation
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// An entry of the log: the additions of one commit to a run. The log holds the entries of all streams in order.
///
/// A commit that begins a run, or changes its documents, goes to the tables.
struct LogEntry: Equatable {
    var revision: Int
    var state: String
    var isPaused: Bool
    var speed: Double
    var error: String?
    var savedAt: Int64
    var checkpoint: String?
    /// An input of the run from outside: the source, the time in nanoseconds, and the item as text.
    var inputs: [Input]
    var outputs: [LoggedOutput]

    struct Input: Equatable {
        let source: String
        let nanoseconds: Int64
        let item: String
    }

    private static let version: UInt64 = 1

    private enum Flag {
        static let isPaused: UInt64 = 1
        static let hasSpeed: UInt64 = 2
        static let hasError: UInt64 = 4
        static let hasCheckpoint: UInt64 = 8
    }

    /// Makes the entry of a commit, of whose outputs `outputs` are new.
    init(_ commit: RunCommit, _ outputs: ArraySlice<StoredOutput>) {
        (revision, state, isPaused) = (commit.revision, commit.state, commit.isPaused)
        (speed, error, checkpoint) = (commit.speed, commit.error, commit.checkpoint)
        savedAt = commit.savedAt.milliseconds
        // A checkpoint holds what was taken before it.
        inputs =
            checkpoint == nil
            ? commit.inputs.map { Input(source: $0.source, nanoseconds: $0.nanoseconds, item: $0.item.description) }
            : []
        self.outputs = outputs.map { [savedAt] in LoggedOutput($0, savedAt: savedAt) }
    }

    /// The entry as bytes.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(Self.version)
        writer.write(
            (isPaused ? Flag.isPaused : 0) | (speed != 1 ? Flag.hasSpeed : 0) | (error != nil ? Flag.hasError : 0)
                | (checkpoint != nil ? Flag.hasCheckpoint : 0)
        )
        writer.write(revision)
        writer.write(state)
        if speed != 1 { writer.write(speed.bitPattern) }
        if let error { writer.write(error) }
        writer.write(savedAt)
        if let checkpoint { writer.write(checkpoint) }
        writer.write(UInt64(inputs.count))
        for input in inputs {
            writer.write(input.source)
            writer.write(input.nanoseconds)
            writer.write(input.item)
        }
        LoggedOutput.write(outputs, savedAt: savedAt, to: &writer)
        return writer.bytes
    }

    /// Reads an entry.
    ///
    /// - Throws: ``SluiceRuns/StoreError`` where it is damaged.
    init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard try reader.unsigned() == Self.version else { throw ByteReader.damage }
        let flags = try reader.unsigned()
        isPaused = flags & Flag.isPaused != 0
        revision = try reader.integer()
        state = try reader.text()
        speed = flags & Flag.hasSpeed != 0 ? Double(bitPattern: try reader.unsigned()) : 1
        error = flags & Flag.hasError != 0 ? try reader.text() : nil
        savedAt = try reader.signed()
        checkpoint = flags & Flag.hasCheckpoint != 0 ? try reader.text() : nil
        inputs = try (0..<reader.count()).map { _ in
            Input(source: try reader.text(), nanoseconds: try reader.signed(), item: try reader.text())
        }
        outputs = try LoggedOutput.read(savedAt: savedAt, from: &reader)
        guard reader.isAtEnd else { throw ByteReader.damage }
    }
}

extension LogEntry.Input {
    /// Returns the input as the run has taken it.
    ///
    /// - Throws: ``SluiceRuns/StoreError`` where it is damaged.
    func streamInput() throws -> StreamInput {
        do {
            return StreamInput(
                source: source,
                time: StreamTime(nanoseconds: max(0, nanoseconds)),
                item: try JSON(parsing: item)
            )
        } catch {
            throw StoreError(.damaged(reason: "an input of the journal: \(error)"))
        }
    }
}
#endif
