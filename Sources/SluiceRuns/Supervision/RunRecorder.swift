import Foundation
import Sluice
import SluiceJSON
import SluiceStreams

/// The outputs, inputs, and state of a run that the store does not have yet.
///
/// Outputs and inputs are stored every ``interval``, together with those of all other runs (``CommitQueue``). A checkpoint
/// comes with them when somebody has changed the document or the state, and when enough has happened since the last one
/// that repeating it would cost more than the checkpoint. After a crash the run continues from the checkpoint and repeats,
/// equal, what came after it; what is stored already is left out here.
struct RunRecorder {
    /// The time that outputs wait for the next transaction, in nanoseconds.
    static let interval: Int64 = 50_000_000
    /// The longest time from checkpoint to checkpoint while something happens, in nanoseconds. A stream has up to half of
    /// it less, so that those which have begun together are not stored together.
    static let checkpointInterval: Int64 = 120_000_000_000
    /// The size of the values that pass through the stages between two checkpoints, in bytes, unless the state is larger.
    static let checkpointSpacing = 64 << 10
    /// The time that passes before the next checkpoint for each byte of the last, in nanoseconds: the checkpoints that a
    /// run needs write a megabyte a second at most.
    static let checkpointTime: Int64 = 1000
    /// The time that the store is left alone after it has failed, in nanoseconds.
    static let patience: Int64 = 1_000_000_000
    /// The number of outputs, or inputs, that may wait for the store; at the bound the run waits.
    static let limit = 20_000
    /// The size of the outputs and inputs of a commit from which what follows is a commit of its own, in bytes. What is
    /// stored in one transaction ends with such a commit at the latest, since others wait for it.
    static let commitSize = 256 << 10

    /// The part of a run's status that is stored.
    struct Head: Sendable {
        var revision = 0
        var state = ""
        var isPaused = false
        var speed = 1.0
        var error: String?

        init() {}

        init(_ status: RunStatus) {
            (revision, state, isPaused) = (status.revision, status.state.rawValue, status.state == .paused)
            (speed, error) = (status.pace.speed, status.error)
        }
    }

    private let stream: String
    private let sizeLimit: Int
    /// The share of the longest time that this stream's checkpoints are apart.
    private let longestWait: Int64
    private var run = 0
    private var isNew = false
    private var head = Head()
    /// The outputs and inputs of the turn that the run has now. They belong to no commit before ``note(_:documents:at:)``:
    /// an output is never stored without the input that has caused it.
    private var outputs: [StoredOutput] = []
    private var inputs: [StreamInput] = []
    private var outputLoad = RunLoad()
    private var inputLoad = RunLoad()
    /// The closures to call when the store has the inputs of the turn.
    private var notes: [@Sendable () -> Void] = []
    /// The closures to call now.
    private var due: [@Sendable () -> Void] = []
    /// The commits that wait, the oldest first.
    private var closed: [PendingCommit] = []
    /// The commits that the store is given now.
    private var inFlight: [PendingCommit] = []
    private var load = RunLoad()
    /// The ordinal of what was noted last.
    private(set) var lastNoted: Int
    /// The number of the last output that was taken.
    private var last = 0
    /// The instant, the size of the values that had passed, and the size of the state at the last checkpoint.
    private var lastCheckpoint: (instant: Int64, passed: Int, size: Int)?
    /// A Boolean value that indicates whether there is something to note besides the commits that wait.
    private(set) var isDirty = false
    /// A Boolean value that indicates whether anything has happened since the last checkpoint.
    private(set) var hasProgressed = false
    /// A Boolean value that indicates whether somebody has changed the run since the last checkpoint.
    private var needsCheckpoint = false
    /// The time of day of the last checkpoint.
    private var savedAt: Date?
    /// The documents that are stored with the run.
    private var documents: [DocumentVersion] = []
    /// The numbers of failures among the stored outputs, which a run that has resumed does not repeat.
    private var skipped: Set<Int> = []

    /// - Parameter ordinal: The ordinal of what was noted last before: that of the recorder in whose place this one comes.
    init(_ stream: String, upTo sizeLimit: Int, after ordinal: Int = 0) {
        (self.stream, self.sizeLimit, lastNoted) = (stream, sizeLimit, ordinal)
        longestWait = Self.checkpointInterval - Int64(FNV1a(stream).value % UInt64(Self.checkpointInterval / 2))
    }

