#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A decoder of any Codable type from JSON, with Foundation's strategies under the same names, several times its speed,
/// and errors with line numbers.
///
/// ```swift
/// struct Point: Codable { var x: Int, y: Int }
/// try SluiceJSONDecoder().decode(Point.self, from: #"{"x": 1, "y": 2}"#)   // Point(x: 1, y: 2)
/// ```
///
/// A `DecodingError` has the usual coding path; `DecodingError.jsonError` adds line, column, and a piece of the
/// text. ``JSONReadable`` types are read directly, wherever they occur.
///
/// A decoder is a value: copies are independent, and one may be used from any number of tasks.
public struct SluiceJSONDecoder: Sendable {
    /// The strategies for decoding dates.
    public enum DateDecodingStrategy: Sendable {
        /// The encoding of `Date` itself: seconds since 2001.
        case deferredToDate
        /// Seconds since 1970.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
        /// Text as in RFC 3339.
        case iso8601
        /// Text that the formatter parses.
        case formatted(any DateTextFormatter)
        /// A date that the closure decodes.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// The strategies for decoding data.
    public enum DataDecodingStrategy: Sendable {
        /// The encoding of `Data` itself: an array of numbers.
        case deferredToData
        /// Base64 text.
        case base64
        /// Data that the closure decodes.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// The strategies for decoding numbers that JSON doesn't have.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// Such numbers are errors.
        case `throw`
        /// These strings represent such numbers.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The strategies for converting keys of the text to keys of types.
    public enum KeyDecodingStrategy: Sendable {
        /// Keys are the same in both.
        case useDefaultKeys
        /// `one_two` becomes `oneTwo`; underscores at both ends stay.
        case convertFromSnakeCase
        /// A key that the closure returns for a path, which ends with the key of the text.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// The strategy for dates; `deferredToDate` by default.
    public var dateDecodingStrategy: DateDecodingStrategy = .deferredToDate
    /// The strategy for data; `base64` by default.
    public var dataDecodingStrategy: DataDecodingStrategy = .base64
    /// The strategy for numbers that JSON doesn't have; `throw` by default.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy = .throw
    /// The strategy for converting keys of the text to keys of types; `useDefaultKeys` by default.
    public var keyDecodingStrategy: KeyDecodingStrategy = .useDefaultKeys
    /// A Boolean value that indicates whether texts are JSON5, as Foundation reads it; false by default.
    ///
    /// ```swift
    /// var decoder = SluiceJSONDecoder()
    /// decoder.allowsJSON5 = true
    /// try decoder.decode([String: Int].self, from: "{a: 0x10, /* and */ 'b': +2,}")   // ["a": 16, "b": 2]
    /// ```
    ///
    /// Positions in errors are those of the original text. NaN and infinities in the text decode as such.
    public var allowsJSON5 = false
    /// A Boolean value that indicates whether a text consists of the members of an object without its braces; false by
    /// default. A text that begins with a brace is read as usual.
    ///
    /// ```swift
    /// var decoder = SluiceJSONDecoder()
    /// decoder.assumesTopLevelDictionary = true
    /// try decoder.decode([String: Int].self, from: #""a": 1, "b": 2"#)   // ["a": 1, "b": 2]
    /// ```
    public var assumesTopLevelDictionary = false
    /// A Boolean value that indicates whether a comma may follow the last element of an array and the last member of
    /// an object; false by default, as in
    /// RFC 8259. Foundation always allows it.
    ///
    /// ```swift
    /// var decoder = SluiceJSONDecoder()
    /// decoder.allowsTrailingCommas = true
    /// try decoder.decode([Int].self, from: "[1, 2,]")   // [1, 2]
    /// ```
    public var allowsTrailingCommas = false
    /// Values that types find in `decoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The limits of a text. Whatever they are, types are never decoded deeper than ``JSONLimits/deepestValue``.
    public var limits: JSONLimits
    /// The treatment of repeated keys; the first wins by default, as in Foundation.
    public var duplicateKeys: JSONDuplicateKeys

