#if Hub
import NIOCore
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The events of before a subscription. They are taken at one moment, and written when their reader comes to them: nobody
/// else waits for that.
struct EventHistory: Sendable, Sequence {
    enum Event: Sendable {
        /// An event that is kept.
        case kept(ByteBuffer)
        /// The status of a run, and the number of the event that published it.
        case run(RunStatus, published: UInt64)
        /// Values before a time were dropped.
        case gap(stream: String, before: StreamTime, reason: String)
    }

    private var events: [(number: UInt64, event: Event)] = []
    /// The name of the hub in the ids of events.
    private let hub: String
    /// The instant at which they were taken.
    private let now: Int64
    private let statusTexts: StatusTexts

    /// Makes an empty history.
    ///
    /// - Parameters:
    ///   - hub: the name of the hub in the ids of events.
    ///   - now: the instant at which the events are taken.
    ///   - statusTexts: the status texts that other subscriptions share.
    init(hub: String, now: Int64, statusTexts: StatusTexts) {
        (self.hub, self.now, self.statusTexts) = (hub, now, statusTexts)
    }

    mutating func append(_ number: UInt64, _ event: Event) { events.append((number, event)) }

    /// Returns the events in the order of their numbers.
    var sorted: EventHistory {
        var copy = self
        copy.events = events.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
            .map(\.element)
        return copy
    }

    func makeIterator() -> Iterator { Iterator(history: self) }

    struct Iterator: IteratorProtocol, Sendable {
        fileprivate var history: EventHistory
        private var index = 0

        fileprivate init(history: EventHistory) { self.history = history }

        /// A Boolean value that indicates whether all events were read.
        var isAtEnd: Bool { index >= history.events.count }

        mutating func next() -> ByteBuffer? {
            guard index < history.events.count else {
                history.events = []
                return nil
            }
            defer { index += 1 }
            return history.bytes(index)
        }
    }

    private func bytes(_ index: Int) -> ByteBuffer {
        let (number, event) = events[index]
        switch event {
        case .kept(let bytes): return bytes
        case .run(let status, let published):
            let text = statusTexts.text(of: status, published).text(at: status.time(at: now))
            return Notice.bytes(id: "\(hub)-\(number)", "run", text)
        case .gap(let stream, let time, let reason):
            let data = #"{"stream": \#(JSON.string(stream)), "before": \#(time), "reason": \#(JSON.string(reason))}"#
            return Notice.bytes("gap", data)
        }
    }
}
#endif
