/// An async sequence of the texts in a flow of bytes, one ``JSONDocument`` each, as they become complete.
///
/// ```swift
/// for try await document in chunks.jsonTexts(framing: .lines) {
///     let event = try SluiceJSONDecoder().decode(UserEntry.self, from: document.root)
/// }
/// ```
///
/// The elements of `Base` are chunks of bytes, whose borders make no difference. Memory is bounded by one chunk and one
/// text of at most ``JSONLimits/maximumByteCount`` bytes.
///
/// Iterating throws ``JSONError`` with positions counted from the start of the flow, and the errors of `Base`.
/// Cancellation is up to `Base`. No closure of yours is called.
public struct JSONTexts<Base: AsyncSequence>: AsyncSequence where Base.Element: Sequence<UInt8> {
    let base: Base
    let splitter: JSONTextSplitter

    /// Returns an iterator that starts at the first chunk.
    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), splitter: splitter) }

    /// An iterator over the texts in the chunks.
    public struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var splitter: JSONTextSplitter
        var isAtEnd = false

        /// Returns the next text; after an error in a line, the next call continues with the next line.
        public mutating func next() async throws -> JSONDocument? { try await next(isolation: #isolation) }

        /// Returns the next text; after an error in a line, the next call continues with the next line.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> JSONDocument? {
            while true {
                if let document = try splitter.next() { return document }
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

extension JSONTexts: Sendable where Base: Sendable {}

extension AsyncSequence where Element: Sequence<UInt8> {
    /// Returns the texts in these chunks of bytes.
    public func jsonTexts(
        framing: JSONFraming = .lines,
        limits: JSONLimits = .default,
        duplicateKeys: JSONDuplicateKeys = .refused
    ) -> JSONTexts<Self> {
        JSONTexts(
            base: self,
            splitter: JSONTextSplitter(framing: framing, limits: limits, duplicateKeys: duplicateKeys)
        )
    }
}

extension AsyncSequence where Element == UInt8 {
    /// Returns the texts in these bytes.
    public func jsonTexts(
        framing: JSONFraming = .lines,
        limits: JSONLimits = .default,
        duplicateKeys: JSONDuplicateKeys = .refused
    ) -> JSONTexts<AsyncMapSequence<Self, CollectionOfOne<UInt8>>> {
        map { CollectionOfOne($0) }.jsonTexts(framing: framing, limits: limits, duplicateKeys: duplicateKeys)
    }
}
