import Foundation
import SluiceJSON
import SluiceStreams

/// A revision of a document.
private struct DocumentKey: Hashable {
    let id: String
    let revision: Int

    init(_ stored: StoredStream) { (id, revision) = (stored.id, stored.revision) }
}

/// The outputs, inputs, and state of a run that the store does not have yet: pure, apart from the actor that owns it.
///
/// Output, inputs and state are stored together every `interval`; a checkpoint comes with them every `checkpointInterval`,
/// and whenever the document or the state was changed by somebody. After a crash the run continues from the checkpoint and
/// repeats, equal, what came after it; what is stored already is left out here.
struct RunRecorder {
    /// The time that outputs wait for the next transaction, in nanoseconds.
    static let interval: Int64 = 50_000_000
    /// The time from checkpoint to checkpoint while something happens, in nanoseconds.
    static let checkpointInterval: Int64 = 1_000_000_000
    /// The time that the store is left alone after it has failed, in nanoseconds.
    static let patience: Int64 = 1_000_000_000
    /// The number of outputs, or inputs, that may wait for the store; at the bound the run waits.
    static let limit = 20_000

    private let stream: String
    private var run = 0
    private var isNew = false
    private var outputs: [StoredOutput] = []
    private var inputs: [StreamInput] = []
    /// The size of the outputs and inputs that wait, in bytes.
    private(set) var size = 0
    private let sizeLimit: Int
    /// The commits of earlier runs that are not stored yet.
    private var earlier: [RunCommit] = []
    /// The number of the last output that is stored.
    private var count = 0
    private var lastCheckpoint: Int64?
    private var retryAt: Int64?
    /// A Boolean value that indicates whether there is something to store.
    private var isDirty = false
    /// A Boolean value that indicates whether anything has happened since the last checkpoint.
    private var hasProgressed = false
    /// A Boolean value that indicates whether the next transaction is to hold a checkpoint.
    private var needsCheckpoint = false
    /// The time of day of the last checkpoint.
    private var savedAt: Date?
    /// The documents that are stored with the run.
    private var documents: [DocumentKey] = []
    /// The numbers of failures among the stored outputs, which a run that has resumed does not repeat.
    private var skipped: Set<Int> = []

    init(_ stream: String, upTo sizeLimit: Int) { (self.stream, self.sizeLimit) = (stream, sizeLimit) }

    /// A Boolean value that indicates whether as much waits as may.
    var isFull: Bool { outputs.count >= Self.limit || inputs.count >= Self.limit || size >= sizeLimit }

    /// A Boolean value that indicates whether the store has failed and not worked since.
    var isFailing: Bool { retryAt != nil }

    /// Begins a run; what the one before has not stored is stored first.
    mutating func begin(_ status: RunStatus, at time: Date) {
        if run > 0, !outputs.isEmpty || isNew, earlier.count < 100 {
            earlier.append(commit(status, checkpoint: nil, savedAt: time))
        }
        run = status.run + 1
        (isNew, count, outputs, inputs, skipped, size) = (true, 0, [], [], [], 0)
        touch()
    }

    /// Continues a run that was stored.
    mutating func resume(_ stored: StoredRun) {
        (run, count, isNew) = (stored.run, stored.outputs, false)
        (outputs, inputs, size) = ([], [], 0)
        savedAt = stored.savedAt
        documents = stored.documents.map(DocumentKey.init)
    }

    /// Notes the numbers of outputs that are failures, and belong to no output of the run that continues.
    mutating func skip(_ numbers: [Int]) { skipped = Set(numbers) }

    /// Returns a Boolean value that indicates whether the number belongs to a failure from before the run has resumed.
    func isSkipped(_ number: Int) -> Bool { skipped.contains(number) }

    /// Notes a change of the run that somebody has asked for.
    mutating func touch() {
        isDirty = true
        needsCheckpoint = true
    }

    /// Notes that time has passed in the run.
    mutating func progress() { hasProgressed = true }

    /// Takes an output.
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
        size += Self.size(of: text)
        isDirty = true
    }

    /// Takes the inputs that the run has taken.
    mutating func take(_ taken: TakenInputs) {
        if taken.list.isEmpty { return }
        inputs += taken.list
        for input in taken.list { size += Self.size(of: input.item.description) }
        taken.list = []
        isDirty = true
    }

    /// Returns a Boolean value that indicates whether there is something to store now.
    func isDue(at now: Int64) -> Bool {
        run > 0 && (isDirty || hasProgressed && lastCheckpoint.map { now - $0 > 10 * Self.checkpointInterval } ?? true)
    }

    /// Returns the time to wait before the next transaction, in nanoseconds.
    func wait(at now: Int64) -> Int64 { max(Self.interval, retryAt.map { $0 - now } ?? 0) }

    /// Returns a Boolean value that indicates whether the next transaction is to hold a checkpoint.
    func wantsCheckpoint(at now: Int64) -> Bool {
        needsCheckpoint || lastCheckpoint.map { now - $0 >= Self.checkpointInterval } ?? true
    }

    /// Returns the commits to store now, the oldest first; what is noted from now on is for the next time.
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

    /// Notes that a commit is stored.
    mutating func stored(_ commit: RunCommit, at now: Int64) {
        retryAt = nil
        guard commit.run == run else {
            earlier.removeAll { $0.run == commit.run }
            return
        }
        isNew = false
        outputs.removeFirst(min(outputs.count, commit.outputs.count))
        inputs.removeFirst(min(inputs.count, commit.inputs.count))
        for output in commit.outputs { size -= Self.size(of: output.text) }
        for input in commit.inputs { size -= Self.size(of: input.item.description) }
        size = max(0, size)
        count = max(count, commit.outputs.last?.sequence ?? 0)
        if commit.checkpoint != nil { lastCheckpoint = now }
        if let stored = commit.documents { documents = stored.map(DocumentKey.init) }
    }

    private static func size(of text: String) -> Int { 64 + text.utf8.count }

    /// Notes that the store has refused a commit.
    mutating func failed(at now: Int64) {
        retryAt = now + Self.patience
        touch()
    }
}
