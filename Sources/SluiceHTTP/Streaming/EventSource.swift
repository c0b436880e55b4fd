#if HTTP
import HTTPTypes
public import Sluice
public import SluiceFilters

/// A sequence of the events of a server, over as many connections as necessary.
///
/// ```swift
/// let request = TransportRequest(.get, URL(string: "http://example.com/prices")!)
/// for try await event in EventSource(request, over: HTTPTransport(body: .streamed)) {
///     print(event.name, event.data)
/// }
/// ```
///
/// A connection that ends or breaks is renewed after the time that the server requested in `retry` (by default three
/// seconds), with the identifier of the last event in Last-Event-ID. A connection that can't be established is retried
/// after that time and a wait that grows with each failure. Leaving the loop, or canceling its task, closes the
/// connection.
///
/// The sequence ends when the server answers 204. As WHATWG's HTML standard requires, it throws ``HTTPError`` for every
/// status other than 200, unless `reconnecting` contains it, and for an answer that is not `text/event-stream`. It
/// throws ``ServerSentEventError`` for an event that is too long, and errors of the node that are not about a
/// connection.
///
/// Each loop over it has a connection of its own.
public struct EventSource<Next: Node<TransportRequest, TransportResponse>>: AsyncSequence, Sendable {
    /// The element, an event.
    public typealias Element = ServerSentEvent

    private let request: TransportRequest
    private let node: Next
    private let lastEventID: String
    private let limit: Int
    private let statuses: Set<Int>
    private let retry: Duration
    private let backoff: Backoff
    private let clock: any Clock<Duration>
    private let random: RandomSource

    /// Makes a source; nothing is sent before it is read.
    ///
    /// - Parameters:
    ///   - request: the request for each connection; `Accept`, `Cache-Control`, and `Last-Event-ID` are added.
    ///   - node: the node that sends the request; its answers should be streamed.
    ///   - lastEventID: the identifier of the last received event, to continue after it; empty to start from the
    ///     beginning.
    ///   - limit: the maximum number of bytes in one event.
    ///   - statuses: the statuses after which it reconnects; empty by default. For a server behind a proxy,
    ///     ``HTTPClassifier/passingStatuses`` may help.
    ///   - retry: the wait before reconnecting, until the server sets another.
    ///   - backoff: the additional wait after each consecutive failure.
    ///   - clock: the clock that measures the waits.
    ///   - random: the source of the jitter.
    public init(
        _ request: TransportRequest,
        over node: Next,
        lastEventID: String = "",
        upTo limit: Int = 1 << 20,
        reconnecting statuses: Set<Int> = [],
        retry: Duration = .seconds(3),
        backoff: Backoff = .exponential(from: .seconds(1), to: .seconds(60), jitter: .equal),
        clock: any Clock<Duration> = .continuous,
        random: RandomSource = .system
    ) {
        self.request = request
        self.node = node
        self.lastEventID = lastEventID
        self.limit = limit
        self.statuses = statuses
        self.retry = retry
        self.backoff = backoff
        self.clock = clock
        self.random = random
    }

    /// Returns whether to reconnect after an error.
    private func isPassing(_ error: any Error) -> Bool {
        guard let error = error as? HTTPError else { return false }
        guard error.code == .badStatus else { return error.isPassing }
        return error.response.map { statuses.contains($0.status.code) } ?? false
    }

    /// Returns an iterator over the events.
    public func makeAsyncIterator() -> Iterator { Iterator(source: self, lastID: lastEventID, retry: retry) }

    /// An iterator of the events.
    public struct Iterator: AsyncIteratorProtocol {
        private let source: EventSource
        private var lastID: String
        private var retry: Duration
        private var connection: (body: ByteStream.AsyncIterator, parser: ServerSentEventParser)?
        /// The number of consecutive failures.
        private var failures = 0
        private var lastWait: Duration?
        private var isFirst = true
        private var isOver = false

        fileprivate init(source: EventSource, lastID: String, retry: Duration) {
            self.source = source
            self.lastID = lastID
            self.retry = retry
        }

        /// Returns the next event, or `nil` when the server has no more.
        ///
        /// - Throws: the errors that ``EventSource`` lists; after one, the iterator has ended.
        /// - Cancellation: closes the connection; throws `CancellationError`.
        nonisolated(nonsending) public mutating func next() async throws -> ServerSentEvent? {
            do {
                while !isOver {
                    if let event = try await read() { return event }
                    connection = nil
                    if !isFirst { try await wait() }
                    isFirst = false
                    try await connect()
                }
            } catch {
                isOver = true
                connection = nil
                throw error
            }
            return nil
        }

        /// Returns the next event of the connection, or `nil` without a connection or after its end.
        nonisolated(nonsending) private mutating func read() async throws -> ServerSentEvent? {
            guard var (body, parser) = connection else { return nil }
            connection = nil
            do {
                while true {
                    let event = try parser.next()
                    lastID = parser.lastID
                    retry = parser.retry ?? retry
                    if let event {
                        failures = 0
                        lastWait = nil
                        connection = (body, parser)
                        return event
                    }
                    guard let chunk = try await body.next() else { return nil }
                    parser.append(chunk)
                }
            } catch {
                guard source.isPassing(error) else { throw error }
                return nil
            }
        }

        /// Waits for the time that the server requested, and longer after failures.
        nonisolated(nonsending) private mutating func wait() async throws {
            var time = retry
            if failures > 0 {
                let extra = source.backoff.delay(after: failures, previous: lastWait, random: source.random)
                lastWait = extra
                time += extra
            }
            try await CallTimer.of(source.clock).sleep(for: time)
            try Task.checkCancellation()
        }

        nonisolated(nonsending) private mutating func connect() async throws {
            var request = source.request
            request.headers[.accept] = "text/event-stream"
            request.headers[.cacheControl] = "no-store"
            if !lastID.isEmpty, let name = HTTPField.Name("Last-Event-ID") { request.headers[name] = lastID }
            let response: TransportResponse
            do {
                response = try await source.node.process(request)
            } catch {
                guard source.isPassing(error) else { throw error }
                failures += 1
                return
            }
            switch response.status.code {
            case 204: isOver = true
            case 200 where Self.isEvents(response):
                connection = (
                    response.body.makeAsyncIterator(),
                    ServerSentEventParser(upTo: source.limit, lastID: lastID)
                )
            case 200:
                let type = response.headers[.contentType].map { "\"\($0)\"" } ?? "nothing"
                let reason = "the answer is \(type) and not text/event-stream"
                throw HTTPError(.badBody, reason, request: request, response: response)
            default:
                let error = HTTPError(.badStatus, "\(response.status)", request: request, response: response)
                guard source.isPassing(error) else { throw error }
                failures += 1
            }
        }

        private static func isEvents(_ response: TransportResponse) -> Bool {
            let type = response.headers[.contentType]?.prefix { $0 != ";" }.trimmed.lowercased()
            return type == "text/event-stream"
        }
    }
}
#endif
