import Foundation
import Sluice
import SluiceJSON
import SluiceStreams

/// The recorder of a run, which its supervisor fills and the ``CommitQueue`` empties.
final class SharedRecorder: Sendable {
    private struct State {
        var recorder: RunRecorder
        /// The size that the budget of all recorders knows, in bytes.
        var notedSize = 0
        /// A Boolean value that indicates whether the run waits for room.
        var isAwaited = false
        /// A Boolean value that indicates whether the queue has the recorder in its list.
        var isQueued = false
        /// A Boolean value that indicates whether the store is given a batch now.
        var isInFlight = false
        /// The number of resets that are not stored yet, before which nothing is stored.
        var holds = 0
        var failure: Failure?
        var setAside: SetAside?
    }

    /// The recorder and the status of a run that is being reset, until the store has forgotten the run or has refused to.
    private struct SetAside {
        var recorder: RunRecorder
        var failure: Failure?
        let status: RunStatus
    }

    /// The reason why the store refuses what the run has done.
    struct Failure: Sendable, Equatable {
        let description: String
        /// The description without the name of the file.
        let reason: String

        init(_ error: any Error) {
            description = "\(error)"
            reason = (error as? StoreError)?.reason ?? description
        }
    }

    private let state: Locked<State>
    private let stream: String
    private let sizeLimit: Int
    private let budget: SharedBudget
    private let isDurable: Bool
    /// Has the supervisor look at what has become of a batch.
    private let onOutcome: @Sendable () -> Void

    init(
        _ stream: String,
        upTo sizeLimit: Int,
        sharing budget: SharedBudget,
        isDurable: Bool,
        onOutcome: @escaping @Sendable () -> Void
    ) {
        state = Locked(State(recorder: RunRecorder(stream, upTo: sizeLimit)))
        (self.stream, self.sizeLimit, self.budget) = (stream, sizeLimit, budget)
        (self.isDurable, self.onOutcome) = (isDurable, onOutcome)
        budget.join()
    }

    deinit { budget.leave(state.withLock { $0.notedSize }) }

    // MARK: For the supervisor

    /// A Boolean value that indicates whether as much waits as may, of this run or of all.
    var isFull: Bool {
        state.withLock { state in
            state.isAwaited = isFull(state)
            return state.isAwaited
        }
    }

    private func isFull(_ state: State) -> Bool {
        state.recorder.isFull || budget.isExhausted(at: state.recorder.size)
    }

    /// The size of the outputs, inputs, and checkpoints that wait, in bytes.
    var size: Int { state.withLock { $0.recorder.size } }

    /// A Boolean value that indicates whether the store does not have all that the run has done.
    var isDue: Bool { state.withLock { $0.recorder.isDue } }

    /// A Boolean value that indicates whether the store has failed and not worked since.
    var isFailing: Bool { failure != nil }

    /// The reason why the store refuses what the run has done; `nil` where it does not.
    var failure: Failure? { state.withLock { $0.failure } }

    /// As ``RunRecorder/begin(_:at:)``.
    func begin(_ status: RunStatus, at time: Date) {
        state.withLock { $0.setAside = nil }
        record { $0.begin(status, at: time) }
    }

    /// As ``RunRecorder/resume(_:)``.
    func resume(_ stored: StoredRun) { record { $0.resume(stored) } }

    /// As ``RunRecorder/skip(_:)``.
    func skip(_ numbers: [Int]) { record { $0.skip(numbers) } }

    /// As ``RunRecorder/isSkipped(_:)``.
    func isSkipped(_ number: Int) -> Bool { state.withLock { $0.recorder.isSkipped(number) } }

    /// As ``RunRecorder/touch()``.
    func touch() { record { $0.touch() } }

    /// As ``RunRecorder/progress()``.
    func progress() { record { $0.progress() } }

    /// Notes that the next transaction is to hold a checkpoint if anything has happened since the last one.
    func touchIfProgressed() { record { if $0.hasProgressed || $0.isDirty || $0.isDue { $0.touch() } } }

    /// As ``RunRecorder/take(_:number:)``.
    func take(_ event: StreamEvent<JSON>, number: Int) { record { $0.take(event, number: number) } }

    /// Takes the inputs that the run has taken.
    ///
    /// - Parameter notes: The closures to call when the store has them.
    func take(_ taken: TakenInputs, noting notes: [@Sendable () -> Void] = []) {
        let inputs = taken.list
        taken.list = []
        guard isDurable else {
            for note in notes { note() }
            return
        }
        if inputs.isEmpty, notes.isEmpty { return }
        record { $0.take(inputs, noting: notes) }
    }

    /// As ``RunRecorder/wantsCheckpoint(at:passed:)``.
    func wantsCheckpoint(at now: Int64, passed: Int) -> Bool {
        isDurable && state.withLock { $0.recorder.wantsCheckpoint(at: now, passed: passed) }
    }

    /// Changes the recorder, unless nothing of the run is stored.
    func record(_ body: @Sendable (inout RunRecorder) -> Void) {
        guard isDurable else { return }
        state.withLock { state in
            body(&state.recorder)
            noteSize(&state)
        }
    }

