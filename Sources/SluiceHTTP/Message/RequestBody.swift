#if HTTP
/// The body of a request: bytes, a file, or a stream of chunks.
///
/// ```swift
/// let text: RequestBody = "name=Ada"
/// let upload = RequestBody.file("/data/movie.mp4")
/// print(text.count ?? 0, upload.isReplayable)  // 8 true
/// ```
public enum RequestBody: Sendable {
    /// The bytes in memory.
    case bytes([UInt8])
    /// The file at a path, which is read during sending.
    case file(String)
    /// The chunks as they arrive.
    case stream(RequestStream)

    /// A Boolean value that indicates whether the body can be sent again, as for a retry or a redirect: bytes and files
    /// can, and a stream if it says so.
    public var isReplayable: Bool {
        switch self {
        case .bytes, .file: true
        case .stream(let stream): stream.isReplayable
        }
    }

    /// The number of bytes, if it is known without reading a file: for bytes, and for streams that declare it.
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
    /// Makes a body of a text in UTF-8.
    public init(stringLiteral text: String) { self = .bytes(Array(text.utf8)) }
    /// Makes a body of bytes.
    public init(arrayLiteral elements: UInt8...) { self = .bytes(elements) }
}

/// A body whose chunks are made during sending.
public struct RequestStream: Sendable {
    /// The total number of bytes; `nil` sends the body in chunks without a known length.
    public let count: Int?
    /// A Boolean value that indicates whether ``chunks`` can be called again for another attempt.
    public let isReplayable: Bool
    /// A closure that makes the chunks; the transport calls it once each time it sends the body.
    public let chunks: @Sendable () async throws -> ByteStream

    /// Makes a stream.
    public init(count: Int?, isReplayable: Bool, chunks: @escaping @Sendable () async throws -> ByteStream) {
        self.count = count
        self.isReplayable = isReplayable
        self.chunks = chunks
    }

    /// Makes a stream of another sequence; it can be sent once.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, count: Int? = nil)
    where Chunks.Element: Sequence<UInt8> {
        let stream = ByteStream(chunks)
        self.init(count: count, isReplayable: false) { stream }
    }
}
#endif
