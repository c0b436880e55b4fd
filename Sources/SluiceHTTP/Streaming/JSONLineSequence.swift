public import SluiceJSON

/// The models in a flow of JSON lines; see ``_Concurrency/AsyncSequence/jsonLines(_:decoder:upTo:)``.
public struct JSONLineSequence<Base: AsyncSequence, Model: Decodable>: AsyncSequence
where Base.Element: Sequence<UInt8> {
    let base: Base
    let decoder: SluiceJSONDecoder
    let limit: Int

    /// Starts at the first chunk.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            base: base.makeAsyncIterator(),
            splitter: LineSplitter(.lineFeed, upTo: limit),
            decoder: decoder,
            limit: limit
        )
    }

    /// Takes models from the chunks.
    public struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var splitter: LineSplitter
        let decoder: SluiceJSONDecoder
        let limit: Int
        var line = 0
        var isAtEnd = false

        /// The next model, `nil` at the end. After a line that is bad the next call goes on with the line behind it.
        public mutating func next() async throws -> Model? { try await next(isolation: #isolation) }

        /// The next model, `nil` at the end. After a line that is bad the next call goes on with the line behind it.
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

/// A line that is no JSON, or not the model that was asked for.
public struct JSONLineError: Error, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// What is wrong: a ``SluiceJSON/JSONError``, whose line counts from the start of this line, or a `DecodingError`.
    public let cause: any Error

    /// `line 3: column 5: …`.
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
    /// The models in these chunks of bytes, one a line (JSON lines, NDJSON); empty lines are left out.
    ///
    /// ```swift
    /// let body: ByteStream = "1\n2\n\n3\n"
    /// for try await number in body.jsonLines(Int.self) { print(number) }  // 1, 2, 3
    /// ```
    ///
    /// Throws ``JSONLineError`` for a line that is not such a model, ``LineError`` for one of more than `limit` bytes, and
    /// what the chunks throw. Cancellation is theirs. Memory is bounded by a chunk and a line.
    public func jsonLines<Model: Decodable>(
        _ type: Model.Type = Model.self,
        decoder: SluiceJSONDecoder = SluiceJSONDecoder(),
        upTo limit: Int = 1 << 20
    ) -> JSONLineSequence<Self, Model> {
        JSONLineSequence(base: self, decoder: decoder, limit: limit)
    }
}
