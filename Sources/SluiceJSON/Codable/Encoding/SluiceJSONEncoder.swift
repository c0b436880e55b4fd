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
    /// How the text looks.
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

    /// How dates are written.
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
        /// As the closure does; what writes nothing is an empty object.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// How data is written.
    public enum DataEncodingStrategy: Sendable {
        /// As `Data` does itself: an array of numbers.
        case deferredToData
        /// Base64 text.
        case base64
        /// As the closure does; what writes nothing is an empty object.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// What becomes of numbers that JSON does not have.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// They are errors.
        case `throw`
        /// These strings stand for them.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How keys of types become keys of the text.
    public enum KeyEncodingStrategy: Sendable {
        /// They are the same.
        case useDefaultKeys
        /// `oneTwo` becomes `one_two`.
        case convertToSnakeCase
        /// As the closure does; it gets the path with the key at its end.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// How the text looks; compact by default.
    public var outputFormatting: OutputFormatting = []
    /// How dates are written; `deferredToDate` by default.
    public var dateEncodingStrategy: DateEncodingStrategy = .deferredToDate
    /// How data is written; `base64` by default.
    public var dataEncodingStrategy: DataEncodingStrategy = .base64
    /// What becomes of numbers that JSON does not have; `throw` by default.
    public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy = .throw
    /// How keys of types become keys of the text; `useDefaultKeys` by default.
    public var keyEncodingStrategy: KeyEncodingStrategy = .useDefaultKeys
    /// What types find in `encoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// An encoder with Foundation's defaults.
    public init() {}

    /// Encodes a value as UTF-8 data.
    /// - Throws: `EncodingError`, or what the type throws itself.
    /// - Complexity: O(*n*) in the length of the text, beside the type's own work.
    public func encode<T: Encodable>(_ value: T) throws -> Data {
        try withEncoded(value) { $0.withBytes { Data($0) } }
    }

    /// Encodes a value as UTF-8 bytes.
    /// - Throws: `EncodingError`, or what the type throws itself.
    public func bytes<T: Encodable>(_ value: T) throws -> [UInt8] {
        try withEncoded(value) { $0.bytes }
    }

    /// The UTF-8 bytes of a value that writes itself, formatted as this encoder does; it need not be `Encodable`.
    ///
    /// ```swift
    /// SluiceJSONEncoder().bytes(direct: [1, 2])   // the bytes of [1,2]
    /// ```
    ///
    /// Strategies are for Codable types: such a type knows its keys itself. A number that JSON does not have is `null`.
    public func bytes(direct value: some JSONWritable) -> [UInt8] {
        let state = EncodingState(options: self)
        let root = state.root()
        state.set(root, .direct) { value.write(to: &$0) }
        var writer = JSONWriter(capacity: state.byteCount + 64)
        state.write(root, to: &writer)
        return writer.bytes
    }

    /// Encodes a value as text.
    /// - Throws: `EncodingError`, or what the type throws itself.
    public func text<T: Encodable>(_ value: T) throws -> String {
        try withEncoded(value) { $0.text }
    }

    private func withEncoded<T: Encodable, Result>(
        _ value: T,
        _ body: (borrowing JSONWriter) -> Result
    ) throws -> Result {
        let state = EncodingState(options: self)
        let root = state.root()
        try NodeEncoder(state: state, node: root, path: nil).value(value)
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
