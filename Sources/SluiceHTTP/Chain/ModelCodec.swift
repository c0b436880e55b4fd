#if HTTP
import SluiceJSON

// Conversion of models to the contents of requests, and of the contents of answers to models.

extension DTOEncodable where DTO.Raw == JSON {
    /// Returns a closure that prepares models for writing: as text directly if the lower layer is what its conformance
    /// writes.
    ///
    /// Checking whether a type conforms takes as long as writing a small model, so it is done here, once for each
    /// chain.
    static func writer(
        _ coder: any ModelCoder,
        _ form: URLEncodedFormEncoder
    ) -> @Sendable (Self) throws -> ModelContent where Self: Sendable, DTO: Sendable {
        let encodable = DTO.isWrittenAsEncodable ? Conformance(DTO.self as? any Encodable.Type) : nil
        let writable = DTO.isWrittenAsEncodable ? Conformance(DTO.self as? any JSONWritable.Type) : nil
        return { model in
            let dto = try model.toDTO()
            if let encodable {
                return ModelContent(
                    json: { try encodable.type.json(of: dto, coder) ?? [] },
                    form: { try encodable.type.form(of: dto, form) ?? "" }
                )
            }
            let raw = { @Sendable in try ModelCoding.using(coder) { try dto.toRaw() } }
            if let writable {
                return ModelContent(
                    json: { try writable.type.json(of: dto, coder) ?? [] },
                    form: { try form.text(try raw()) }
                )
            }
            let mapped = try raw()
            return ModelContent(json: { Array(mapped.description.utf8) }, form: { try form.text(mapped) })
        }
    }
}

extension DTODecodable where DTO.Raw == JSON {
    /// Returns a closure that reads a model from a text: from the bytes directly if the lower layer is what its
    /// conformance reads.
    ///
    /// Checking whether a type conforms takes as long as reading a small model, so it is done here, once for each
    /// chain.
    static func reader(_ coder: any ModelCoder) -> @Sendable ([UInt8]) throws -> Self {
        let decodable = DTO.isReadAsDecodable ? Conformance(DTO.self as? any Decodable.Type) : nil
        let readable = DTO.isReadAsDecodable ? Conformance(DTO.self as? any JSONReadable.Type) : nil
        return { bytes in
            if let dto = try decodable?.type.read(DTO.self, bytes, coder) ?? readable?.type.read(DTO.self, bytes, coder)
            {
                return try Self.from(dto: dto)
            }
            let raw = try JSON(parsing: bytes)
            return try ModelCoding.using(coder) { try Self.from(dto: try DTO.from(raw: raw)) }
        }
    }
}

extension Encodable where Self: Sendable {
    /// Returns a closure that prepares plain models for writing.
    ///
    /// A model with a mapping of its own is asked for it, also where the compiler knows only that the type is Codable.
    static func plainWriter(
        _ coder: any ModelCoder,
        _ form: URLEncodedFormEncoder
    ) -> @Sendable (Self) throws -> ModelContent {
        if let own = Conformance(Self.self as? any DTOEncodable.Type), own.type.mapsItself {
            return { model in
                let raw = try ModelCoding.using(coder) { try own.type.raw(of: model) }
                return ModelContent(
                    json: { try raw.map { Array($0.description.utf8) } ?? coder.encode(model) },
                    form: { try raw.map { try form.text($0) } ?? form.text(model) }
                )
            }
        }
        return { model in
            ModelContent(json: { try coder.encode(model) }, form: { try form.text(model) })
        }
    }
}

extension Decodable where Self: Sendable {
    /// Returns a closure that reads plain models from a text; a type with a mapping of its own is asked for it.
    static func plainReader(_ coder: any ModelCoder) -> @Sendable ([UInt8]) throws -> Self {
        if let own = Conformance(Self.self as? any DTODecodable.Type), own.type.mapsItself {
            return { bytes in
                let raw = try JSON(parsing: bytes)
                let model = try ModelCoding.using(coder) { try own.type.model(of: raw) as? Self }
                return try model ?? coder.decode(Self.self, from: bytes)
            }
        }
        return { try coder.decode(Self.self, from: $0) }
    }
}

extension DTOEncodable {
    /// A Boolean value that indicates whether the model's JSON is not simply what its conformance writes.
    fileprivate static var mapsItself: Bool {
        ObjectIdentifier(DTO.self) != ObjectIdentifier(Self.self) || !DTO.isWrittenAsEncodable
    }

