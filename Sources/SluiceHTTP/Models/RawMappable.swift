public import SluiceJSON

/// A model of the lower layer (an entry, a DTO) that can be written in a raw form, such as ``SluiceJSON/JSON``.
///
/// An `Encodable` type whose raw form is JSON needs nothing but the conformance:
///
/// ```swift
/// struct UserEntry: Codable, RawMappable {
///     let name: String
/// }
/// let raw = try UserEntry(name: "Ada").toRaw()  // {"name":"Ada"}
/// ```
///
/// Its text is written at once, with no JSON value between, unless the type has a `toRaw()` of its own. A type that is
/// `JSONWritable` writes itself, several times as fast, and need not be `Encodable`. Such a model stands for itself on the
/// upper layer: one layer of models is enough where two say the same.
public protocol RawEncodable: DTOEncodable where DTO == Self {
    /// The raw form; JSON if nothing else is said.
    associatedtype Raw: Sendable = JSON
    /// What ``toRaw()`` throws; inferred.
    associatedtype RawEncodingFailure: Error
    /// Whether the raw form is what the `Encodable` or `JSONWritable` conformance writes, so that the text can be written
    /// at once; true of types with no ``toRaw()`` of their own.
    static var isWrittenAsEncodable: Bool { get }
    /// The raw form of this model; throws what stands in its way.
    func toRaw() throws(RawEncodingFailure) -> Raw
}

/// A model of the lower layer that can be read from a raw form; see ``RawEncodable``.
///
/// A `Decodable` type whose raw form is JSON is read straight from the text, unless it has a `from(raw:)` of its own. A
/// type that is `JSONReadable` reads itself, several times as fast, and need not be `Decodable`.
public protocol RawDecodable: DTODecodable where DTO == Self {
    /// The raw form; JSON if nothing else is said.
    associatedtype Raw: Sendable = JSON
    /// What ``from(raw:)`` throws; inferred.
    associatedtype RawDecodingFailure: Error
    /// Whether the model is what the `Decodable` or `JSONReadable` conformance reads, so that it can be read from the
    /// text at once; true of types with no ``from(raw:)`` of their own.
    static var isReadAsDecodable: Bool { get }
    /// The model that a raw form means; throws what is wrong with it.
    static func from(raw: Raw) throws(RawDecodingFailure) -> Self
}

/// A model of the lower layer that goes both ways.
public typealias RawMappable = RawEncodable & RawDecodable

extension RawEncodable {
    /// Whether ``toRaw()`` is the one below, which alone throws ``RawMappingError``.
    public static var isWrittenAsEncodable: Bool { RawEncodingFailure.self == RawMappingError.self }
    /// The model itself, which stands on both layers.
    public func toDTO() -> Self { self }
}

extension RawDecodable {
    /// Whether ``from(raw:)`` is the one below, which alone throws ``RawMappingError``.
    public static var isReadAsDecodable: Bool { RawDecodingFailure.self == RawMappingError.self }
    /// The model itself, which stands on both layers.
    public static func from(dto: Self) -> Self { dto }
}

extension RawEncodable where Self: Encodable, Raw == JSON {
    /// The JSON that the type's `Encodable` conformance writes; throws ``RawMappingError``.
    ///
    /// The coder is that of the chain that runs, outside of any ``SluiceJSONCoder``.
    public func toRaw() throws(RawMappingError) -> JSON { try encodedRaw() }
}

extension RawEncodable where Self: JSONWritable, Raw == JSON {
    /// The JSON that the type writes; throws ``RawMappingError`` when that is none.
    public func toRaw() throws(RawMappingError) -> JSON {
        do { return try JSON(parsing: try ModelCoding.current.bytes(direct: self)) } catch { throw RawMappingError(error) }
    }
}

extension RawEncodable where Self: Encodable & JSONWritable, Raw == JSON {
    /// The JSON that the coder writes, which lets the type write itself if it is a ``SluiceJSONCoder``; throws
    /// ``RawMappingError``.
    public func toRaw() throws(RawMappingError) -> JSON { try encodedRaw() }
}

extension RawDecodable where Self: Decodable, Raw == JSON {
    /// The value that the type's `Decodable` conformance reads; throws ``RawMappingError``.
    ///
    /// The coder is that of the chain that runs, outside of any ``SluiceJSONCoder``.
    public static func from(raw: JSON) throws(RawMappingError) -> Self { try decoded(raw) }
}

extension RawDecodable where Self: JSONReadable, Raw == JSON {
    /// The value that the type reads; throws ``RawMappingError``.
    public static func from(raw: JSON) throws(RawMappingError) -> Self {
        do { return try ModelCoding.current.read(direct: Self.self, from: Array(raw.description.utf8)) } catch {
            throw RawMappingError(error)
        }
    }
}

extension RawDecodable where Self: Decodable & JSONReadable, Raw == JSON {
    /// The value that the coder reads, which lets the type read itself if it is a ``SluiceJSONCoder``; throws
    /// ``RawMappingError``.
    public static func from(raw: JSON) throws(RawMappingError) -> Self { try decoded(raw) }
}

extension Encodable {
    fileprivate func encodedRaw() throws(RawMappingError) -> JSON {
        do { return try JSON(parsing: ModelCoding.current.encode(self)) } catch { throw RawMappingError(error) }
    }
}

extension Decodable {
    fileprivate static func decoded(_ raw: JSON) throws(RawMappingError) -> Self {
        do { return try ModelCoding.current.decode(Self.self, from: Array(raw.description.utf8)) } catch {
            throw RawMappingError(error)
        }
    }
}

/// Why a model and JSON do not fit.
public struct RawMappingError: Error, Sendable, CustomStringConvertible {
    /// What the coder threw: `EncodingError`, `DecodingError`, or an error of the type's own.
    public let cause: any Error

    init(_ cause: any Error) { self.cause = cause }

    /// Path, line, column and a snippet, where the error has a place in a text.
    public var place: JSONError? { (cause as? DecodingError)?.jsonError }

    /// What is wrong, with its place.
    public var description: String {
        if let place { return "\(place)" }
        switch cause {
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
            return context.described
        case EncodingError.invalidValue(_, let context): return context.described
        default: return "\(cause)"
        }
    }
}

extension DecodingError.Context {
    fileprivate var described: String { Self.described(codingPath, debugDescription) }
    fileprivate static func described(_ path: [any CodingKey], _ text: String) -> String {
        path.isEmpty ? text : "\(path.map(\.stringValue).joined(separator: ".")): \(text)"
    }
}

extension EncodingError.Context {
    fileprivate var described: String { DecodingError.Context.described(codingPath, debugDescription) }
}
