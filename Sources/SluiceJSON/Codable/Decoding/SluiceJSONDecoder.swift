#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decodes any Codable type from JSON: Foundation's strategies under their names, several times its speed, and errors
/// that know their line.
///
/// ```swift
/// struct Point: Codable { var x: Int, y: Int }
/// try SluiceJSONDecoder().decode(Point.self, from: #"{"x": 1, "y": 2}"#)   // Point(x: 1, y: 2)
/// ```
///
/// A `DecodingError` has the coding path as usual; ``Swift/DecodingError/jsonError`` gives line, column and a piece of
/// the text beside it. Types that are ``JSONReadable`` are read directly, wherever they occur.
///
/// A value: copies are independent, and one may be used from any number of tasks.
public struct SluiceJSONDecoder: Sendable {
    /// How dates are read.
    public enum DateDecodingStrategy: Sendable {
        /// As `Date` does itself: seconds since 2001.
        case deferredToDate
        /// Seconds since 1970.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
        /// Text as in RFC 3339.
        case iso8601
        /// Text as the formatter reads it.
        case formatted(any DateTextFormatter)
        /// As the closure does.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// How data is read.
    public enum DataDecodingStrategy: Sendable {
        /// As `Data` does itself: an array of numbers.
        case deferredToData
        /// Base64 text.
        case base64
        /// As the closure does.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// What becomes of numbers that JSON does not have.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// They are errors.
        case `throw`
        /// These strings stand for them.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How keys of the text become keys of types.
    public enum KeyDecodingStrategy: Sendable {
        /// They are the same.
        case useDefaultKeys
        /// `one_two` becomes `oneTwo`; underscores at both ends stay.
        case convertFromSnakeCase
        /// As the closure does; it gets the path with the key at its end.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// How dates are read; `deferredToDate` by default.
    public var dateDecodingStrategy: DateDecodingStrategy = .deferredToDate
    /// How data is read; `base64` by default.
    public var dataDecodingStrategy: DataDecodingStrategy = .base64
    /// What becomes of numbers that JSON does not have; `throw` by default.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy = .throw
    /// How keys of the text become keys of types; `useDefaultKeys` by default.
    public var keyDecodingStrategy: KeyDecodingStrategy = .useDefaultKeys
    /// What types find in `decoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// How much a text may hold. Whatever is set, types are never read deeper than ``JSONLimits/deepestValue``.
    public var limits: JSONLimits
    /// What becomes of keys that repeat; the first wins by default, as in Foundation.
    public var duplicateKeys: JSONDuplicateKeys

    /// A decoder with Foundation's defaults.
    public init(limits: JSONLimits = .default, duplicateKeys: JSONDuplicateKeys = .firstWins) {
        self.limits = limits
        self.duplicateKeys = duplicateKeys
    }

    /// Decodes a value from UTF-8 bytes (`Data`, `[UInt8]`, a buffer, a slice of them).
    /// - Throws: `DecodingError`, or what the type throws itself.
    /// - Complexity: O(*n*) in the number of bytes, beside the type's own work.
    public func decode<T: Decodable>(_ type: T.Type, from bytes: some Sequence<UInt8>) throws -> T {
        let text = try reading { limits throws(JSONError) in try ParsedText.reading(bytes, limits, duplicateKeys) }
        return try decode(type, from: text)
    }

    /// Decodes a value from text.
    /// - Throws: `DecodingError`, or what the type throws itself.
    /// - Complexity: O(*n*) in the length of the text, beside the type's own work.
    public func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
        try decode(type, from: text.utf8)
    }

    /// Decodes a value of a document; coding paths begin at its root.
    /// - Throws: `DecodingError`, or what the type throws itself.
    public func decode<T: Decodable>(_ type: T.Type, from node: JSONNode) throws -> T {
        let state = DecodingState(text: node.text, options: self)
        let decoder = NodeDecoder(state: state, index: node.index, path: nil)
        guard node.text.depth <= JSONLimits.deepestValue || node.isShallow else {
            throw decoder.corrupted("more than \(JSONLimits.deepestValue) levels of nesting")
        }
        return try decoder.value(type)
    }

    /// Reads a value of a type that reads itself from UTF-8 bytes, within this decoder's limits; it need not be
    /// `Decodable`.
    ///
    /// ```swift
    /// try SluiceJSONDecoder().decode(direct: [Int].self, from: "[1, 2]".utf8)   // [1, 2]
    /// ```
    ///
    /// Strategies are for Codable types: such a type knows its keys itself.
    /// - Throws: `DecodingError`, or what the type throws itself.
    /// - Complexity: O(*n*) in the number of bytes, beside the type's own work.
    public func decode<T: JSONReadable>(direct type: T.Type, from bytes: some Sequence<UInt8>) throws -> T {
        let text = try reading { limits throws(JSONError) in try ParsedText.reading(bytes, limits, duplicateKeys) }
        return try NodeDecoder(state: DecodingState(text: text, options: self), index: 0, path: nil).direct(type)
    }

    private func decode<T: Decodable>(_ type: T.Type, from text: ParsedText) throws -> T {
        try NodeDecoder(state: DecodingState(text: text, options: self), index: 0, path: nil).value(type)
    }

    private func reading(_ read: (JSONLimits) throws(JSONError) -> ParsedText) throws -> ParsedText {
        var limits = limits
        limits.maximumDepth = min(limits.maximumDepth, JSONLimits.deepestValue)
        do throws(JSONError) {
            return try read(limits)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The text is not valid JSON.", underlyingError: error)
            )
        }
    }
}

/// Dates to text and back: what `formatted` takes.
///
/// `DateFormatter` has both methods; with Foundation one line makes it fit:
///
/// ```swift
/// extension DateFormatter: @retroactive DateTextFormatter {}
/// ```
public protocol DateTextFormatter: Sendable {
    /// The date that the text says, or nil.
    func date(from string: String) -> Date?
    /// The text for the date.
    func string(from date: Date) -> String
}

extension JSONNode {
    /// Whether this value may be decoded recursively.
    var isShallow: Bool {
        var ends: [Int] = []
        var at = index
        let end = text.skip(index)
        while at < end {
            while let last = ends.last, at >= last { ends.removeLast() }
            if Tape.isContainer(text.tape[at]) {
                ends.append(Tape.end(text.tape[at + 1]))
                if ends.count > JSONLimits.deepestValue { return false }
                at += 2
            } else {
                at += 1
            }
        }
        return true
    }
}
