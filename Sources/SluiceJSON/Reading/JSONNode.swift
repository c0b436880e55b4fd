/// A value in a document: a lightweight cursor that decodes on demand and knows its place.
///
/// A node is two words wide; copies share the document, which lives as long as any of its nodes.
public struct JSONNode: Sendable {
    @usableFromInline let text: ParsedText
    @usableFromInline let index: Int

    @inlinable
    init(text: ParsedText, index: Int) {
        self.text = text
        self.index = index
    }

    /// The kind of a value.
    public enum Kind: String, Sendable, Hashable, CustomStringConvertible {
        case null, bool, number, string, array, object

        /// The word for the kind in messages.
        public var description: String { self == .bool ? "true or false" : rawValue }
    }

    @usableFromInline var word: UInt64 { text.tape[index] }

    /// The kind of this value.
    public var kind: Kind {
        switch Tape.kind(word) {
        case .null: .null
        case .true, .false: .bool
        case .integer, .real: .number
        case .string, .escapedString: .string
        case .array: .array
        case .object, .objectWithDuplicates: .object
        }
    }

    /// A Boolean value that indicates whether this is `null`.
    public var isNull: Bool { Tape.kind(word) == .null }

    /// The Boolean value, or nil if this is another kind of value.
    public var bool: Bool? {
        switch Tape.kind(word) {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The whole number, or nil if this is another kind of value or doesn't fit; `1.0` and `1e2` are not whole numbers
    /// here.
    public var int: Int? { Tape.kind(word) == .integer ? IntegerText.int64(text.rawBytes(word)).map(Int.init) : nil }

    /// The whole number, or nil if this is another kind of value, negative, or doesn't fit.
    public var unsigned: UInt64? { Tape.kind(word) == .integer ? IntegerText.uint64(text.rawBytes(word)) : nil }

    /// The number as the nearest double, or nil if this isn't a number or is beyond the largest double.
    ///
    /// NaN and infinities occur only where ``SluiceJSONDecoder`` reads JSON5.
    public var double: Double? {
        guard kind == .number else { return nil }
        let value = DoubleText.double(text.rawBytes(word))
        return value.isFinite ? value : text.special(at: index)
    }

    /// The string with its escapes resolved, or nil if this is another kind of value.
    public var string: String? { Tape.isString(word) ? text.string(index) : nil }

    /// A Boolean value that indicates whether this is a number of any size without fraction and exponent.
    public var isWholeNumber: Bool { Tape.kind(word) == .integer }

    /// The number of elements or members; 0 for scalars.
    public var count: Int { Tape.isContainer(word) ? Tape.count(text.tape[index + 1]) : 0 }
}

extension JSONNode {
    /// The bytes of this value as they appear in the text, without the space around it.
    /// - Complexity: O(*n*), since the bytes are copied.
    public var source: [UInt8] { Array(sourceBuffer) }

    /// The text of this value as it appears in the document, without the space around it.
    public var sourceText: String { String(decoding: sourceBuffer, as: UTF8.self) }

    /// Returns the first bytes of the value's text, cut at the end of a character.
    func sourceText(limit: Int) -> String {
        var end = Swift.min(limit, sourceBuffer.count)
        while end > 0, end < sourceBuffer.count, sourceBuffer[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: sourceBuffer[..<end], as: UTF8.self)
    }

    var sourceBuffer: UnsafeBufferPointer<UInt8> {
        let begin = text.sourceStart(index)
        return UnsafeBufferPointer(start: text.bytes + begin, count: text.sourceEnd(index) - begin)
    }

    /// The range of this value's bytes in the text: `document.bytes[node.byteRange]` is ``source``.
    public var byteRange: Range<Int> { text.sourceStart(index)..<text.sourceEnd(index) }

    /// The position at which this value begins.
    /// - Complexity: O(*n*) in the distance from the start of the text, or from the place that was read last.
    public var position: JSONPosition { text.position(of: text.sourceStart(index)) }

    /// The document that this value is part of.
    public var document: JSONDocument { JSONDocument(text: text) }
}

extension JSONNode: CustomStringConvertible {
    /// The text of this value as it appears in the document.
    public var description: String { sourceText }
}
