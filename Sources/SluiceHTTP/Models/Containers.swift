#if HTTP
// Arrays, dictionaries, and optionals of models are models of both layers, and scalars are models of the lower one.

public import Foundation
public import SluiceJSON

// MARK: - Arrays

extension Array: DTOEncodable where Element: DTOEncodable, Element.DTO.Raw == JSON {
    /// Returns the elements as models of the lower layer.
    public func toDTO() throws -> [Element.DTO] { try map { try $0.toDTO() } }
}

extension Array: DTODecodable where Element: DTODecodable, Element.DTO.Raw == JSON {
    /// Returns the models of the elements; throws the error of the first invalid one.
    @inlinable
    public static func from(dto: [Element.DTO]) throws -> [Element] {
        // A loop, since a closure costs an allocation for each element if the compiler doesn't know the types.
        var models: [Element] = []
        models.reserveCapacity(dto.count)
        for index in dto.indices { models.append(try Element.from(dto: dto[index])) }
        return models
    }
}

extension Array: RawEncodable where Element: RawEncodable, Element.Raw == JSON {
    /// The raw form, JSON.
    public typealias Raw = JSON
    /// A Boolean value that indicates whether the elements are written by their conformance.
    public static var isWrittenAsEncodable: Bool { Element.isWrittenAsEncodable }
    /// Returns the elements' raw forms in an array.
    public func toRaw() throws -> JSON { .array(try map { try $0.toRaw() }) }
}

extension Array: RawDecodable where Element: RawDecodable, Element.Raw == JSON {
    /// A Boolean value that indicates whether the elements are read by their conformance.
    public static var isReadAsDecodable: Bool { Element.isReadAsDecodable }
    /// Returns the models of the elements; throws the error of the first invalid one, or ``ModelError/noArray``.
    public static func from(raw: JSON) throws -> [Element] {
        guard let elements = raw.array else { throw ModelError.noArray }
        return try elements.map { try Element.from(raw: $0) }
    }
}

// MARK: - Dictionaries

extension Dictionary: DTOEncodable where Key == String, Value: DTOEncodable, Value.DTO.Raw == JSON {
    /// Returns the values as models of the lower layer.
    public func toDTO() throws -> [String: Value.DTO] { try mapValues { try $0.toDTO() } }
}

extension Dictionary: DTODecodable where Key == String, Value: DTODecodable, Value.DTO.Raw == JSON {
    /// Returns the models of the values; throws the error of an invalid one.
    public static func from(dto: [String: Value.DTO]) throws -> [String: Value] {
        try dto.mapValues { try Value.from(dto: $0) }
    }
}

extension Dictionary: RawEncodable where Key == String, Value: RawEncodable, Value.Raw == JSON {
    /// The raw form, JSON.
    public typealias Raw = JSON
    /// A Boolean value that indicates whether the values are written by their conformance.
    public static var isWrittenAsEncodable: Bool { Value.isWrittenAsEncodable }
    /// Returns the values' raw forms in an object, in the order of their keys.
    public func toRaw() throws -> JSON {
        var object = JSON.Object()
        for (key, value) in sorted(by: { $0.key < $1.key }) { object[key] = try value.toRaw() }
        return .object(object)
    }
}

extension Dictionary: RawDecodable where Key == String, Value: RawDecodable, Value.Raw == JSON {
    /// A Boolean value that indicates whether the values are read by their conformance.
    public static var isReadAsDecodable: Bool { Value.isReadAsDecodable }
    /// Returns the models of the members; throws the error of an invalid one, or ``ModelError/noObject``.
    public static func from(raw: JSON) throws -> [String: Value] {
        guard let object = raw.object else { throw ModelError.noObject }
        var models: [String: Value] = [:]
        for (key, value) in object { models[key] = try Value.from(raw: value) }
        return models
    }
}

// MARK: - Optionals

extension Optional: DTOEncodable where Wrapped: DTOEncodable, Wrapped.DTO.Raw == JSON {
    /// Returns the value as a model of the lower layer, or `nil`.
    public func toDTO() throws -> Wrapped.DTO? { try map { try $0.toDTO() } }
}

extension Optional: DTODecodable where Wrapped: DTODecodable, Wrapped.DTO.Raw == JSON {
    /// Returns the model of the value, or `nil`; throws the error of an invalid value.
    public static func from(dto: Wrapped.DTO?) throws -> Wrapped? { try dto.map { try Wrapped.from(dto: $0) } }
}

extension Optional: RawEncodable where Wrapped: RawEncodable, Wrapped.Raw == JSON {
    /// The raw form, JSON.
    public typealias Raw = JSON
    /// A Boolean value that indicates whether the value is written by its conformance.
    public static var isWrittenAsEncodable: Bool { Wrapped.isWrittenAsEncodable }
    /// Returns the value's raw form, or null.
    public func toRaw() throws -> JSON { try map { try $0.toRaw() } ?? .null }
}

extension Optional: RawDecodable where Wrapped: RawDecodable, Wrapped.Raw == JSON {
    /// A Boolean value that indicates whether the value is read by its conformance.
    public static var isReadAsDecodable: Bool { Wrapped.isReadAsDecodable }
    /// Returns the model, or `nil` for null; throws the error of an invalid value.
    public static func from(raw: JSON) throws -> Wrapped? { raw == .null ? nil : try Wrapped.from(raw: raw) }
}

// MARK: - Scalars and JSON itself

extension Bool: RawEncodable, RawDecodable {}
extension Int: RawEncodable, RawDecodable {}
extension Int64: RawEncodable, RawDecodable {}
extension UInt64: RawEncodable, RawDecodable {}
extension Double: RawEncodable, RawDecodable {}
extension String: RawEncodable, RawDecodable {}
extension Date: RawEncodable, RawDecodable {}
extension UUID: RawEncodable, RawDecodable {}
extension URL: RawEncodable, RawDecodable {}

extension JSON: RawEncodable, RawDecodable {
    /// Returns the value itself, for use without models.
    public func toRaw() -> JSON { self }
    /// Returns the value itself.
    public static func from(raw: JSON) -> JSON { raw }
    /// A Boolean value that is `false`: JSON is written as it is.
    public static var isWrittenAsEncodable: Bool { false }
}

/// The error of a raw form that is not a model.
public enum ModelError: Error, Sendable, Equatable, CustomStringConvertible {
    /// An array was expected.
    case noArray
    /// An object was expected.
    case noObject

    /// A description such as `an array was expected`.
    public var description: String {
        switch self {
        case .noArray: "an array was expected"
        case .noObject: "an object was expected"
        }
    }
}
#endif
