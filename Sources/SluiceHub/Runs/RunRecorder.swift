import Foundation
import SluiceJSON
import SluiceStore
import SluiceStreams

/// A revision of a document.
private struct DocumentKey: Hashable {
    let id: String
    let revision: Int

    init(_ stored: StoredStream) { (id, revision) = (stored.id, stored.revision) }
}

/// What a run has done and the store has not yet: pure, apart from the actor that owns it.
///
/// Output, inputs and state are stored together every `interval`; a checkpoint comes with them every `checkpointInterval`,
/// and whenever the document or the state was changed by somebody. After a crash the run goes on from the checkpoint and
/// gives again, equal, what came after it; what of that is stored already is left out here.
struct RunRecorder {
    /// How long what came waits for the next transaction, in nanoseconds.
    static let interval: Int64 = 50_000_000
    /// How long it may be from checkpoint to checkpoint while something happens.
    static let checkpointInterval: Int64 = 1_000_000_000
    /// How long the store is left alone after it has failed.
    static let patience: Int64 = 1_000_000_000
    /// How much may wait for the store; then the run stands still.
    static let limit = 20_000

    private let stream: String
    private var run = 0
    private var isNew = false
    private var outputs: [StoredOutput] = []
    private var inputs: [StreamInput] = []
    /// What runs that were begun anew had not stored yet.
    private var earlier: [RunCommit] = []
    /// The number of the last output that is stored.
    private var count = 0
    private var lastCheckpoint: Int64?
    private var retryAt: Int64?
    /// Whether there is something to store.
    private var isDirty = false
    /// Whether anything has happened since the last checkpoint.
    private var hasProgressed = false
    /// Whether the next transaction is to hold a checkpoint.
    private var needsCheckpoint = false
    /// The time of day of the last checkpoint.
    private var savedAt: Date?
    /// The documents that are stored with the run.
    private var documents: [DocumentKey] = []

    init(_ stream: String) { self.stream = stream }

    /// Whether as much waits as may.
    var isFull: Bool { outputs.count >= Self.limit || inputs.count >= Self.limit }

    /// Whether the store has failed and not worked since.
    var isFailing: Bool { retryAt != nil }

    /// A run begins; what the one before has not stored is stored first.
    mutating func begin(_ status: RunStatus, at time: Date) {
        if run > 0, !outputs.isEmpty || isNew, earlier.count < 100 {
            earlier.append(commit(status, checkpoint: nil, savedAt: time))
        }
        run = status.run + 1
        (isNew, count, outputs, inputs) = (true, 0, [], [])
        touch()
    }

    /// A run goes on that was stored.
    mutating func resume(_ stored: StoredRun) {
        (run, count, isNew) = (stored.run, stored.outputs, false)
        savedAt = stored.savedAt
        documents = stored.documents.map(DocumentKey.init)
    }

    /// Somebody has changed something about the run.
    mutating func touch() {
        isDirty = true
        needsCheckpoint = true
    }

    /// Time has gone on in the run.
    mutating func progress() { hasProgressed = true }

    mutating func take(_ event: StreamEvent<JSON>, number: Int) {
        guard number > count else { return }
        let (kind, text): (StoredOutput.Kind, String) =
            switch event.kind {
            case .value(let value): (.value, value.description)
            case .reported(let error): (.reported, error.description)
            case .completed: (.completed, "")
            case .failed(let error): (.failed, error.description)
            }
        outputs.append(StoredOutput(run: run, sequence: number, time: event.time, kind: kind, text: text))
        isDirty = true
    }

    mutating func take(_ taken: TakenInputs) {
        if taken.list.isEmpty { return }
        inputs += taken.list
        taken.list = []
        isDirty = true
    }

    /// Whether there is something to store now.
    func isDue(at now: Int64) -> Bool {
        run > 0 && (isDirty || hasProgressed && lastCheckpoint.map { now - $0 > 10 * Self.checkpointInterval } ?? true)
    }

    /// How long to wait before the next transaction, in nanoseconds.
    func wait(at now: Int64) -> Int64 { max(Self.interval, retryAt.map { $0 - now } ?? 0) }

    func wantsCheckpoint(at now: Int64) -> Bool {
        needsCheckpoint || lastCheckpoint.map { now - $0 >= Self.checkpointInterval } ?? true
    }

    /// What is to be stored now, the oldest first; what is noted from now on is for the next time.
    ///
    /// - Parameter documents: the documents that the run is compiled from; they are stored where they differ.
    mutating func batch(
        _ status: RunStatus,
        checkpoint: String?,
        savedAt time: Date,
        documents: [StoredStream]
    ) -> [RunCommit] {
        if checkpoint != nil {
            savedAt = time
            needsCheckpoint = false
            hasProgressed = false
        }
        isDirty = false
        var commit = commit(status, checkpoint: checkpoint, savedAt: savedAt ?? time)
        let isKnown = !isNew && documents.map(DocumentKey.init) == self.documents
        if !isKnown, !documents.isEmpty { commit.documents = documents }
        return earlier + [commit]
    }

    private func commit(_ status: RunStatus, checkpoint: String?, savedAt: Date) -> RunCommit {
        RunCommit(
            stream: stream,
            run: run,
            isNewRun: isNew,
            revision: status.revision,
            state: status.state.rawValue,
            isPaused: status.state == .paused,
            speed: status.pace.speed,
            error: status.error,
            savedAt: savedAt,
            checkpoint: checkpoint,
            inputs: inputs,
            outputs: outputs
        )
    }

    /// A batch is on disk.
    mutating func stored(_ commit: RunCommit, at now: Int64) {
        retryAt = nil
        guard commit.run == run else {
            earlier.removeAll { $0.run == commit.run }
            return
        }
        isNew = false
        outputs.removeFirst(min(outputs.count, commit.outputs.count))
        inputs.removeFirst(min(inputs.count, commit.inputs.count))
        count = max(count, commit.outputs.last?.sequence ?? 0)
        if commit.checkpoint != nil { lastCheckpoint = now }
        if let stored = commit.documents { documents = stored.map(DocumentKey.init) }
    }

    /// The store has not taken a batch.
    mutating func failed(at now: Int64) {
        retryAt = now + Self.patience
        touch()
    }
}
