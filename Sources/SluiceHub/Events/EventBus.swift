#if Hub
import NIOCore
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// Publishes the hub's events to subscribers and replays history to late ones.
///
/// Each notice has a number. The newest notices of a run are kept, so that a page that opens later shows the same. A
/// subscriber that falls too far behind is disconnected with a notice that says so. Subscribers do not wait for each
/// other.
final class EventBus: Sendable {
    /// The events that a subscriber asks for.
    struct Interest: Sendable {
        /// The streams whose events it receives; `nil` for all.
        var streams: Set<String>?
        /// The streams whose values it receives; `nil` for all of those.
        var values: Set<String>?

        /// The streams whose values it receives, of those whose events it receives; `nil` for all.
        var valueStreams: Set<String>? {
            guard let streams else { return values }
            return values.map { streams.intersection($0) } ?? streams
        }

        func includes(_ notice: Notice) -> Bool {
            if let streams, !streams.contains(notice.stream) { return false }
            return !notice.isValue || values?.contains(notice.stream) ?? true
        }

        func wantsValues(of stream: String) -> Bool {
            streams?.contains(stream) ?? true && values?.contains(stream) ?? true
        }
    }

    /// The number of values that are kept of each run for late subscribers.
    static let kept = 2048
    /// The number of events that may wait for a slow subscriber.
    static let backlog = 8192
    /// The most bytes of events that wait for a slow reader, besides those that are kept anyway.
    let backlogSize: Int
    /// The most bytes of events that are kept of one run.
    let ringSize: Int
    /// The most bytes of events that are kept of all runs.
    let ringsSize: Int
    /// The bytes of events that wait for all subscribers.
    let backlogs: SharedBudget
    /// The number of changes of documents that are kept for returning subscribers.
    private static let keptChanges = 4096

    fileprivate struct State {
        var last: UInt64 = 0
        var runs: [String: Run] = [:]
        /// The bytes of the values that are kept of all runs.
        var ringByteCount = 0
        /// The streams whose statuses were published or dropped since they were last asked for.
        var changedStatuses = ChangedIDs()
        /// The changes of documents, the oldest first.
        var changes = KeptNotices(limit: EventBus.keptChanges)
        var lastSubscriber = 0
        var subscribers: [Int: Subscriber] = [:]
        /// The subscribers by the streams whose statuses and documents they follow, and by those whose values.
        var byStream = TopicIndex<Subscriber>()
        var byValues = TopicIndex<Subscriber>()
        /// Subscribers that were found to be slow and have not been disconnected yet.
        var slow: [Subscriber] = []
        var isClosed = false
        var counts = Counts()
        /// The status texts that the newest histories share; `nil` when all of these histories were read.
        weak var statusTexts: StatusTexts?
    }

    /// The numbers of events published and of subscribers dropped.
    struct Counts: Sendable {
        var values = 0
        /// Subscribers that were dropped because they were slow.
        var dropped = 0
    }

    fileprivate struct Run {
        var status: RunStatus
        var values: KeptNotices
        /// The numbers of the first and the last status that were published.
        let begun: UInt64
        var number: UInt64
    }

    /// A class, since one is looked at for each event.
    fileprivate final class Subscriber: Sendable {
        let interest: Interest
        let connection: EventSubscriber

        init(_ interest: Interest, _ connection: EventSubscriber) {
            (self.interest, self.connection) = (interest, connection)
        }
    }

    private let state = Locked(State())
    /// The streams whose stages have subscribers.
    let stageSubscribers = StageSubscribers()
    private let timer: CallTimer
    /// The prefix of this hub's event ids, which tells them apart from those of an earlier process.
    let hub: String

    init(timer: CallTimer, hub: String, limits: HubLimits = HubLimits()) {
        self.timer = timer
        self.hub = hub
        (ringSize, ringsSize, backlogSize) = (limits.eventRing, limits.eventRings, limits.backlog)
        backlogs = SharedBudget(limit: limits.backlogs)
    }

    // MARK: Publishing

    /// A value that a run emitted, or the end of the run.
    struct Value: Sendable {
        let event: String
        let data: String
        let time: StreamTime
    }

