import Sluice

/// Bytes: whole in memory, or in chunks while they arrive.
///
/// ```swift
/// let response = try await HTTPTransport(body: .streamed).process(request)
/// for try await chunk in response.body { print(chunk.count) }
/// ```
///
/// What is whole can be read any number of times. What arrives can be read once, since nothing keeps what has gone by:
/// a second iteration throws ``ByteStreamError/alreadyRead``. Leaving a loop early lets go of what is to come; the
/// exchange behind it ends.
public struct ByteStream: AsyncSequence, Sendable {
    /// A chunk; never empty.
    public typealias Element = [UInt8]

    /// Gives a chunk each time that it is called, and `nil` at the end.
    public typealias Next = () async throws -> [UInt8]?

    private enum Content {
        case bytes([UInt8])
        case chunks(@Sendable () throws -> Next)
    }
    private let content: Content

    /// Bytes that are there.
    public init(_ bytes: [UInt8]) { content = .bytes(bytes) }

    /// Chunks that can be read once: what `makeNext` makes, called when the first chunk is asked for.
    public init(_ makeNext: @escaping @Sendable () throws -> Next) {
        let isRead = Locked(false)
        content = .chunks {
            let wasRead = isRead.withLock { read in
                defer { read = true }
                return read
            }
            if wasRead { throw ByteStreamError.alreadyRead }
            return try makeNext()
        }
    }

    /// The chunks of another sequence, to be read once.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element: Sequence<UInt8> {
        self.init {
            var iterator = chunks.makeAsyncIterator()
            return { try await iterator.next(isolation: #isolation).map { Array($0) } }
        }
    }

    /// The bytes, if they are whole in memory.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = content { bytes } else { nil }
    }

    /// What reads the chunks one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var next: Result<Next, any Error>?

        fileprivate init(_ next: Result<Next, any Error>) { self.next = next }

        /// What stands in the way of the first chunk, where that is known already.
        var failure: (any Error)? {
            if case .failure(let error)? = next { error } else { nil }
        }

        /// The next chunk, `nil` at the end; throws what went wrong, once, and ends.
        ///
        /// - Cancellation: ends the exchange; throws `CancellationError`.
        nonisolated(nonsending) public mutating func next() async throws -> [UInt8]? {
            guard let current = next else { return nil }
            do {
                let read = try current.get()
                while let chunk = try await read() {
                    if !chunk.isEmpty { return chunk }
                }
            } catch {
                next = nil
                throw error
            }
            next = nil
            return nil
        }
    }

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
        switch content {
        case .bytes(let bytes):
            var rest: [UInt8]? = bytes
            return AsyncIterator(
                .success {
                    defer { rest = nil }
                    return rest
                }
            )
        case .chunks(let makeNext): return AsyncIterator(Result { try makeNext() })
        }
    }

    /// All of it, in memory.
    ///
    /// - Throws: ``ByteStreamError/tooLong(limit:)`` when there are more than `limit` bytes; what the stream throws.
    nonisolated(nonsending) public func collected(upTo limit: Int) async throws -> [UInt8] {
        var bytes = self.bytes ?? []
        if self.bytes == nil {
            for try await chunk in self {
                if bytes.count + chunk.count > limit { throw ByteStreamError.tooLong(limit: limit) }
                if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            }
        }
        if bytes.count > limit { throw ByteStreamError.tooLong(limit: limit) }
        return bytes
    }
}

extension ByteStream: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// The text in UTF-8.
    public init(stringLiteral text: String) { self.init(Array(text.utf8)) }
    /// The bytes.
    public init(arrayLiteral elements: UInt8...) { self.init(elements) }
}

/// Why a stream of bytes cannot be read.
public enum ByteStreamError: Error, Sendable, Equatable, CustomStringConvertible {
    /// It was read before, and nothing kept what it held.
    case alreadyRead
    /// It holds more bytes than allowed.
    case tooLong(limit: Int)

    /// `the body was already read and cannot be read again`.
    public var description: String {
        switch self {
        case .alreadyRead: "the body was already read and cannot be read again"
        case .tooLong(let limit): "the body is longer than \(limit) bytes"
        }
    }
}