    /// The size of the outputs, inputs, and checkpoints that wait, in bytes.
    var size: Int { load.size }

    /// A Boolean value that indicates whether as much waits as may.
    var isFull: Bool { load.outputs >= Self.limit || load.inputs >= Self.limit || load.size >= sizeLimit }

    /// A Boolean value that indicates whether there is something to store.
    var isDue: Bool { run > 0 && (!closed.isEmpty || !inFlight.isEmpty) }

    /// Begins a run; what the one before has not stored is stored first.
    mutating func begin(_ status: RunStatus, at time: Date) {
        if run > 0, !outputs.isEmpty || isNew, closed.count < 100 {
            head = Head(status)
            close(checkpoint: nil, savedAt: time, [])
        } else {
            load -= outputLoad
            load -= inputLoad
            (outputs, inputs, outputLoad, inputLoad, notes) = ([], [], RunLoad(), RunLoad(), [])
        }
        run = status.run + 1
        (isNew, last, skipped, documents, savedAt, lastCheckpoint) = (true, 0, [], [], nil, nil)
        touch()
    }

    /// Continues a run that was stored.
    mutating func resume(_ stored: StoredRun) {
        load -= outputLoad
        load -= inputLoad
        (outputs, inputs, outputLoad, inputLoad, notes) = ([], [], RunLoad(), RunLoad(), [])
        (run, last, isNew) = (stored.run, stored.outputs, false)
        savedAt = stored.savedAt
        documents = stored.documents.map(DocumentVersion.init)
        lastCheckpoint = nil
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
        guard number > last else { return }
        let output = StoredOutput(event, run: run, sequence: number)
        outputs.append(output)
        last = number
        let added = RunLoad(outputs: 1, size: Self.size(of: output.text))
        outputLoad += added
        load += added
        isDirty = true
    }

    /// Takes the inputs that the run has taken.
    ///
    /// - Parameter notes: The closures to call when the store has them.
    mutating func take(_ taken: [StreamInput], noting notes: [@Sendable () -> Void] = []) {
        inputs += taken
        self.notes += notes
        var added = RunLoad(inputs: taken.count)
        for input in taken { added.size += Self.size(of: input.item.description) }
        inputLoad += added
        load += added
        isDirty = true
    }

    /// Returns a Boolean value that indicates whether the next transaction is to hold a checkpoint.
    ///
    /// - Parameter passed: the size of the values that have passed through the stages, in bytes.
    func wantsCheckpoint(at now: Int64, passed: Int) -> Bool {
        guard run > 0 else { return false }
        if needsCheckpoint { return true }
        guard isDirty || hasProgressed else { return false }
        guard let lastCheckpoint else { return true }
        let (time, size) = (now - lastCheckpoint.instant, lastCheckpoint.size)
        return time >= longestWait
            || time >= Int64(size) * Self.checkpointTime
                && passed - lastCheckpoint.passed >= max(Self.checkpointSpacing, size)
    }

    /// Notes the status of the run, and a checkpoint that holds everything that was taken by now.
    ///
    /// - Parameters:
    ///   - documents: the documents that the run is compiled from; they are stored where they differ.
    ///   - time: the time of day at the time of the checkpoint.
    mutating func note(_ status: RunStatus, documents: [StoredStream], checkpoint: String, savedAt time: Date) {
        head = Head(status)
        savedAt = time
        (needsCheckpoint, hasProgressed) = (false, false)
        close(checkpoint: checkpoint, savedAt: time, documents)
    }

    /// Notes the instant of the last checkpoint, the size of the values that had passed, and that of the state.
    mutating func noteCheckpoint(at now: Int64, passed: Int, size: Int) { lastCheckpoint = (now, passed, size) }

    /// Notes the status of the run at the end of a turn, with what the turn has taken.
    mutating func note(_ status: RunStatus, documents: [StoredStream], at time: Date) {
        head = Head(status)
        let savedAt = savedAt ?? time
        self.savedAt = savedAt
        if isDirty { close(checkpoint: nil, savedAt: savedAt, documents) }
    }