    /// Publishes the status of a run. With `isNew`, the events of the previous run are dropped.
    func publish(_ status: RunStatus, isNew: Bool = false) {
        // Written before the lock is taken, which all runs and subscribers share.
        let text = StatusText(status).text(at: status.time(at: timer.now))
        state.withLock { state in
            let notice = state.notice(hub, "run", text, status.stream)
            state.changedStatuses.note(status.stream, of: state.runs.count)
            if isNew { state.clearRing(of: status.stream) }
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

    /// Publishes the values that a run emitted.
    func publish(_ values: [Value], of stream: String) {
        if values.isEmpty { return }
        state.withLock { state in
            state.counts.values += values.count
            for value in values {
                let notice = state.notice(hub, value.event, value.data, stream, valueAt: value.time)
                state.keep(notice, upTo: ringsSize)
                state.send(notice)
            }
        }
        dropTheSlow()
    }

    /// Publishes that a document was added, changed, or removed.
    func publish(_ event: String, _ data: String, of stream: String) {
        state.withLock { state in
            let notice = state.notice(hub, event, data, stream)
            state.changes.append(notice)
            state.send(notice)
        }
        dropTheSlow()
    }

    /// Drops the values of a stream's run. Current subscribers have received them already.
    func forgetValues(of stream: String) { state.withLock { $0.clearRing(of: stream) } }

    /// Drops the events of a stream's run.
    func forget(_ stream: String) {
        state.withLock { state in
            state.clearRing(of: stream)
            state.runs[stream] = nil
            state.changedStatuses.note(stream, of: state.runs.count)
        }
    }

    /// The latest published status of a stream's run.
    func status(of stream: String) -> RunStatus? { state.withLock { $0.runs[stream]?.status } }

    /// The state of each stream's run, and the lags of the runs that can't keep up, in seconds.
    var runStates: (states: [String: RunState], lags: [String: Double]) {
        state.withLock { state in
            (state.runs.mapValues(\.status.state), state.runs.compactMapValues(\.status.lagSeconds))
        }
    }

    /// Returns the streams whose statuses were published or dropped since the last call; `nil` for all.
    func takeChangedStatuses() -> Set<String>? { state.withLock { $0.changedStatuses.take() } }

    /// A Boolean value that indicates whether there are such streams.
    var hasChangedStatuses: Bool { state.withLock { !$0.changedStatuses.isEmpty } }

    var counts: Counts { state.withLock { $0.counts } }

    /// The bytes of the events that are kept of all runs.
    var ringByteCount: Int { state.withLock { $0.ringByteCount } }

    /// The number of status texts that the newest histories share; `nil` when all of these histories were read.
    var sharedStatusCount: Int? { state.withLock { $0.statusTexts?.count } }

    /// The number of subscribers.
    var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    // MARK: Subscribing

    /// Returns a subscription to the events from now on, after a replay of the history that the subscriber lacks.
    ///
    /// - Parameter last: the id of the last event that a returning subscriber received.
    /// - Returns: `nil` when the hub is shutting down.
    func subscribe(_ interest: Interest, after last: String?) -> EventSubscription? {
        let (connection, subscription) = EventSubscriber.make(
            backlog: Self.backlog + Self.kept,
            size: backlogSize,
            shared: backlogs
        )
        let now = timer.now
        let begun = state.withLock { state -> (id: Int, history: EventHistory)? in
            guard !state.isClosed else { return nil }
            state.lastSubscriber += 1
            let id = state.lastSubscriber
            let texts = state.statusTexts.flatMap { $0.areShared(at: now) ? $0 : nil } ?? StatusTexts(from: now)
            state.statusTexts = texts
            var history = EventHistory(hub: hub, now: now, statusTexts: texts)
            state.take(into: &history, for: interest, after: number(last, state.last))
            state.add(Subscriber(interest, connection), id)
            return (id, history)
        }
        guard let id = begun?.id else { return nil }
        stageSubscribers.add(interest)
        connection.onEnd { [weak self] in
            self?.stageSubscribers.remove(interest)
            _ = self?.state.withLock { $0.removeSubscriber(id) }
        }
        return begun.map { subscription.after($0.history.sorted) }
    }

    /// The number within an id of this hub; `nil` for another's.
    private func number(_ id: String?, _ last: UInt64) -> UInt64? {
        guard let id, id.hasPrefix(hub + "-"), let number = UInt64(id.dropFirst(hub.count + 1)), number <= last
        else { return nil }
        return number
    }

    /// Sends each subscriber a comment that keeps its connection open.
    func keepAlive() {
        state.withLock { state in
            for subscriber in state.subscribers.values { subscriber.connection.send(Notice.keepAlive) }
        }
    }

    /// Ends the event streams of all subscribers.
    func close() {
        let subscribers = state.withLock { state in
            state.isClosed = true
            defer { (state.subscribers, state.byStream, state.byValues) = ([:], TopicIndex(), TopicIndex()) }
            return state.subscribers
        }
        for subscriber in subscribers.values { subscriber.connection.finish() }
    }

    /// Disconnects the subscribers that were found to be slow. It runs outside the lock because it calls them.
    private func dropTheSlow() {
        let dropped = state.withLock { state in
            defer { state.slow = [] }
            return state.slow
        }
        for subscriber in dropped { subscriber.connection.drop() }
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
        var dropped: [Int] = []
        (notice.isValue ? byValues : byStream).forEach(of: notice.stream) { id, subscriber in
            if !subscriber.connection.send(notice.bytes) { dropped.append(id) }
        }
        for id in dropped {
            if let subscriber = removeSubscriber(id) { slow.append(subscriber) }
            counts.dropped += 1
        }
    }

    fileprivate mutating func add(_ subscriber: EventBus.Subscriber, _ id: Int) {
        subscribers[id] = subscriber
        byStream.add(subscriber, id, topics: subscriber.interest.streams)
        byValues.add(subscriber, id, topics: subscriber.interest.valueStreams)
    }

    fileprivate mutating func removeSubscriber(_ id: Int) -> EventBus.Subscriber? {
        guard let subscriber = subscribers.removeValue(forKey: id) else { return nil }
        byStream.remove(id, topics: subscriber.interest.streams)
        byValues.remove(id, topics: subscriber.interest.valueStreams)
        return subscriber
    }

    /// Keeps a value for late subscribers.
    ///
    /// - Parameter limit: The most bytes that are kept of all runs. Beyond it, a run keeps at most its share.
    fileprivate mutating func keep(_ notice: Notice, upTo limit: Int) {
        guard let index = runs.index(forKey: notice.stream) else { return }
        let before = runs.values[index].values.byteCount
        let share = ringByteCount > limit ? limit / runs.count : .max
        runs.values[index].values.append(notice, share: share)
        ringByteCount += runs.values[index].values.byteCount - before
    }

    /// Drops the values that are kept of a stream.
    fileprivate mutating func clearRing(of stream: String) {
        guard let run = runs[stream] else { return }
        ringByteCount -= run.values.byteCount
        runs[stream]?.values.clear(after: last)
    }

    /// Takes the events that a new subscriber needs: those after the last event that it received, or each run from its
    /// beginning.
    fileprivate func take(into history: inout EventHistory, for interest: EventBus.Interest, after last: UInt64?) {
        let hasReceivedChanges = last.map { changes.reaches($0) } ?? false
        if let last, hasReceivedChanges {
            for notice in changes.notices where notice.number > last && interest.includes(notice) {
                history.append(notice.number, .kept(notice.bytes))
            }
        }
        if let streams = interest.streams {
            for stream in streams {
                if let run = runs[stream] {
                    take(run, of: stream, into: &history, for: interest, after: hasReceivedChanges ? last : nil)
                }
            }
        } else {
            for (stream, run) in runs {
                take(run, of: stream, into: &history, for: interest, after: hasReceivedChanges ? last : nil)
            }
        }
    }

    private func take(
        _ run: EventBus.Run,
        of stream: String,
        into history: inout EventHistory,
        for interest: EventBus.Interest,
        after last: UInt64?
    ) {
        // If values were dropped or the run was started again, all of its events are sent.
        let received = last.flatMap { run.values.reaches($0) && $0 >= run.begun ? $0 : nil }
        let values = interest.wantsValues(of: stream) ? run.values.notices : [][...]
        if received == nil || run.number > received ?? 0 {
            let number = received == nil ? (values.first?.number ?? run.number) - 1 : run.number
            history.append(number, .run(run.status, published: run.number))
            if received == nil, run.values.isCut, let first = values.first?.time {
                let reason = "more than \(run.values.exceeded ?? "the limit")"
                history.append(number, .gap(stream: stream, before: first, reason: reason))
            }
        }
        for notice in values where notice.number > received ?? 0 { history.append(notice.number, .kept(notice.bytes)) }
    }
}
#endif
