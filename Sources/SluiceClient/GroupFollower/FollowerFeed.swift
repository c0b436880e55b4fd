#if HTTP
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The notices of a follower, in order, on their way from its runs to the one that reads them.
///
/// At the limit the runs wait for room. A run is saved only after its outputs were read, so that a follower that is killed
/// reports the others again.
final class FollowerFeed: UnwatchedPublisher {
    private struct State {
        var notices: [FollowerNotice] = []
        var first = 0
        var end: Result<Void, any Error>?
        /// A Boolean value that indicates whether nobody reads any more.
        var isClosed = false
        var reader: CheckedContinuation<Void, Never>?
        /// Those that wait for room.
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// The runs that wait for room.
        var held: Set<String> = []
        /// The number of outputs of each stream that were not read yet.
        var unread: [String: Int] = [:]
        /// The runs that wait until their outputs were read.
        var draining: Set<String> = []
        /// The calls that give runs a turn.
        var turns: [String: @Sendable () -> Void] = [:]
        var statuses: [String: RunStatus] = [:]
        /// The reasons why streams with sinks don't run here.
        var reasons: [String: String] = [:]
        var count: Int { notices.count - first }

        mutating func pop() -> FollowerNotice? {
            guard first < notices.count else { return nil }
            let notice = notices[first]
            first += 1
            if first > 1_000, first * 2 > notices.count {
                notices.removeFirst(first)
                first = 0
            }
            return notice
        }

        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }
    }

    /// The waits that have come to their end, to be called outside of the lock.
    private struct Released {
        var waiting: [CheckedContinuation<Void, Never>] = []
        var turns: [@Sendable () -> Void] = []

        func resume() {
            for continuation in waiting { continuation.resume() }
            for turn in turns { turn() }
        }
    }

    private let state = Locked(State())
    private let limit: Int
    /// Rung when the status of a run has changed.
    let changes = Signal()

    init(limit: Int) { self.limit = max(limit, 1) }

    /// Returns the status of the run of a stream; `nil` if it has none.
    func status(of stream: String) -> RunStatus? { state.withLock { $0.statuses[stream] } }

    /// Forgets the run of a stream.
    func forget(_ stream: String) { state.withLock { $0.statuses[stream] = nil } }

    /// Returns the reason why a stream with sinks does not run here; `nil` for one that runs.
    func waitingReason(of stream: String) -> String? { state.withLock { $0.reasons[stream] } }

    /// Notes why a stream with sinks does not run here, and reports it; `nil` where it runs, or is gone.
    func setWaiting(_ stream: String, _ reason: String?) {
        let isNew = state.withLock { state in
            defer { state.reasons[stream] = reason }
            return state.reasons[stream] != reason
        }
        guard isNew else { return }
        if let reason { push(.waiting(stream: stream, reason: reason)) }
        changes.notify()
    }

    // MARK: Writing

    /// Waits until there is room, or nobody reads any more.
    func room() async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                if state.count < limit || state.isClosed { return true }
                state.waiting.append(continuation)
                return false
            }
            if isDue { continuation.resume() }
        }
    }

    /// Adds a notice; one that comes after the end is dropped.
    func push(_ notice: FollowerNotice) {
        let reader = state.withLock { state in
            if case .event(let stream, _, _) = notice { state.unread[stream, default: 0] += 1 }
            if state.end == nil, !state.isClosed { state.notices.append(notice) }
            return state.takeReader()
        }
        reader?.resume()
    }

    /// Ends the feed: the reader receives the notices that wait, and then the end.
    func finish(_ error: (any Error)?) {
        let reader = state.withLock { state in
            if state.end == nil { state.end = error.map { Result.failure($0) } ?? .success(()) }
            return state.takeReader()
        }
        reader?.resume()
    }

    // MARK: Reading

    /// Returns the next notice; `nil` at the end.
    ///
    /// - Throws: `CancellationError`, immediately, when the task is canceled; the error that the feed ended with.
    func next() async throws -> FollowerNotice? {
        while true {
            try Task.checkCancellation()
            let (notice, end, released) = state.withLock { state in
                let notice = state.pop()
                return (notice, state.end, state.count <= limit / 2 ? release(&state) : Released())
            }
            released.resume()
            if let notice { return notice }
            if let end {
                try end.get()
                return nil
            }
            await wait()
        }
    }

    /// Notes that a notice was read.
    func acknowledge(_ notice: FollowerNotice) {
        guard case .event(let stream, _, _) = notice else { return }
        let turn = state.withLock { state -> (@Sendable () -> Void)? in
            let left = (state.unread[stream] ?? 1) - 1
            state.unread[stream] = left > 0 ? left : nil
            return left == 0 && state.draining.remove(stream) != nil ? state.turns[stream] : nil
        }
        turn?()
    }

    /// Notes that nobody reads any more.
    func close() {
        let released = state.withLock { state in
            state.isClosed = true
            return release(&state)
        }
        released.resume()
    }

    /// A Boolean value that indicates whether nobody reads any more.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    private func release(_ state: inout State) -> Released {
        defer { (state.waiting, state.held) = ([], []) }
        return Released(waiting: state.waiting, turns: state.held.compactMap { state.turns[$0] })
    }

    /// Waits until something is there, or the task is canceled.
    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if state.count > 0 || state.end != nil || Task.isCancelled { return true }
                    state.reader = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.takeReader() }?.resume()
        }
    }

    // MARK: Runs

    func publish(_ status: RunStatus, isNewRun: Bool) {
        state.withLock { $0.statuses[status.stream] = status }
        changes.notify()
    }

    func publish(_ event: StreamEvent<JSON>, number: Int, of status: RunStatus) {
        let place = FollowerNotice.Place(revision: status.revision, run: status.run, sequence: number)
        push(.event(stream: status.stream, at: place, event))
    }

    func publish(_ change: RunChange, of status: RunStatus, _ program: RunProgram) {
        let how: FollowerNotice.Taking =
            switch change {
            case .began(let afterFailure): afterFailure ? .restarted : .started
            case .resumed(let afterFailure): afterFailure ? .restarted : .resumed
            case .edited(let plan): .edited(plan)
            }
        let name = program.documents.first?.name ?? program.document.name
        push(.taken(stream: status.stream, revision: status.revision, name: name, how: how))
    }

    func hasRoom(for stream: String) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            if state.count < limit { return true }
            state.held.insert(stream)
            return false
        }
    }

    func isDrained(_ stream: String) -> Bool {
        state.withLock { state in
            if state.unread[stream] == nil { return true }
            state.draining.insert(stream)
            return false
        }
    }

    func onSubscription(of stream: String, _ body: (@Sendable () -> Void)?) {
        state.withLock { $0.turns[stream] = body }
    }
}
#endif
