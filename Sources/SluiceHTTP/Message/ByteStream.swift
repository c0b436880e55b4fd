#if HTTP
import Sluice

/// A sequence of bytes: complete in memory, or in chunks as they arrive.
///
/// ```swift
/// let response = try await HTTPTransport(body: .streamed).process(request)
/// for try await chunk in response.body { print(chunk.count) }
/// ```
///
/// Bytes in memory can be read any number of times. Arriving chunks can be read once, since they are not kept: a second
/// iteration throws ``ByteStreamError/alreadyRead``. Leaving a loop early discards the remaining chunks and ends the
/// exchange.
public struct ByteStream: AsyncSequence, Sendable {
    /// A chunk, which is never empty.
    public typealias Element = [UInt8]

    /// A closure that returns the next chunk, or `nil` at the end.
    public typealias Next = () async throws -> [UInt8]?

    private enum Content {
        case bytes([UInt8])
        case chunks(@Sendable () throws -> Next)
    }
    private let content: Content

    /// Makes a stream of bytes in memory.
    public init(_ bytes: [UInt8]) { content = .bytes(bytes) }

    /// Makes a stream of chunks that can be read once, from the closure that `makeNext` returns; `makeNext` is called
    /// when the first chunk is requested.
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

    /// Makes a stream of the chunks of another sequence, which can be read once.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element: Sequence<UInt8> {
        self.init {
            var iterator = chunks.makeAsyncIterator()
            return { try await iterator.next(isolation: #isolation).map { Array($0) } }
        }
    }

    /// Returns a stream of bytes in memory, as ``RequestBody/bytes(_:)`` is a body of them.
    ///
    /// ```swift
    /// let response = TransportResponse(body: .bytes(Array("ok".utf8)))
    /// ```
    public static func bytes(_ bytes: [UInt8]) -> ByteStream { ByteStream(bytes) }

    /// The bytes, if all of them are in memory.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = content { bytes } else { nil }
    }

    /// An iterator of the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var next: Result<Next, any Error>?

        fileprivate init(_ next: Result<Next, any Error>) { self.next = next }

        /// The error of the first read, if it is already known.
        var failure: (any Error)? {
            if case .failure(let error)? = next { error } else { nil }
        }

        /// Returns the next chunk, or `nil` at the end; throws the error of the stream once, and then ends.
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

    /// Returns an iterator over the chunks.
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

    /// Returns all bytes in memory.
    ///
    /// - Throws: ``ByteStreamError/tooLong(limit:)`` when there are more than `limit` bytes; the error of the stream.
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
    /// Makes a stream of a text in UTF-8.
    public init(stringLiteral text: String) { self.init(Array(text.utf8)) }
    /// Makes a stream of bytes.
    public init(arrayLiteral elements: UInt8...) { self.init(elements) }
}

/// The error of a stream that can't be read.
public enum ByteStreamError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The stream was already read, and its bytes were not kept.
    case alreadyRead
    /// The stream has more bytes than allowed.
    case tooLong(limit: Int)

    /// A description such as `the body was already read and cannot be read again`.
    public var description: String {
        switch self {
        case .alreadyRead: "the body was already read and cannot be read again"
        case .tooLong(let limit): "the body is longer than \(limit) bytes"
        }
    }
}
#endif
