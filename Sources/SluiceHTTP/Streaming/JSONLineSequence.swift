#if HTTP
public import SluiceJSON

/// A sequence of the models in JSON lines; see `AsyncSequence.jsonLines(_:decoder:upTo:)`.
public struct JSONLineSequence<Base: AsyncSequence, Model: Decodable>: AsyncSequence
where Base.Element: Sequence<UInt8> {
    let base: Base
    let decoder: SluiceJSONDecoder
    let limit: Int

    /// Returns an iterator, which starts at the first chunk.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            base: base.makeAsyncIterator(),
            splitter: LineSplitter(.lineFeed, upTo: limit),
            decoder: decoder,
            limit: limit
        )
    }

    /// An iterator that reads models from the chunks.
    public struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var splitter: LineSplitter
        let decoder: SluiceJSONDecoder
        let limit: Int
        var line = 0
        var isAtEnd = false

        /// Returns the next model, or `nil` at the end. After an invalid line, the next call continues with the line
        /// after it.
        public mutating func next() async throws -> Model? { try await next(isolation: #isolation) }

        /// Returns the next model, or `nil` at the end. After an invalid line, the next call continues with the line
        /// after it.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Model? {
            while true {
                do {
                    while let text = try splitter.next() {
                        line += 1
                        if !text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
                            return try decoder.decode(Model.self, from: text)
                        }
                    }
                } catch is LineSplitter.TooLong {
                    isAtEnd = true
                    throw LineError.tooLong(line: line + 1, limit: limit)
                } catch {
                    throw JSONLineError(line: line, cause: error)
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

extension JSONLineSequence: Sendable where Base: Sendable {}

/// The error of a line that is not valid JSON, or not the expected model.
public struct JSONLineError: Error, Sendable, CustomStringConvertible {
    /// The line number, from 1.
    public let line: Int
    /// The error: a ``SluiceJSON/JSONError``, whose line counts from the start of this line, or a `DecodingError`.
    public let cause: any Error

    /// A description such as `line 3: column 5: …`.
    public var description: String {
        switch cause {
        case let error as JSONError:
            "line \(line), column \(error.column): \(error.message)"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
            if let error = context.underlyingError as? JSONError {
                JSONLineError(line: line, cause: error).description
            } else {
                "line \(line): \(context.debugDescription)"
            }
        default: "line \(line): \(cause)"
        }
    }
}

extension AsyncSequence where Element: Sequence<UInt8> {
    /// Returns the models in these chunks of bytes, one for each line (JSON lines, NDJSON); empty lines are skipped.
    ///
    /// ```swift
    /// let body: ByteStream = "1\n2\n\n3\n"
    /// for try await number in body.jsonLines(Int.self) { print(number) }  // 1, 2, 3
    /// ```
    ///
    /// The sequence throws ``JSONLineError`` for a line that is not such a model, ``LineError`` for a line of more than
    /// `limit` bytes, and the errors of the chunks. Cancellation is that of the chunks. Memory is limited to a chunk
    /// and a line.
    public func jsonLines<Model: Decodable>(
        _ type: Model.Type = Model.self,
        decoder: SluiceJSONDecoder = SluiceJSONDecoder(),
        upTo limit: Int = 1 << 20
    ) -> JSONLineSequence<Self, Model> {
        JSONLineSequence(base: self, decoder: decoder, limit: limit)
    }
}
#endif
