public import Foundation
public import SluiceStreams

/// A change of a run's state that is stored in one transaction.
///
/// Fields that ``StoredRun`` has too replace the stored ones.
public struct RunCommit: Sendable, Codable {
    /// The id of the stream.
    public var stream: String
    /// The number of the run, from 1.
    public var run: Int
    /// A Boolean value that indicates whether a new run begins: the previous run's checkpoint and journal are removed,
    /// and its outputs are kept.
    public var isNewRun: Bool
    /// The revision of the document that it runs.
    public var revision: Int
    /// The state of the run, as named by its supervisor.
    public var state: String
    /// A Boolean value that indicates whether the run is paused.
    public var isPaused: Bool
    /// The speed: the seconds of the run's time that pass in one second of the clock.
    public var speed: Double
    /// The error with which the run failed, if it did.
    public var error: String?
    /// The wall-clock time of the commit.
    public var savedAt: Date
    /// A new checkpoint, taken after `inputs` and `outputs`, which replaces the journal. With `nil`, the stored one is
    /// kept.
    public var checkpoint: String?
    /// The inputs since the last commit. They are added to the journal unless a checkpoint contains them.
    public var inputs: [StreamInput]
    /// The documents that the run is compiled from, its own first. They replace the stored ones; with `nil`, those are
    /// kept.
    public var documents: [StoredStream]?
    /// The outputs in order. Outputs that are stored already are ignored, because a replay after a crash repeats them.
    public var outputs: [StoredOutput]

    /// Makes a commit.
    public init(
        stream: String,
        run: Int,
        isNewRun: Bool = false,
        revision: Int,
        state: String,
        isPaused: Bool = false,
        speed: Double = 1,
        error: String? = nil,
        savedAt: Date,
        checkpoint: String? = nil,
        inputs: [StreamInput] = [],
        outputs: [StoredOutput] = [],
        documents: [StoredStream]? = nil
    ) {
        self.stream = stream
        self.run = run
        self.isNewRun = isNewRun
        self.revision = revision
        self.state = state
        self.isPaused = isPaused
        self.speed = speed
        self.error = error
        self.savedAt = savedAt
        self.checkpoint = checkpoint
        self.inputs = inputs
        self.outputs = outputs
        self.documents = documents
    }
}
