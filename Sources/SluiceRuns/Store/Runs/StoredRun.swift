public import Foundation

/// The stored state of a stream's run, from which it resumes after a restart.
public struct StoredRun: Sendable, Hashable, Codable {
    /// The id of the stream.
    public let stream: String
    /// The number of the run, from 1.
    public let run: Int
    /// The revision of the document that it runs.
    public package(set) var revision: Int
    /// The state of the run, as named by its supervisor.
    public package(set) var state: String
    /// A Boolean value that indicates whether the run is paused.
    public package(set) var isPaused: Bool
    /// The speed: the seconds of the run's time that pass in one second of the clock.
    public package(set) var speed: Double
    /// The error with which the run failed, if it did.
    public package(set) var error: String?
    /// The wall-clock time at which this was stored, to the millisecond.
    public package(set) var savedAt: Date
    /// The text of its last checkpoint; `nil` before the first, and in a list of runs.
    public package(set) var checkpoint: String?
    /// The number of outputs that the run has stored, which is the sequence number of the last. Older ones may be
    /// removed.
    public package(set) var outputs: Int
    /// The documents that the checkpoint was compiled from, its own first; empty where none were stored, and in a list
    /// of runs.
    public package(set) var documents: [StoredStream]

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

    /// The entry without its checkpoint and the documents of it.
    package var withoutCheckpoint: StoredRun {
        var entry = self
        (entry.checkpoint, entry.documents) = (nil, [])
        return entry
    }
}
