#if HTTP
/// A model of the upper layer, as the application uses it, that can be converted to one of the lower layer.
///
/// ```swift
/// struct Photo: DTOConvertible {
///     var image: String
///     func toDTO() throws -> PhotoEntry { PhotoEntry(ref: image) }
///     static func from(dto: PhotoEntry) throws -> Photo { Photo(image: dto.ref) }
/// }
/// ```
///
/// A model of the lower layer is also a model of the upper layer, which converts to itself: see ``RawEncodable``.
public protocol DTOEncodable: SendableMetatype {
    /// The model of the lower layer.
    associatedtype DTO: RawEncodable
    /// Returns this model as one of the lower layer; throws an error if it can't be converted.
    func toDTO() throws -> DTO
}

/// A model of the upper layer that can be made from one of the lower layer; see ``DTOEncodable``.
public protocol DTODecodable: SendableMetatype {
    /// The model of the lower layer.
    associatedtype DTO: RawDecodable
    /// Returns the model for `dto`; throws an error if it is invalid.
    static func from(dto: DTO) throws -> Self
}

/// A model of the upper layer that can be converted in both directions.
public typealias DTOConvertible = DTOEncodable & DTODecodable
#endif
