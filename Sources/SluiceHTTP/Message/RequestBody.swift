/// What a request carries: bytes, a file, or a stream of chunks.
///
/// ```swift
/// let text: RequestBody = "name=Ada"
/// let upload = RequestBody.file("/data/movie.mp4")
/// print(text.count ?? 0, upload.isReplayable)  // 8 true
/// ```
public enum RequestBody: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// The file at a path, read while it is sent.
    case file(String)
    /// Chunks as they come.
    case stream(RequestStream)

    /// Whether it can be sent again, as a retry or a redirect does: bytes and files can, a stream if it says so.
    public var isReplayable: Bool {
        switch self {
        case .bytes, .file: true
        case .stream(let stream): stream.isReplayable
        }
    }

    /// How many bytes there are, where that is known without a look outside: of bytes, and of streams that say so.
    public var count: Int? {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file: nil
        case .stream(let stream): stream.count
        }
    }

    /// The bytes, if they are in memory.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }
}

extension RequestBody: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// The text in UTF-8.
    public init(stringLiteral text: String) { self = .bytes(Array(text.utf8)) }
    /// The bytes.
    public init(arrayLiteral elements: UInt8...) { self = .bytes(elements) }
}

/// A body whose chunks are made while it is sent.
public struct RequestStream: Sendable {
    /// How many bytes there are in all; `nil` sends them in chunks whose sum nobody knows before.
    public let count: Int?
    /// Whether ``chunks`` can be called again for a further try.
    public let isReplayable: Bool
    /// Makes the chunks: called once for each time that the body is sent, by the transport.
    public let chunks: @Sendable () async throws -> ByteStream

    /// Makes a stream.
    public init(count: Int?, isReplayable: Bool, chunks: @escaping @Sendable () async throws -> ByteStream) {
        self.count = count
        self.isReplayable = isReplayable
        self.chunks = chunks
    }

    /// Makes a stream of what another sequence gives; it can be sent once.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, count: Int? = nil)
    where Chunks.Element: Sequence<UInt8> {
        let stream = ByteStream(chunks)
        self.init(count: count, isReplayable: false) { stream }
    }
}
