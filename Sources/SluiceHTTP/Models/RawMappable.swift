#if HTTP
public import SluiceJSON

/// A model of the lower layer (an entry, a DTO) that can be written in a raw form, such as ``SluiceJSON/JSON``.
///
/// An `Encodable` type whose raw form is JSON needs only the conformance:
///
/// ```swift
/// struct UserEntry: Codable, RawMappable {
///     let name: String
/// }
/// let raw = try UserEntry(name: "Ada").toRaw()  // {"name":"Ada"}
/// ```
///
/// Its text is written directly, without an intermediate JSON value, unless the type has its own `toRaw()`. A type that
/// is `JSONWritable` writes itself, several times as fast, and need not be `Encodable`. Such a model is also a model of
/// the upper layer: one layer of models is enough if both would be the same.
public protocol RawEncodable: DTOEncodable where DTO == Self {
    /// The raw form; JSON by default.
    associatedtype Raw: Sendable = JSON
    /// The error that ``toRaw()`` throws; inferred.
    associatedtype RawEncodingFailure: Error
    /// A Boolean value that indicates whether the raw form is what the `Encodable` or `JSONWritable` conformance writes, so
    /// that the text can be written at once; `true` for types without a ``toRaw()`` of their own.
    static var isWrittenAsEncodable: Bool { get }
    /// Returns the raw form of this model; throws an error if it has none.
    func toRaw() throws(RawEncodingFailure) -> Raw
}

/// A model of the lower layer that can be read from a raw form; see ``RawEncodable``.
///
/// A `Decodable` type whose raw form is JSON is read directly from the text, unless it has its own `from(raw:)`. A type
/// that is `JSONReadable` reads itself, several times as fast, and need not be `Decodable`.
public protocol RawDecodable: DTODecodable where DTO == Self {
    /// The raw form; JSON by default.
    associatedtype Raw: Sendable = JSON
    /// The error that ``from(raw:)`` throws; inferred.
    associatedtype RawDecodingFailure: Error
    /// A Boolean value that indicates whether the model is what the `Decodable` or `JSONReadable` conformance reads, so that
    /// it can be read from the text at once; `true` for types without a ``from(raw:)`` of their own.
    static var isReadAsDecodable: Bool { get }
    /// Returns the model of a raw form; throws an error if the raw form is wrong.
    static func from(raw: Raw) throws(RawDecodingFailure) -> Self
}

/// A model of the lower layer that can be converted in both directions.
public typealias RawMappable = RawEncodable & RawDecodable

extension RawEncodable {
    /// A Boolean value that indicates whether ``toRaw()`` is the one that follows from the `Encodable` or `JSONWritable`
    /// conformance, which alone declares ``RawMappingError/ByConformance``.
    public static var isWrittenAsEncodable: Bool { RawEncodingFailure.self == RawMappingError.ByConformance<Self>.self }
    /// Returns the model itself, which belongs to both layers.
    public func toDTO() -> Self { self }
}

extension RawDecodable {
    /// A Boolean value that indicates whether ``from(raw:)`` is the one that follows from the `Decodable` or
    /// `JSONReadable` conformance, which alone declares ``RawMappingError/ByConformance``.
    public static var isReadAsDecodable: Bool { RawDecodingFailure.self == RawMappingError.ByConformance<Self>.self }
    /// Returns the model itself, which belongs to both layers.
    public static func from(dto: Self) -> Self { dto }
}

// Each default exists twice. The one that fulfills the requirement declares the mark as its error; the one with an
// argument that is never written is chosen by a call with a known type, and declares the plain ``RawMappingError``, so
// that a model's own `toRaw() throws(RawMappingError)` can call it.

extension RawEncodable where Self: Encodable, Raw == JSON {
    /// Returns the JSON that the type's `Encodable` conformance writes; throws ``RawMappingError``.
    ///
    /// It uses the coder of the running chain; outside a chain, a ``SluiceJSONCoder``.
    @_disfavoredOverload
    public func toRaw() throws(RawMappingError.ByConformance<Self>) -> JSON {
        do { return try encodedRaw() } catch { throw RawMappingError.ByConformance(error) }
    }

    /// Returns the JSON that the type's `Encodable` conformance writes; throws ``RawMappingError``.
    ///
    /// It uses the coder of the running chain; outside a chain, a ``SluiceJSONCoder``.
    public func toRaw(_: Void = ()) throws(RawMappingError) -> JSON {
        do { return try encodedRaw() } catch { throw RawMappingError(error) }
    }
}

extension RawEncodable where Self: JSONWritable, Raw == JSON {
    /// Returns the JSON that the type writes; throws ``RawMappingError`` if that is not valid JSON.
    @_disfavoredOverload
    public func toRaw() throws(RawMappingError.ByConformance<Self>) -> JSON {
        do { return try JSON(parsing: try ModelCoding.current.bytes(direct: self)) } catch {
            throw RawMappingError.ByConformance(error)
        }
    }

