public import SluiceJSON

/// A model of the lower layer (an entry, a DTO) that can be written in a raw form, such as ``SluiceJSON/JSON``.
///
/// An `Encodable` type whose raw form is JSON needs nothing but the conformance:
///
/// ```swift
/// struct UserEntry: Codable, RawMappable {
///     typealias Raw = JSON
///     let name: String
/// }
/// let raw = try UserEntry(name: "Ada").toRaw()  // {"name":"Ada"}
/// ```
public protocol RawEncodable {
    /// The raw form.
    associatedtype Raw: Sendable
    /// The raw form of this model; throws what stands in its way.
    func toRaw() throws -> Raw
}

/// A model of the lower layer that can be read from a raw form; see ``RawEncodable``.
public protocol RawDecodable {
    /// The raw form.
    associatedtype Raw: Sendable
    /// The model that a raw form means; throws what is wrong with it.
    static func from(raw: Raw) throws -> Self
}

/// A model of the lower layer that goes both ways.
public typealias RawMappable = RawEncodable & RawDecodable

extension RawEncodable where Self: Encodable, Raw == JSON {
    /// The JSON that the type's `Encodable` conformance writes; throws `EncodingError`.
    public func toRaw() throws -> JSON {
        try JSON(parsing: SluiceJSONEncoder().encode(self))
    }
}

extension RawDecodable where Self: Decodable, Raw == JSON {
    /// The value that the type's `Decodable` conformance reads; throws `DecodingError`.
    public static func from(raw: JSON) throws -> Self {
        try SluiceJSONDecoder().decode(Self.self, from: raw.description)
    }
}

extension JSON: RawEncodable, RawDecodable {
    /// The value itself: no models at all.
    public func toRaw() throws -> JSON { self }
    /// The value itself.
    public static func from(raw: JSON) throws -> JSON { raw }
}

extension Array: RawEncodable where Element: RawEncodable, Element.Raw == JSON {
    /// The elements' raw forms in an array.
    public func toRaw() throws -> JSON { .array(try map { try $0.toRaw() }) }
}

extension Array: RawDecodable where Element: RawDecodable, Element.Raw == JSON {
    /// The models of the elements; throws what is wrong with the first bad one, or ``ModelError/noArray``.
    public static func from(raw: JSON) throws -> [Element] {
        guard let elements = raw.array else { throw ModelError.noArray }
        return try elements.map { try Element.from(raw: $0) }
    }
}

/// What keeps a raw form from being a model.
public enum ModelError: Error, Sendable, Equatable {
    /// An array was expected.
    case noArray
}
