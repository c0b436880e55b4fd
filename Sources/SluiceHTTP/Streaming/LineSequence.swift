#if HTTP
/// A sequence of the lines in chunks of bytes, as they become complete; see
/// `AsyncSequence.lines(upTo:)`.
public struct LineSequence<Base: AsyncSequence>: AsyncSequence where Base.Element: Sequence<UInt8> {
    let base: Base
    let limit: Int

    /// Returns an iterator, which starts at the first chunk.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), splitter: LineSplitter(.any, upTo: limit), limit: limit)
    }

    /// An iterator that reads lines from the chunks.
    public struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var splitter: LineSplitter
        let limit: Int
        var line = 0
        var isAtEnd = false

        /// Returns the next line without its line break, or `nil` at the end.
        public mutating func next() async throws -> String? { try await next(isolation: #isolation) }

        /// Returns the next line without its line break, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> String? {
            while true {
                do {
                    if let bytes = try splitter.next() {
                        line += 1
                        guard let text = String(validating: bytes, as: UTF8.self) else {
                            throw LineError.invalidUTF8(line: line)
                        }
                        return text
                    }
                } catch is LineSplitter.TooLong {
                    isAtEnd = true
                    throw LineError.tooLong(line: line + 1, limit: limit)
                }
                if isAtEnd { return nil }
                if let chunk = try await base.next(isolation: actor) {
                    splitter.append(chunk)
                } else {
                    isAtEnd = true
                    splitter.finish()
                }
            }
        }
    }
}

extension LineSequence: Sendable where Base: Sendable {}

/// The error of bytes without a valid next line.
public enum LineError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The bytes of a line are not UTF-8; lines count from 1.
    case invalidUTF8(line: Int)
    /// A line has more bytes than allowed; lines count from 1.
    case tooLong(line: Int, limit: Int)

    /// A description such as `line 3: not UTF-8`.
    public var description: String {
        switch self {
        case .invalidUTF8(let line): "line \(line): not UTF-8"
        case .tooLong(let line, let limit): "line \(line): longer than \(limit) bytes"
        }
    }
}

extension AsyncSequence where Element: Sequence<UInt8> {
    /// The lines in these chunks of bytes, up to 1 MiB each: see ``lines(upTo:)``.
    public var lines: LineSequence<Self> { lines(upTo: 1 << 20) }

    /// Returns the lines in these chunks of bytes, each without its line break: LF, CR LF, or CR. Text after the last
    /// line break is a line if it is not empty.
    ///
    /// ```swift
    /// let body: ByteStream = "one\r\ntwo\n\nfour"
    /// for try await line in body.lines { print(line) }  // one, two, an empty line, four
    /// ```
    ///
    /// The sequence throws ``LineError`` if a line is not UTF-8 or has more than `limit` bytes, and the errors of the
    /// chunks. Cancellation is that of the chunks. Memory is limited to a chunk and a line.
    public func lines(upTo limit: Int) -> LineSequence<Self> { LineSequence(base: self, limit: limit) }
}
#endif