    /// Returns the JSON that the type writes; throws ``RawMappingError`` if that is not valid JSON.
    public func toRaw(_: Void = ()) throws(RawMappingError) -> JSON {
        do { return try JSON(parsing: try ModelCoding.current.bytes(direct: self)) } catch {
            throw RawMappingError(error)
        }
    }
}

extension RawEncodable where Self: Encodable & JSONWritable, Raw == JSON {
    /// Returns the JSON that the coder writes, which lets the type write itself if it is a ``SluiceJSONCoder``; throws
    /// ``RawMappingError``.
    @_disfavoredOverload
    public func toRaw() throws(RawMappingError.ByConformance<Self>) -> JSON {
        do { return try encodedRaw() } catch { throw RawMappingError.ByConformance(error) }
    }

    /// Returns the JSON that the coder writes, which lets the type write itself if it is a ``SluiceJSONCoder``; throws
    /// ``RawMappingError``.
    public func toRaw(_: Void = ()) throws(RawMappingError) -> JSON {
        do { return try encodedRaw() } catch { throw RawMappingError(error) }
    }
}

extension RawDecodable where Self: Decodable, Raw == JSON {
    /// Returns the value that the type's `Decodable` conformance reads; throws ``RawMappingError``.
    ///
    /// It uses the coder of the running chain; outside a chain, a ``SluiceJSONCoder``.
    @_disfavoredOverload
    public static func from(raw: JSON) throws(RawMappingError.ByConformance<Self>) -> Self {
        do { return try decoded(raw) } catch { throw RawMappingError.ByConformance(error) }
    }

    /// Returns the value that the type's `Decodable` conformance reads; throws ``RawMappingError``.
    ///
    /// It uses the coder of the running chain; outside a chain, a ``SluiceJSONCoder``.
    public static func from(raw: JSON, _: Void = ()) throws(RawMappingError) -> Self {
        do { return try decoded(raw) } catch { throw RawMappingError(error) }
    }
}

extension RawDecodable where Self: JSONReadable, Raw == JSON {
    /// Returns the value that the type reads; throws ``RawMappingError``.
    @_disfavoredOverload
    public static func from(raw: JSON) throws(RawMappingError.ByConformance<Self>) -> Self {
        do { return try ModelCoding.current.read(direct: Self.self, from: Array(raw.description.utf8)) } catch {
            throw RawMappingError.ByConformance(error)
        }
    }

    /// Returns the value that the type reads; throws ``RawMappingError``.
    public static func from(raw: JSON, _: Void = ()) throws(RawMappingError) -> Self {
        do { return try ModelCoding.current.read(direct: Self.self, from: Array(raw.description.utf8)) } catch {
            throw RawMappingError(error)
        }
    }
}

extension RawDecodable where Self: Decodable & JSONReadable, Raw == JSON {
    /// Returns the value that the coder reads, which lets the type read itself if it is a ``SluiceJSONCoder``; throws
    /// ``RawMappingError``.
    @_disfavoredOverload
    public static func from(raw: JSON) throws(RawMappingError.ByConformance<Self>) -> Self {
        do { return try decoded(raw) } catch { throw RawMappingError.ByConformance(error) }
    }

    /// Returns the value that the coder reads, which lets the type read itself if it is a ``SluiceJSONCoder``; throws
    /// ``RawMappingError``.
    public static func from(raw: JSON, _: Void = ()) throws(RawMappingError) -> Self {
        do { return try decoded(raw) } catch { throw RawMappingError(error) }
    }
}

extension Encodable {
    fileprivate func encodedRaw() throws -> JSON { try JSON(parsing: ModelCoding.current.encode(self)) }
}

extension Decodable {
    fileprivate static func decoded(_ raw: JSON) throws -> Self {
        try ModelCoding.current.decode(Self.self, from: Array(raw.description.utf8))
    }
}

/// The mismatch between a model and JSON.
public class RawMappingError: Error, CustomStringConvertible, @unchecked Sendable {
    // `@unchecked Sendable`: the only stored property is a `let` of a Sendable type, and the only subclass has no
    // stored properties.

    /// The mark of the `toRaw()` and `from(raw:)` of a model that follow from its conformance, so that its text can be
    /// written and read directly.
    ///
    /// It is a mark of this model alone: a method of another model that passes the error on is that model's own mapping.
    /// There is no way to create one, so a model's own method has no use for the mark of its own type; it declares another
    /// error, which may be ``RawMappingError``.
    public final class ByConformance<Model>: RawMappingError, @unchecked Sendable {}

    /// The error of the coder: `EncodingError`, `DecodingError`, or an error of the type's own.
    public let cause: any Error

    init(_ cause: any Error) { self.cause = cause }

    /// The path, line, column, and a snippet, if the error has a place in a text.
    public var place: JSONError? { (cause as? DecodingError)?.jsonError }

    /// A description of the error with its place.
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
#endif
