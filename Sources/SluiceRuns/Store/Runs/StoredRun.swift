public import Foundation

/// Where the run of a stream is, so that it goes on after a restart.
public struct StoredRun: Sendable, Hashable {
    /// The id of the stream.
    public let stream: String
    /// The number of the run, from 1.
    public let run: Int
    /// The revision of the document that it runs.
    public let revision: Int
    /// What it is doing, in the words of who runs it.
    public let state: String
    /// Whether its time stands still.
    public let isPaused: Bool
    /// How many seconds of its time pass in one of the clock.
    public let speed: Double
    /// Why it failed, where it has.
    public let error: String?
    /// When this was stored, by the clock on the wall, to the millisecond.
    public let savedAt: Date
    /// The text of its last checkpoint; `nil` before the first, and in a list of runs.
    public let checkpoint: String?
    /// How many outputs it has stored: the sequence of the last. Older ones may be gone.
    public let outputs: Int
    /// The documents that the checkpoint was compiled from, its own first; empty where none were stored, and in a list
    /// of runs.
    public let documents: [StoredStream]

    /// Makes an entry.
    public init(
        stream: String,
        run: Int,
        revision: Int,
        state: String,
        isPaused: Bool,
        speed: Double,
        error: String?,
        savedAt: Date,
        checkpoint: String?,
        outputs: Int,
        documents: [StoredStream] = []
    ) {
        self.stream = stream
        self.run = run
        self.revision = revision
        self.state = state
        self.isPaused = isPaused
        self.speed = speed
        self.error = error
        self.savedAt = savedAt
        self.checkpoint = checkpoint
        self.outputs = outputs
        self.documents = documents
    }

    /// The entry without the text of its checkpoint.
    package var withoutCheckpoint: StoredRun {
        StoredRun(
            stream: stream,
            run: run,
            revision: revision,
            state: state,
            isPaused: isPaused,
            speed: speed,
            error: error,
            savedAt: savedAt,
            checkpoint: nil,
            outputs: outputs
        )
    }
}