    private func noteSize(_ state: inout State) {
        let size = state.recorder.size
        budget.change(by: size - state.notedSize)
        state.notedSize = size
    }

    /// Returns a Boolean value that indicates whether the queue has to take the recorder into its list.
    func queue() -> Bool {
        state.withLock { state in
            guard state.recorder.isDue, !state.isQueued else { return false }
            state.isQueued = true
            return true
        }
    }

    /// Forgets everything that is not stored yet.
    func reset() {
        state.withLock { state in
            (state.recorder, state.setAside) = (next(after: state.recorder), nil)
            state.failure = nil
            noteSize(&state)
        }
    }

    /// Sets aside what is not stored yet of a run that is being reset, unless that was done already.
    ///
    /// - Parameter status: The status that the run has.
    func setAside(_ status: RunStatus) {
        state.withLock { state in
            guard state.setAside == nil else { return }
            state.setAside = SetAside(recorder: state.recorder, failure: state.failure, status: status)
            state.recorder = next(after: state.recorder)
            state.failure = nil
            noteSize(&state)
        }
    }

    /// Returns a recorder to come in the place of another, whose ordinals go on: a flush that waits for the other one doesn't wait
    /// for this one.
    private func next(after recorder: RunRecorder) -> RunRecorder {
        RunRecorder(stream, upTo: sizeLimit, after: recorder.lastNoted)
    }

    /// Forgets what was set aside, since the store has forgotten the run.
    func forgetSetAside() { state.withLock { $0.setAside = nil } }

    /// Takes back what was set aside, since the store has refused to forget the run. Nothing of the run is lost.
    ///
    /// - Parameter error: The error of the store.
    /// - Returns: The status that the run had; `nil` where another reset was accepted, or another run was begun.
    func takeBack(after error: any Error) -> RunStatus? {
        state.withLock { state in
            guard let setAside = state.setAside else { return nil }
            (state.recorder, state.setAside) = (setAside.recorder, nil)
            // The store will refuse the rest as well, and the status shows that at once.
            state.failure = state.recorder.isDue ? Failure(error) : setAside.failure
            noteSize(&state)
            return setAside.status
        }
    }

    /// Holds back what the run does from now on.
    func hold() { state.withLock { $0.holds += 1 } }

    /// Lets the queue store what was held back; the recorder has to be given to it again.
    func release() {
        state.withLock { state in
            state.holds -= 1
            // The queue may have had it in its list in the meantime, and have got nothing.
            state.isQueued = false
        }
    }

    // MARK: For the queue

    /// The commits of a recorder to store now.
    struct Batch {
        var commits: [RunCommit] = []
        /// The size of the outputs, inputs, and checkpoints, in bytes.
        var size = 0
        /// A Boolean value that indicates whether more wait: then the recorder stays in the list of the queue.
        var hasMore = false
    }

    /// Returns the commits to store now; the recorder leaves the list of the queue, unless it has more.
    ///
    /// A recorder that is not in the list has none. A recorder whose last batch has no outcome yet has none either, and
    /// stays in the list: a flush takes a recorder that the list may hold as well, and the run may put it into the list
    /// again between the two.
    ///
    /// - Parameter size: The size from which no more commits are added, in bytes.
    func batch(upTo size: Int = .max) -> Batch {
        state.withLock { state in
            guard state.isQueued, !state.isInFlight, state.holds == 0 else { return Batch() }
            let commits = state.recorder.batch(upTo: size)
            state.isQueued = state.recorder.hasMore
            state.isInFlight = !commits.isEmpty
            return Batch(commits: commits, size: state.recorder.inFlightSize, hasMore: state.isQueued)
        }
    }

    /// A Boolean value that indicates whether the queue has the recorder in its list.
    var isQueued: Bool { state.withLock { $0.isQueued } }

    /// The ordinal of what was noted last.
    var lastNoted: Int { state.withLock { $0.recorder.lastNoted } }

    /// Returns a Boolean value that indicates whether nothing waits of what was noted up to an ordinal.
    func isStored(upTo ordinal: Int) -> Bool { state.withLock { $0.recorder.isStored(upTo: ordinal) } }

    /// Notes what has become of the batch, and tells the supervisor where that matters to it.
    ///
    /// - Returns: A Boolean value that indicates whether the recorder has to be tried again later; the queue has it in
    ///   its list then.
    func finish(_ outcomes: [(any Error)?]) -> Bool {
        let (isOfInterest, isRefused, notes) = state.withLock { state in
            let before = state.failure
            state.isInFlight = false
            if var setAside = state.setAside {
                setAside.failure = setAside.recorder.finish(outcomes).map(Failure.init)
                let notes = setAside.recorder.takeNotes()
                state.setAside = setAside
                return (false, false, notes)
            }
            state.failure = state.recorder.finish(outcomes).map(Failure.init)
            noteSize(&state)
            let retries = state.failure != nil && !state.isQueued
            if retries { state.isQueued = true }
            let hasRoomAgain = state.isAwaited && !isFull(state)
            if hasRoomAgain { state.isAwaited = false }
            return (before != state.failure || hasRoomAgain, retries, state.recorder.takeNotes())
        }
        for note in notes { note() }
        if isOfInterest { onOutcome() }
        return isRefused
    }
}
