#if HTTP
/// An event from a server (`text/event-stream`).
///
/// ```swift
/// let body: ByteStream = "event: price\ndata: 12\nid: 7\n\n"
/// for try await event in body.serverSentEvents { print(event.name, event.data, event.id) }  // price 12 7
/// ```
public struct ServerSentEvent: Sendable, Hashable {
    /// The kind of the event; `message` if the server sets no kind.
    public var name: String
    /// The data; several data lines are joined by LF.
    public var data: String
    /// The identifier that the server set for this event or an earlier one; empty by default.
    public var id: String

    /// Makes an event.
    public init(name: String = "message", data: String, id: String = "") {
        self.name = name
        self.data = data
        self.id = id
    }
}

/// The error of bytes without a valid next event.
public enum ServerSentEventError: Error, Sendable, Equatable, CustomStringConvertible {
    /// An event has more bytes than allowed.
    case tooLong(limit: Int)

    /// A description such as `an event is longer than 1048576 bytes`.
    public var description: String {
        switch self {
        case .tooLong(let limit): "an event is longer than \(limit) bytes"
        }
    }
}

/// A parser for events by WHATWG's HTML standard, 9.2.6: a state machine without a clock or a task.
struct ServerSentEventParser: Sendable {
    private let limit: Int
    private var splitter: LineSplitter
    private var isAtStart = true
    private var mark: [UInt8] = []
    private var name: [UInt8] = []
    private var data: [UInt8] = []
    private var idBuffer = ""

    /// The identifier of the last complete event.
    private(set) var lastID: String
    /// The wait before reconnecting, if the server set one.
    private(set) var retry: Duration?

    init(upTo limit: Int, lastID: String = "") {
        self.limit = limit
        self.lastID = lastID
        idBuffer = lastID
        splitter = LineSplitter(.any, upTo: limit)
    }

    /// Appends received bytes. One byte order mark at the start is skipped.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        guard isAtStart else { return splitter.append(bytes) }
        mark.append(contentsOf: bytes)
        let expected: [UInt8] = [0xEF, 0xBB, 0xBF]
        if mark.count < 3 && mark == Array(expected.prefix(mark.count)) { return }
        isAtStart = false
        splitter.append(mark.starts(with: expected) ? mark[3...] : mark[...])
        mark = []
    }

    /// Returns the next complete event, or `nil` if no event is complete. An incomplete event at the end is dropped.
    mutating func next() throws -> ServerSentEvent? {
        do {
            while let line = try splitter.next() {
                if line.isEmpty {
                    if let event = take() { return event }
                } else {
                    read(line)
                    if data.count + name.count > limit { throw LineSplitter.TooLong() }
                }
            }
            return nil
        } catch {
            throw ServerSentEventError.tooLong(limit: limit)
        }
    }

    /// Ends an event at an empty line, and returns it unless it has no data.
    private mutating func take() -> ServerSentEvent? {
        lastID = idBuffer
        defer {
            data.removeAll(keepingCapacity: data.capacity <= 1 << 16)
            name = []
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            name: name.isEmpty ? "message" : String(decoding: name, as: UTF8.self),
            data: String(decoding: data.dropLast(), as: UTF8.self),
            id: lastID
        )
    }

    /// Reads a field; a comment is a field with an empty name, which is ignored.
    private mutating func read(_ line: ArraySlice<UInt8>) {
        let field = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line[field.endIndex...].dropFirst()
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: field, as: UTF8.self) {
        case "event": name = Array(value)
        case "data":
            data.append(contentsOf: value)
            data.append(10)
        case "id": if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
        case "retry":
            let text = String(decoding: value, as: UTF8.self)
            if text.utf8.allSatisfy({ (48...57).contains($0) }), let milliseconds = Int64(text) {
                retry = .milliseconds(milliseconds)
            }
        default: break
        }
    }
}

/// A sequence of the events in chunks of bytes, as they become complete; see
/// `AsyncSequence.serverSentEvents(upTo:)`.
public struct ServerSentEventSequence<Base: AsyncSequence>: AsyncSequence where Base.Element: Sequence<UInt8> {
    let base: Base
    let limit: Int

    /// Returns an iterator, which starts at the first chunk.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), parser: ServerSentEventParser(upTo: limit))
    }

    /// An iterator that reads events from the chunks.
    public struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var parser: ServerSentEventParser
        var isAtEnd = false

        /// Returns the next event, or `nil` at the end.
        public mutating func next() async throws -> ServerSentEvent? { try await next(isolation: #isolation) }

        /// Returns the next event, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ServerSentEvent? {
            while !isAtEnd {
                do {
                    if let event = try parser.next() { return event }
                } catch {
                    isAtEnd = true
                    throw error
                }
                guard let chunk = try await base.next(isolation: actor) else {
                    isAtEnd = true
                    break
                }
                parser.append(chunk)
            }
            return nil
        }
    }
}

extension ServerSentEventSequence: Sendable where Base: Sendable {}

extension AsyncSequence where Element: Sequence<UInt8> {
    /// The events in these chunks of bytes, up to 1 MiB each: see ``serverSentEvents(upTo:)``.
    public var serverSentEvents: ServerSentEventSequence<Self> { serverSentEvents(upTo: 1 << 20) }

    /// Returns the events in these chunks of bytes, by WHATWG's HTML standard. ``EventSource`` also reconnects.
    ///
    /// The sequence throws ``ServerSentEventError`` for an event of more than `limit` bytes, and the errors of the
    /// chunks. Cancellation is that of the chunks. Memory is limited to a chunk and an event.
    public func serverSentEvents(upTo limit: Int) -> ServerSentEventSequence<Self> {
        ServerSentEventSequence(base: self, limit: limit)
    }
}
#endif