    /// Makes a commit of what was taken.
    private mutating func close(checkpoint: String?, savedAt: Date, _ documents: [StoredStream]) {
        let areNew =
            !documents.isEmpty && (isNew || !documents.elementsEqual(self.documents, by: { DocumentVersion($0) == $1 }))
        var commit = RunCommit(
            stream: stream,
            run: run,
            isNewRun: isNew,
            revision: head.revision,
            state: head.state,
            isPaused: head.isPaused,
            speed: head.speed,
            error: head.error,
            savedAt: savedAt,
            checkpoint: checkpoint,
            inputs: checkpoint == nil ? inputs : [],
            outputs: outputs
        )
        if areNew {
            commit.documents = documents
            self.documents = documents.map(DocumentVersion.init)
        }
        lastNoted += 1
        let next = PendingCommit(
            commit: commit,
            outputs: outputLoad,
            inputs: checkpoint == nil ? inputLoad : RunLoad(),
            checkpointLoad: RunLoad(size: checkpoint?.utf8.count ?? 0),
            first: lastNoted,
            notes: notes
        )
        (outputs, inputs, outputLoad, inputLoad, notes) = ([], [], RunLoad(), RunLoad(), [])
        (isNew, isDirty) = (false, false)
        append(next)
        recount()
    }

    private mutating func recount() {
        load = outputLoad
        load += inputLoad
        for pending in inFlight { load += pending.load }
        for pending in closed { load += pending.load }
    }

    private mutating func append(_ next: PendingCommit) {
        if closed.isEmpty || !closed[closed.count - 1].absorb(next) { closed.append(next) }
    }

    /// Returns the commits to store now, the oldest first: as many as make up a size, and one at least. What is noted from now
    /// on, and what belongs to a turn that has not ended, is for a later time.
    mutating func batch(upTo size: Int = .max) -> [RunCommit] {
        guard run > 0 else { return [] }
        let waiting = inFlight + closed
        (inFlight, closed) = ([], [])
        for next in waiting { append(next) }
        recount()
        var (count, taken) = (0, 0)
        while count < closed.count, count == 0 || taken < size {
            taken += closed[count].load.size
            count += 1
        }
        inFlight = Array(closed.prefix(count))
        closed.removeFirst(count)
        return inFlight.map(\.commit)
    }

    /// The size of the commits that the store is given now, in bytes.
    var inFlightSize: Int { inFlight.reduce(0) { $0 + $1.load.size } }

    /// A Boolean value that indicates whether commits wait besides those that the store is given now.
    var hasMore: Bool { !closed.isEmpty }

    /// Returns a Boolean value that indicates whether nothing waits of what was noted up to an ordinal.
    func isStored(upTo ordinal: Int) -> Bool { (inFlight + closed).allSatisfy { $0.first > ordinal } }

    /// Notes what has become of the last batch, commit by commit.
    ///
    /// - Returns: the error of the store for commits that are to be tried again; `nil` if it has accepted all.
    mutating func finish(_ outcomes: [(any Error)?]) -> (any Error)? {
        var refused: (any Error)?
        var kept: [PendingCommit] = []
        for (pending, outcome) in zip(inFlight, outcomes) {
            // A commit of a run that is over will never be accepted.
            let isLost = pending.commit.run != run && (outcome as? StoreError)?.isOfTheCommit == true
            if refused == nil, outcome == nil || isLost {
                load -= pending.load
                if outcome == nil { due += pending.notes }
            } else {
                refused = refused ?? outcome
                kept.append(pending)
            }
        }
        inFlight = kept
        return refused
    }

    /// Returns the closures to call now, since the store has what they wait for.
    mutating func takeNotes() -> [@Sendable () -> Void] {
        defer { due = [] }
        return due
    }

    private static func size(of text: String) -> Int { 64 + text.utf8.count }
}

extension StoreError {
    /// A Boolean value that indicates whether the same commit will never be accepted.
    fileprivate var isOfTheCommit: Bool {
        switch kind {
        case .missing, .staleRun, .outputGap: true
        default: false
        }
    }
}