    /// Creates a decoder with Foundation's defaults.
    public init(limits: JSONLimits = .default, duplicateKeys: JSONDuplicateKeys = .firstWins) {
        self.limits = limits
        self.duplicateKeys = duplicateKeys
    }

    /// Decodes a value from bytes (`Data`, `[UInt8]`, a buffer, or a slice of one) in UTF-8, or in UTF-16 or UTF-32 of
    /// either byte order, with or without a byte order mark.
    ///
    /// Offsets in errors count bytes of the UTF-8 form of the text.
    /// - Throws: `DecodingError`, or what the type throws itself.
    /// - Complexity: O(*n*) in the number of bytes, beside the type's own work.
    public func decode<T: Decodable>(_ type: T.Type, from bytes: some Sequence<UInt8>) throws -> T {
        try decode(type, from: parsed(bytes))
    }

    /// Decodes a value with a configuration, from bytes as ``decode(_:from:)-(_,Sequence<UInt8>)`` takes them.
    /// - Throws: `DecodingError`, or what the type throws itself.
    /// - Complexity: O(*n*) in the number of bytes, beside the type's own work.
    public func decode<T: DecodableWithConfiguration>(
        _ type: T.Type,
        from bytes: some Sequence<UInt8>,
        configuration: T.DecodingConfiguration
    ) throws -> T {
        let state = DecodingState(text: try parsed(bytes), options: self)
        return try type.init(from: NodeDecoder(state: state, index: 0, path: nil), configuration: configuration)
    }

    /// Decodes a value with the configuration that a type provides.
    /// - Throws: `DecodingError`, or what the type throws itself.
    /// - Complexity: O(*n*) in the number of bytes, beside the type's own work.
    public func decode<T: DecodableWithConfiguration, C: DecodingConfigurationProviding>(
        _ type: T.Type,
        from bytes: some Sequence<UInt8>,
        configuration: C.Type
    ) throws -> T where T.DecodingConfiguration == C.DecodingConfiguration {
        try decode(type, from: bytes, configuration: C.decodingConfiguration)
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

    /// Decodes a directly readable value from bytes, within this decoder's limits; its type need not be `Decodable`.
    ///
    /// ```swift
    /// try SluiceJSONDecoder().decode(direct: [Int].self, from: "[1, 2]".utf8)   // [1, 2]
    /// ```
    ///
    /// Strategies don't apply: such a type defines its own keys.
    /// - Throws: `DecodingError`, or what the type throws itself.
    /// - Complexity: O(*n*) in the number of bytes, beside the type's own work.
    public func decode<T: JSONReadable>(direct type: T.Type, from bytes: some Sequence<UInt8>) throws -> T {
        let text = try parsed(bytes)
        return try NodeDecoder(state: DecodingState(text: text, options: self), index: 0, path: nil).direct(type)
    }

    private func decode<T: Decodable>(_ type: T.Type, from text: ParsedText) throws -> T {
        try NodeDecoder(state: DecodingState(text: text, options: self), index: 0, path: nil).value(type)
    }

    @inline(__always)
    private func parsed(_ bytes: some Sequence<UInt8>) throws -> ParsedText {
        var limits = limits
        limits.maximumDepth = min(limits.maximumDepth, JSONLimits.deepestValue)
        let dialect = TextDialect(
            allowsTrailingCommas: allowsTrailingCommas,
            allowsJSON5: allowsJSON5,
            assumesTopLevelDictionary: assumesTopLevelDictionary
        )
        do throws(JSONError) {
            return try ParsedText.reading(bytes, limits, duplicateKeys, dialect)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The text is not valid JSON.", underlyingError: error)
            )
        }
    }
}

/// A formatter of dates, for the strategy `formatted`.
///
/// `DateFormatter` has both methods; where Foundation is imported, one line adds the conformance:
///
/// ```swift
/// extension DateFormatter: @retroactive DateTextFormatter {}
/// ```
public protocol DateTextFormatter: Sendable {
    /// Returns the date that a text represents, or nil.
    func date(from string: String) -> Date?
    /// Returns the text that represents a date.
    func string(from date: Date) -> String
}

extension JSONNode {
    /// A Boolean value that indicates whether this value is shallow enough to be decoded recursively.
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
