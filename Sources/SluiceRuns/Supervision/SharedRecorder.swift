import Foundation
import Sluice
import SluiceJSON
import SluiceStreams

/// The recorder of a run, which its supervisor fills and the ``CommitQueue`` empties.
final class SharedRecorder: Sendable {
    private struct State {
        var recorder: RunRecorder
        /// A Boolean value that indicates whether the queue has the recorder in its list.
        var isQueued = false
        var failure: Failure?
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
    private let isDurable: Bool
    /// Has the supervisor look at what has become of a batch.
    private let onOutcome: @Sendable () -> Void

    init(_ stream: String, upTo sizeLimit: Int, isDurable: Bool, onOutcome: @escaping @Sendable () -> Void) {
        state = Locked(State(recorder: RunRecorder(stream, upTo: sizeLimit)))
        (self.stream, self.sizeLimit, self.isDurable, self.onOutcome) = (stream, sizeLimit, isDurable, onOutcome)
    }

    // MARK: For the supervisor

    /// A Boolean value that indicates whether as much waits as may.
    var isFull: Bool { state.withLock { $0.recorder.isFull } }

    /// The size of the outputs and inputs that wait, in bytes.
    var size: Int { state.withLock { $0.recorder.size } }

    /// A Boolean value that indicates whether the store has failed and not worked since.
    var isFailing: Bool { failure != nil }

    /// The reason why the store refuses what the run has done; `nil` where it does not.
    var failure: Failure? { state.withLock { $0.failure } }

    /// As ``RunRecorder/begin(_:at:)``.
    func begin(_ status: RunStatus, at time: Date) { record { $0.begin(status, at: time) } }

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
    func take(_ taken: TakenInputs) {
        if taken.list.isEmpty { return }
        let inputs = taken.list
        taken.list = []
        record { $0.take(inputs) }
    }

    /// As ``RunRecorder/wantsCheckpoint(at:passed:)``.
    func wantsCheckpoint(at now: Int64, passed: Int) -> Bool {
        isDurable && state.withLock { $0.recorder.wantsCheckpoint(at: now, passed: passed) }
    }

    /// Changes the recorder, unless nothing of the run is stored.
    func record(_ body: @Sendable (inout RunRecorder) -> Void) {
        if isDurable { state.withLock { body(&$0.recorder) } }
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
            state.recorder = RunRecorder(stream, upTo: sizeLimit)
            state.failure = nil
        }
    }

    // MARK: For the queue

    /// Returns the commits to store now; the recorder leaves the list of the queue. One that is not in the list, or was in
    /// it twice, has none.
    func batch() -> [RunCommit] {
        state.withLock { state in
            guard state.isQueued else { return [] }
            state.isQueued = false
            return state.recorder.batch()
        }
    }

    /// Notes what has become of the batch, and tells the supervisor where that matters to it.
    ///
    /// - Returns: A Boolean value that indicates whether the recorder has to be tried again later; the queue has it in
    ///   its list then.
    func finish(_ outcomes: [(any Error)?]) -> Bool {
        let (isOfInterest, isRefused) = state.withLock { state in
            let (wasFull, before) = (state.recorder.isFull, state.failure)
            state.failure = state.recorder.finish(outcomes).map(Failure.init)
            let retries = state.failure != nil && !state.isQueued
            if retries { state.isQueued = true }
            return (before != state.failure || wasFull && !state.recorder.isFull, retries)
        }
        if isOfInterest { onOutcome() }
        return isRefused
    }
}