    /// Returns the raw form of a model of this type; `nil` if it is not JSON.
    fileprivate static func raw(of model: some Any) throws -> JSON? {
        try (model as? Self)?.toDTO().toRaw() as? JSON
    }
}

extension DTODecodable {
    /// A Boolean value that indicates whether the model is not simply what its conformance reads.
    fileprivate static var mapsItself: Bool {
        ObjectIdentifier(DTO.self) != ObjectIdentifier(Self.self) || !DTO.isReadAsDecodable
    }

    /// Returns the model of a raw form; `nil` if the type's raw form is not JSON.
    fileprivate static func model(of raw: JSON) throws -> Any? {
        guard let raw = raw as? DTO.Raw else { return nil }
        return try Self.from(dto: try DTO.from(raw: raw))
    }
}

/// A type that conforms to a protocol, where the conformance is known only at run time.
///
/// `@unchecked Sendable`: a type has no state, and the conformance was found outside of any actor, so it is not
/// isolated.
private struct Conformance<Existential>: @unchecked Sendable {
    let type: Existential

    /// Creates the conformance; returns `nil` if the type does not conform.
    init?(_ type: Existential?) {
        guard let type else { return nil }
        self.type = type
    }
}

// Each takes or returns a value of exactly the type on which it is called; `nil` for any other.

extension Encodable {
    fileprivate static func json(of value: some Any, _ coder: any ModelCoder) throws -> [UInt8]? {
        try (value as? Self).map { try coder.encode($0) }
    }

    fileprivate static func form(of value: some Any, _ encoder: URLEncodedFormEncoder) throws -> String? {
        try (value as? Self).map { try encoder.text($0) }
    }
}

extension JSONWritable {
    fileprivate static func json(of value: some Any, _ coder: any ModelCoder) throws -> [UInt8]? {
        try (value as? Self).map { try coder.bytes(direct: $0) }
    }
}

extension Decodable {
    fileprivate static func read<DTO>(_ type: DTO.Type, _ bytes: [UInt8], _ coder: any ModelCoder) throws -> DTO? {
        try coder.decode(Self.self, from: bytes) as? DTO
    }
}

extension JSONReadable {
    fileprivate static func read<DTO>(_ type: DTO.Type, _ bytes: [UInt8], _ coder: any ModelCoder) throws -> DTO? {
        try coder.read(direct: Self.self, from: bytes) as? DTO
    }
}

extension ModelCoding {
    /// Runs `body` with a coder for models that map themselves.
    static func using<Result>(_ coder: any ModelCoder, _ body: () throws -> Result) rethrows -> Result {
        try $current.withValue(coder, operation: body)
    }
}

extension TransportResponse {
    /// Reads the model of an answer; an empty body counts as an empty array if the model is an array, and as null
    /// otherwise.
    func model<Model>(
        _ type: Model.Type,
        _ request: TransportRequest,
        _ read: ([UInt8]) throws -> Model
    ) throws -> Model {
        let bytes = body.bytes ?? []
        let isArray = Model.self is any ArrayModel.Type
        do { return try read(bytes.isEmpty ? (isArray ? Self.none : Self.null) : bytes) } catch {
            let place =
                error as? JSONError ?? (error as? DecodingError)?.jsonError ?? (error as? RawMappingError)?.place
            var message: String
            if bytes.isEmpty {
                message = "the body is empty where \(type) was expected"
            } else if let place, place.isSyntax {
                message = "the body is not JSON: \(place)"
            } else {
                message = "the body is no \(type): \(place.map { "\($0)" } ?? RawMappingError(error).description)"
            }
            if let hint = bodyHint { message += "; \(hint)" }
            throw HTTPError(.badBody, message, request: request, response: self, place: place, cause: error)
        }
    }

    private static let null = Array("null".utf8)
    private static let none = Array("[]".utf8)
}

/// A model that is an array of other models.
private protocol ArrayModel {}
extension Array: ArrayModel {}

extension JSONError {
    /// A Boolean value that indicates whether the text is not JSON, as opposed to JSON of another shape.
    fileprivate var isSyntax: Bool {
        ![.wrongType, .numberOutOfRange, .missingKey, .unknownKey, .invalidValue].contains(code)
    }
}
#endif
