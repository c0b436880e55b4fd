import NIOCore
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// Publishes what happens in the hub to its subscribers, and what has happened to those that come later.
///
/// Each notice has a number. The newest notices of a run are kept, so that a page that opens later shows the same. A
/// subscriber that falls too far behind is cut off with a notice that says so; none waits for another.
final class EventBus: Sendable {
    /// What a listener wants to hear.
    struct Interest: Sendable {
        /// The streams that it wants to hear of; `nil` for all.
        var streams: Set<String>?
        /// The streams whose values it wants to hear; `nil` for all of those.
        var values: Set<String>?

        func includes(_ notice: Notice) -> Bool {
            if let streams, !streams.contains(notice.stream) { return false }
            return !notice.isValue || values?.contains(notice.stream) ?? true
        }

        func wantsValues(of stream: String) -> Bool {
            streams?.contains(stream) ?? true && values?.contains(stream) ?? true
        }
    }

    /// How many values of a run are kept for those who come late.
    static let kept = 2048
    /// How many events wait for a slow reader.
    static let backlog = 8192
    /// The most bytes of events that wait for a slow reader, besides those that are kept anyway.
    let backlogSize: Int
    /// The most bytes of events that are kept of one run.
    let ringSize: Int
    /// How many changes of documents are kept for those who come back.
    private static let keptChanges = 4096

    fileprivate struct State {
        var last: UInt64 = 0
        var runs: [String: Run] = [:]
        /// How often a status was told or forgotten.
        var statusCount = 0
        /// What happened to documents, the oldest first.
        var changes = KeptNotices(limit: EventBus.keptChanges)
        var lastListener = 0
        var listeners: [Int: Listener] = [:]
        /// Listeners that were found to be slow and are still to be told.
        var slow: [Listener] = []
        var isClosed = false
        var counts = Counts()
    }

    /// What it has told.
    struct Counts: Sendable {
        var values = 0
        /// Listeners that were dropped for being slow.
        var dropped = 0
    }

    fileprivate struct Run {
        var status: RunStatus
        var values: KeptNotices
        /// The numbers of the first and the last status that were told.
        let begun: UInt64
        var number: UInt64
    }

    /// A class, since one is looked at for each event.
    fileprivate final class Listener: Sendable {
        let interest: Interest
        let ear: EventListener

        init(_ interest: Interest, _ ear: EventListener) { (self.interest, self.ear) = (interest, ear) }
    }

    private let state = Locked(State())
    /// The streams to whose stages somebody subscribes.
    let stageSubscribers = StageSubscribers()
    private let timer: CallTimer
    /// Tells this hub's numbers from those of the one before.
    let hub: String

    init(timer: CallTimer, hub: String, limits: HubLimits = HubLimits()) {
        self.timer = timer
        self.hub = hub
        (ringSize, backlogSize) = (limits.eventRing, limits.backlog)
    }

    // MARK: Telling

    /// What was passed on in a run, or its end.
    struct Value: Sendable {
        let event: String
        let data: String
        let time: StreamTime
    }

    /// Tells how a run is; `isNew` forgets what the one before has told.
    func tell(_ status: RunStatus, isNew: Bool = false) {
        let now = timer.now
        state.withLock { state in
            let notice = state.notice(hub, "run", status.json(at: now).description, status.stream)
            state.statusCount += 1
            var run = isNew ? nil : state.runs[status.stream]
            run?.status = status
            run?.number = notice.number
            let values = KeptNotices(limit: EventBus.kept, size: ringSize)
            state.runs[status.stream] =
                run ?? Run(status: status, values: values, begun: notice.number, number: notice.number)
            state.send(notice)
        }
        dropTheSlow()
    }

    /// Tells what was passed on in a run.
    func tell(_ values: [Value], of stream: String) {
        if values.isEmpty { return }
        state.withLock { state in
            state.counts.values += values.count
            for value in values {
                let notice = state.notice(hub, value.event, value.data, stream, valueAt: value.time)
                state.runs[stream]?.values.append(notice)
                state.send(notice)
            }
        }
        dropTheSlow()
    }

    /// Tells that a document has come, changed or gone.
    func tell(_ event: String, _ data: String, of stream: String) {
        state.withLock { state in
            let notice = state.notice(hub, event, data, stream)
            state.changes.append(notice)
            state.send(notice)
        }
        dropTheSlow()
    }

    /// Forgets the values that the run of a stream has told; who listens has heard them.
    func forgetValues(of stream: String) { state.withLock { $0.runs[stream]?.values.clear(after: $0.last) } }

    /// Forgets what the run of a stream has told.
    func forget(_ stream: String) {
        state.withLock { state in
            state.runs[stream] = nil
            state.statusCount += 1
        }
    }

