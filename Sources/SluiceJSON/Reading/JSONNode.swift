/// A value in a document: a light cursor that decodes what it is asked for and knows its place.
///
/// Two words wide; copies share the document, which lives as long as one of its nodes.
public struct JSONNode: Sendable {
    @usableFromInline let text: ParsedText
    @usableFromInline let index: Int

    @inlinable
    init(text: ParsedText, index: Int) {
        self.text = text
        self.index = index
    }

    /// What a value is.
    public enum Kind: String, Sendable, Hashable, CustomStringConvertible {
        case null, bool, number, string, array, object

        /// The word for messages.
        public var description: String { self == .bool ? "true or false" : rawValue }
    }

    @usableFromInline var word: UInt64 { text.tape[index] }

    /// What this value is.
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

    /// Whether this is `null`.
    public var isNull: Bool { Tape.kind(word) == .null }

    /// The truth value, or nil if this is none.
    public var bool: Bool? {
        switch Tape.kind(word) {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The whole number, or nil if this is none or does not fit; `1.0` and `1e2` are not whole numbers here.
    public var int: Int? { Tape.kind(word) == .integer ? IntegerText.int64(text.rawBytes(word)).map(Int.init) : nil }

    /// The whole number, or nil if this is none, negative or does not fit.
    public var unsigned: UInt64? { Tape.kind(word) == .integer ? IntegerText.uint64(text.rawBytes(word)) : nil }

    /// The number as the nearest double, or nil if this isn't a number or is beyond the largest double.
    ///
    /// NaN and infinities occur only where ``SluiceJSONDecoder`` reads JSON5.
    public var double: Double? {
        guard kind == .number else { return nil }
        let value = DoubleText.double(text.rawBytes(word))
        return value.isFinite ? value : text.special(at: index)
    }

    /// The string with its escapes resolved, or nil if this is none.
    public var string: String? { Tape.isString(word) ? text.string(index) : nil }

    /// Whether this is a number without fraction and exponent, of whatever size.
    public var isWholeNumber: Bool { Tape.kind(word) == .integer }

    /// The count of elements or members; 0 of scalars.
    public var count: Int { Tape.isContainer(word) ? Tape.count(text.tape[index + 1]) : 0 }
}

extension JSONNode {
    /// The bytes of this value as they stand in the text, without the space around it.
    /// - Complexity: O(*n*): a copy.
    public var source: [UInt8] { Array(sourceBuffer) }

    /// The text of this value as it stands in the document, without the space around it.
    public var sourceText: String { String(decoding: sourceBuffer, as: UTF8.self) }

    /// The first bytes of the value's text, cut where a character ends.
    func sourceText(limit: Int) -> String {
        var end = Swift.min(limit, sourceBuffer.count)
        while end > 0, end < sourceBuffer.count, sourceBuffer[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: sourceBuffer[..<end], as: UTF8.self)
    }

    var sourceBuffer: UnsafeBufferPointer<UInt8> {
        let begin = text.sourceStart(index)
        return UnsafeBufferPointer(start: text.bytes + begin, count: text.sourceEnd(index) - begin)
    }

    /// The bytes that this value takes in the text: `document.bytes[node.byteRange]` is ``source``.
    public var byteRange: Range<Int> { text.sourceStart(index)..<text.sourceEnd(index) }

    /// Where this value begins.
    /// - Complexity: O(*n*) in the distance from the start of the text, or from the place asked for last.
    public var position: JSONPosition { text.position(of: text.sourceStart(index)) }

    /// The document that this value is part of.
    public var document: JSONDocument { JSONDocument(text: text) }
}

extension JSONNode: CustomStringConvertible {
    /// The text of this value as it stands in the document.
    public var description: String { sourceText }
}
