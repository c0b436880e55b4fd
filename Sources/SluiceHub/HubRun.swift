import Sluice
import SluiceJSON
import SluiceStreams

/// The one run of a stream in this hub: every page that listens sees the same.
actor HubRun {
    /// What the run is doing.
    enum State: String {
        case idle, running, completed, failed
    }

    /// What a page is told.
    struct Notice: Sendable {
        let id: String
        let name: String
        let data: String
    }

    /// How many events of a run are kept for pages that come late, and how many wait for a slow page.
    static let backlog = 4096

    private(set) var state = State.idle
    private let flow: Flow<JSON>
    private let clock: ContinuousClock
    private var number = 0
    private var started: ContinuousClock.Instant?
    private var notices: [Notice] = []
    private var sequence = 0
    private var listeners: [Int: AsyncStream<Notice>.Continuation] = [:]
    private var lastListener = 0
    private var work: Task<Void, Never>?

    init(flow: Flow<JSON>, clock: ContinuousClock = .continuous) {
        self.flow = flow
        self.clock = clock
    }

    /// What happens in the run, from its start. A run that has ended, or not begun, is started, unless the listener
    /// has heard of it before and comes back.
    ///
    /// The sequence ends when the hub is shut down, or when its reader is so slow that notices by the thousand wait; it
    /// comes back then and hears the rest. Of a very long run the first notices are told, a gap, and the last.
    ///
    /// - Parameter last: the id of the last notice that the listener has heard, if it comes back.
    func listen(after last: String? = nil) -> AsyncStream<Notice> {
        let heard = last.flatMap(Self.parse).flatMap { $0.run == number ? $0.sequence : nil }
        if state != .running && heard == nil { start() }
        let (stream, continuation) = AsyncStream.makeStream(
            of: Notice.self,
            bufferingPolicy: .bufferingOldest(Self.backlog * 2)
        )
        lastListener += 1
        let id = lastListener
        listeners[id] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.leave(id) }
        }
        for notice in [beginning()] + notices { continuation.yield(notice) }
        return stream
    }

    /// `3-12`: the twelfth notice of the third run.
    private static func parse(_ id: String) -> (run: Int, sequence: Int)? {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let run = parts[0], let sequence = parts[1] else { return nil }
        return (run, sequence)
    }

    /// Starts the run anew.
    func start() {
        work?.cancel()
        number += 1
        notices = []
        sequence = 0
        state = .running
        started = clock.now
        tell(beginning())
        let (run, events) = (number, flow.events(clock: clock))
        work = Task { [weak self] in
            do {
                for try await event in events { await self?.note(event, run) }
            } catch {}  // cancelled: another run has begun, or the hub is shut down
        }
    }

    /// Ends the run and tells all who listen that no more comes.
    func shutDown() {
        work?.cancel()
        for continuation in listeners.values { continuation.finish() }
        listeners = [:]
    }

    /// Keeps the connections of those who listen open.
    func keepAlive() {
        for listener in listeners.keys { send(Notice(id: "", name: "", data: ""), to: listener) }
    }

    private func note(_ event: StreamEvent<JSON>, _ run: Int) {
        guard run == number else { return }
        switch event.kind {
        case .value, .reported: break
        case .completed: state = .completed
        case .failed: state = .failed
        }
        sequence += 1
        let notice = Notice(id: "\(run)-\(sequence)", name: event.name, data: event.line)
        if notices.count >= Self.backlog {
            // The newest takes the place of the one before; what is missing is told in its stead.
            if sequence > Self.backlog + 1 { notices.removeLast(2) } else { notices.removeLast() }
            notices.append(Notice(id: "\(run)-\(sequence - 1)", name: "gap", data: #"{"before": \#(event.time)}"#))
        }
        notices.append(notice)
        tell(notice)
    }

    private func beginning() -> Notice {
        let elapsed = started.map { $0.duration(to: clock.now) } ?? .zero
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let data = #"{"run": \#(number), "elapsed": \#(seconds), "state": "\#(state.rawValue)"}"#
        return Notice(id: "\(number)-0", name: "run", data: data)
    }

    private func tell(_ notice: Notice) {
        for listener in listeners.keys { send(notice, to: listener) }
    }

    private func send(_ notice: Notice, to listener: Int) {
        guard let continuation = listeners[listener] else { return }
        if case .dropped = continuation.yield(notice) {
            continuation.finish()
            listeners[listener] = nil
        }
    }

    private func leave(_ listener: Int) { listeners[listener] = nil }
}

extension StreamEvent<JSON> {
    /// The kind's name in an event stream.
    fileprivate var name: String {
        switch kind {
        case .value: "value"
        case .reported: "reported"
        case .completed: "completed"
        case .failed: "failed"
        }
    }
}