    /// The status of a run that has been told of.
    func status(of stream: String) -> RunStatus? { state.withLock { $0.runs[stream]?.status } }

    /// How often a status has changed: where it is what it was, all of them are.
    var statusCount: Int { state.withLock { $0.statusCount } }

    var counts: Counts { state.withLock { $0.counts } }

    /// The bytes of the events that are kept of all runs.
    var ringByteCount: Int { state.withLock { $0.runs.values.reduce(0) { $0 + $1.values.byteCount } } }

    /// How many listen.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    // MARK: Listening

    /// What happens from now on, after what one who comes late has to know.
    ///
    /// - Parameter last: the id of the last event that the listener has heard, if it comes back.
    /// - Returns: `nil` when the hub is about to end.
    func listen(_ interest: Interest, after last: String?) -> EventSubscription? {
        let (ear, subscription) = EventListener.make(backlog: Self.backlog + Self.kept, size: backlogSize)
        let now = timer.now
        let id = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.lastListener += 1
            let id = state.lastListener
            for bytes in state.history(for: interest, after: number(last, state.last), hub: hub, now: now) {
                ear.tell(bytes, isKept: true)
            }
            state.listeners[id] = Listener(interest, ear)
            return id
        }
        guard let id else { return nil }
        stageSubscribers.add(interest)
        ear.onEnd { [weak self] in
            self?.stageSubscribers.remove(interest)
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
        }
        return subscription
    }

    /// The number within an id of this hub; `nil` for another's.
    private func number(_ id: String?, _ last: UInt64) -> UInt64? {
        guard let id, id.hasPrefix(hub + "-"), let number = UInt64(id.dropFirst(hub.count + 1)), number <= last
        else { return nil }
        return number
    }

    /// Keeps the connections of those who listen open.
    func keepAlive() {
        state.withLock { state in
            for listener in state.listeners.values { listener.ear.tell(Notice.keepAlive) }
        }
    }

    /// Ends the event streams of all who listen.
    func close() {
        let listeners = state.withLock { state in
            state.isClosed = true
            defer { state.listeners = [:] }
            return state.listeners
        }
        for listener in listeners.values { listener.ear.finish() }
    }

    /// Ends the streams of those who were found to be slow; outside of the lock, since it calls them.
    private func dropTheSlow() {
        let dropped = state.withLock { state in
            defer { state.slow = [] }
            return state.slow
        }
        for listener in dropped { listener.ear.drop() }
    }
}

extension EventBus.State {
    fileprivate mutating func notice(
        _ hub: String,
        _ event: String,
        _ data: String,
        _ stream: String,
        valueAt time: StreamTime? = nil
    ) -> Notice {
        last += 1
        return Notice(last, hub: hub, event, data, stream: stream, valueAt: time)
    }

    fileprivate mutating func send(_ notice: Notice) {
        for (id, listener) in listeners where listener.interest.includes(notice) {
            if listener.ear.tell(notice.bytes) { continue }
            slow.append(listener)
            counts.dropped += 1
            listeners[id] = nil
        }
    }

    /// What a listener has to know first: what came after the last that it has heard, or each run from its beginning.
    fileprivate func history(
        for interest: EventBus.Interest,
        after last: UInt64?,
        hub: String,
        now: Int64
    ) -> [ByteBuffer] {
        var notices: [(number: UInt64, bytes: ByteBuffer)] = []
        let heardChanges = last.map { changes.reaches($0) } ?? false
        if let last, heardChanges {
            for notice in changes.notices where notice.number > last && interest.includes(notice) {
                notices.append((notice.number, notice.bytes))
            }
        }
        for (stream, run) in runs where interest.streams?.contains(stream) ?? true {
            // Values that were forgotten, or a run that was begun anew, and all is told.
            let heard = heardChanges ? last.flatMap { run.values.reaches($0) && $0 >= run.begun ? $0 : nil } : nil
            let values = interest.wantsValues(of: stream) ? run.values.notices : [][...]
            if heard == nil || run.number > heard ?? 0 {
                let number = heard == nil ? (values.first?.number ?? run.number) - 1 : run.number
                let status = run.status.json(at: now).description
                notices.append((number, Notice.bytes(id: "\(hub)-\(number)", "run", status)))
                if heard == nil, run.values.isCut, let first = values.first?.time {
                    let reason = JSON.string("more than \(run.values.exceeded ?? "the limit")")
                    let data = #"{"stream": \#(JSON.string(stream)), "before": \#(first), "reason": \#(reason)}"#
                    notices.append((number, Notice.bytes("gap", data)))
                }
            }
            for notice in values where notice.number > heard ?? 0 { notices.append((notice.number, notice.bytes)) }
        }
        return notices.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
            .map(\.element.bytes)
    }
}
