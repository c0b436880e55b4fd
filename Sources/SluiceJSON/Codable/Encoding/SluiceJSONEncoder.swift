#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Encodes any Codable type as JSON: Foundation's strategies under their names, several times its speed, members in the
/// order in which the type encodes them.
///
/// ```swift
/// struct Point: Codable { var x: Int, y: Int }
/// try SluiceJSONEncoder().text(Point(x: 1, y: 2))   // {"x":1,"y":2}
/// ```
///
/// Types that are ``JSONWritable`` write themselves directly, wherever they occur.
///
/// A value: copies are independent, and one may be used from any number of tasks.
public struct SluiceJSONEncoder: Sendable {
    /// The layout of a text.
    public struct OutputFormatting: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt
        /// Options from bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Lines and indentation, in Foundation's form.
        public static let prettyPrinted = OutputFormatting(rawValue: 1 << 0)
        /// Members sorted by their keys.
        public static let sortedKeys = OutputFormatting(rawValue: 1 << 1)
        /// `/` and not `\/`.
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 1 << 3)
    }

    /// The ways to write dates.
    public enum DateEncodingStrategy: Sendable {
        /// As `Date` does itself: seconds since 2001.
        case deferredToDate
        /// Seconds since 1970.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
        /// Text as in RFC 3339.
        case iso8601
        /// Text as the formatter writes it.
        case formatted(any DateTextFormatter)
        /// As the closure does; an empty object if the closure writes nothing.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// The ways to write data.
    public enum DataEncodingStrategy: Sendable {
        /// As `Data` does itself: an array of numbers.
        case deferredToData
        /// Base64 text.
        case base64
        /// As the closure does; an empty object if the closure writes nothing.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// The ways to write numbers that JSON doesn't have.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// They are errors.
        case `throw`
        /// These strings stand for them.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The ways to turn keys of types into keys of the text.
    public enum KeyEncodingStrategy: Sendable {
        /// They are the same.
        case useDefaultKeys
        /// `oneTwo` becomes `one_two`.
        case convertToSnakeCase
        /// As the closure does; it gets the path with the key at its end.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// The layout of the text; compact by default.
    public var outputFormatting: OutputFormatting = []
    /// The way to write dates; `deferredToDate` by default.
    public var dateEncodingStrategy: DateEncodingStrategy = .deferredToDate
    /// The way to write data; `base64` by default.
    public var dataEncodingStrategy: DataEncodingStrategy = .base64
    /// The way to write numbers that JSON doesn't have; `throw` by default.
    public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy = .throw
    /// The way to turn keys of types into keys of the text; `useDefaultKeys` by default.
    public var keyEncodingStrategy: KeyEncodingStrategy = .useDefaultKeys
    /// Values that types find in `encoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder with Foundation's defaults.
    public init() {}

    /// Encodes a value as UTF-8 data.
    /// - Throws: `EncodingError`, or what the type throws itself.
    /// - Complexity: O(*n*) in the length of the text, beside the type's own work.
    public func encode<T: Encodable>(_ value: T) throws -> Data {
        try withEncoded(value) { $0.withBytes { Data($0) } }
    }

    /// Encodes a value with a configuration as UTF-8 data.
    /// - Throws: `EncodingError`, or what the type throws itself.
    /// - Complexity: O(*n*) in the length of the text, beside the type's own work.
    public func encode<T: EncodableWithConfiguration>(
        _ value: T,
        configuration: T.EncodingConfiguration
    ) throws -> Data {
        try withText(value, { try value.encode(to: $0, configuration: configuration) }) { $0.withBytes { Data($0) } }
    }

    /// Encodes a value with the configuration that a type provides as UTF-8 data.
    /// - Throws: `EncodingError`, or what the type throws itself.
    /// - Complexity: O(*n*) in the length of the text, beside the type's own work.
    public func encode<T: EncodableWithConfiguration, C: EncodingConfigurationProviding>(
        _ value: T,
        configuration: C.Type
    ) throws -> Data where T.EncodingConfiguration == C.EncodingConfiguration {
        try encode(value, configuration: C.encodingConfiguration)
    }

    /// Encodes a value as UTF-8 bytes.
    /// - Throws: `EncodingError`, or what the type throws itself.
    public func bytes<T: Encodable>(_ value: T) throws -> [UInt8] {
        try withEncoded(value) { $0.bytes }
    }

    /// Encodes a value that writes itself as UTF-8 bytes, with this encoder's formatting; it need not be `Encodable`.
    ///
    /// ```swift
    /// try SluiceJSONEncoder().bytes(direct: [1, 2])   // the bytes of [1,2]
    /// ```
    ///
    /// Strategies are for Codable types: such a type knows its keys itself.
    /// - Throws: `EncodingError` for NaN and infinities, which JSON doesn't have.
    public func bytes(direct value: some JSONWritable) throws -> [UInt8] {
        try withText(value, { try $0.direct(value) }) { $0.bytes }
    }

    /// Encodes a value as text.
    /// - Throws: `EncodingError`, or what the type throws itself.
    public func text<T: Encodable>(_ value: T) throws -> String {
        try withEncoded(value) { $0.text }
    }

    @inline(__always)
    private func withEncoded<T: Encodable, Result>(
        _ value: T,
        _ body: (borrowing JSONWriter) -> Result
    ) throws -> Result {
        try withText(value, { try $0.value(value) }, body)
    }

    @inline(__always)
    private func withText<T, Result>(
        _ value: T,
        _ encode: (NodeEncoder) throws -> Void,
        _ body: (borrowing JSONWriter) -> Result
    ) throws -> Result {
        let state = EncodingState(options: self)
        let root = state.root()
        try encode(NodeEncoder(state: state, node: root, path: nil))
        guard state.isSet(root) else {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: [], debugDescription: "\(T.self) did not encode any value.")
            )
        }
        var writer = JSONWriter(capacity: state.byteCount + 64)
        state.write(root, to: &writer)
        return body(writer)
    }
}
