/// A model of the upper layer, as the application uses it, that can be turned into one of the lower layer.
///
/// ```swift
/// struct Photo: DTOConvertible {
///     var image: String
///     func toDTO() throws -> PhotoEntry { PhotoEntry(ref: image) }
///     static func from(dto: PhotoEntry) throws -> Photo { Photo(image: dto.ref) }
/// }
/// ```
///
/// A model of the lower layer is one of the upper layer too, which stands for itself: see ``RawEncodable``.
public protocol DTOEncodable: SendableMetatype {
    /// The model of the lower layer.
    associatedtype DTO: RawEncodable
    /// This model on the lower layer; throws what stands in its way.
    func toDTO() throws -> DTO
}

/// A model of the upper layer that can be made from one of the lower layer; see ``DTOEncodable``.
public protocol DTODecodable: SendableMetatype {
    /// The model of the lower layer.
    associatedtype DTO: RawDecodable
    /// The model that `dto` means; throws what is wrong with it.
    static func from(dto: DTO) throws -> Self
}

/// A model of the upper layer that goes both ways.
public typealias DTOConvertible = DTOEncodable & DTODecodable
