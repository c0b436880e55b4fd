public import Foundation
public import SluiceStreams

/// What is stored of a run at once.
///
/// The fields that a ``StoredRun`` has take the place of those that are stored.
public struct RunCommit: Sendable {
    /// The id of the stream.
    public var stream: String
    /// The number of the run, from 1.
    public var run: Int
    /// Whether the run begins here: the checkpoint and the journal of the one before go, and its outputs stay.
    public var isNewRun: Bool
    /// The revision of the document that it runs.
    public var revision: Int
    /// What it is doing, in the words of who runs it.
    public var state: String
    /// Whether its time stands still.
    public var isPaused: Bool
    /// How many seconds of its time pass in one of the clock.
    public var speed: Double
    /// Why it failed, where it has.
    public var error: String?
    /// The time of the clock on the wall.
    public var savedAt: Date
    /// A new checkpoint, taken after `inputs` and `outputs`: the journal goes. Where it is `nil`, the one that is stored
    /// stays.
    public var checkpoint: String?
    /// What the run took from outside since the last commit: it is added to the journal, unless a checkpoint holds it.
    public var inputs: [StreamInput]
    /// The documents that the run is compiled from, its own first, which take the place of those that are stored. Where
    /// it is `nil`, the ones that are stored stay.
    public var documents: [StoredStream]?
    /// What it gave, in order. One that is stored already is left as it is: a replay after a crash gives it again.
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
