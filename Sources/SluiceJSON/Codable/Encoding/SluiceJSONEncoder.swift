#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An encoder of any Codable type as JSON, with Foundation's strategies under the same names, several times its speed,
/// and members in the order in which the type encodes them.
///
/// ```swift
/// struct Point: Codable { var x: Int, y: Int }
/// try SluiceJSONEncoder().text(Point(x: 1, y: 2))   // {"x":1,"y":2}
/// ```
///
/// ``JSONWritable`` types write themselves directly, wherever they occur.
///
/// An encoder is a value: copies are independent, and one may be used from any number of tasks.
public struct SluiceJSONEncoder: Sendable {
    /// The layout of a text.
    public struct OutputFormatting: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt
        /// Creates options from bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Lines and indentation, in Foundation's form.
        public static let prettyPrinted = OutputFormatting(rawValue: 1 << 0)
        /// Members sorted by their keys.
        public static let sortedKeys = OutputFormatting(rawValue: 1 << 1)
        /// `/` and not `\/`.
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 1 << 3)
    }

    /// The strategies for encoding dates.
    public enum DateEncodingStrategy: Sendable {
        /// The encoding of `Date` itself: seconds since 2001.
        case deferredToDate
        /// Seconds since 1970.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
        /// Text as in RFC 3339.
        case iso8601
        /// Text that the formatter returns.
        case formatted(any DateTextFormatter)
        /// The output of the closure; an empty object if the closure writes nothing.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// The strategies for encoding data.
    public enum DataEncodingStrategy: Sendable {
        /// The encoding of `Data` itself: an array of numbers.
        case deferredToData
        /// Base64 text.
        case base64
        /// The output of the closure; an empty object if the closure writes nothing.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// The strategies for encoding numbers that JSON doesn't have.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// Such numbers are errors.
        case `throw`
        /// These strings represent such numbers.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The strategies for converting keys of types to keys of the text.
    public enum KeyEncodingStrategy: Sendable {
        /// Keys are the same in both.
        case useDefaultKeys
        /// `oneTwo` becomes `one_two`.
        case convertToSnakeCase
        /// A key that the closure returns for a path, which ends with the key of the type.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// The layout of the text; compact by default.
    public var outputFormatting: OutputFormatting = []
    /// The strategy for dates; `deferredToDate` by default.
    public var dateEncodingStrategy: DateEncodingStrategy = .deferredToDate
    /// The strategy for data; `base64` by default.
    public var dataEncodingStrategy: DataEncodingStrategy = .base64
    /// The strategy for numbers that JSON doesn't have; `throw` by default.
    public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy = .throw
    /// The strategy for converting keys of types to keys of the text; `useDefaultKeys` by default.
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

    /// Encodes a directly writable value as UTF-8 bytes, with this encoder's formatting; its type need not be
    /// `Encodable`.
    ///
    /// ```swift
    /// try SluiceJSONEncoder().bytes(direct: [1, 2])   // the bytes of [1,2]
    /// ```
    ///
    /// Strategies don't apply: such a type defines its own keys.
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
        return state.withText(root, body)
    }
}
