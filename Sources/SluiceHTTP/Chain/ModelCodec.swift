import SluiceJSON

// How models become what a request carries, and what an answer carries a model.

extension DTOEncodable where DTO.Raw == JSON {
    /// The model, ready to be written.
    static func content(
        of model: Self,
        _ coder: any ModelCoder,
        _ form: URLEncodedFormEncoder
    ) throws -> ModelContent where Self: Sendable, DTO: Sendable {
        let dto = try model.toDTO()
        if DTO.isWrittenAsEncodable, dto is any Encodable {
            return ModelContent(
                json: { try (dto as? any Encodable).map { try coder.encode($0) } ?? [] },
                form: { try (dto as? any Encodable).map { try form.text($0) } ?? "" }
            )
        }
        let raw = try ModelCoding.using(coder) { try dto.toRaw() }
        return ModelContent(json: { Array(raw.description.utf8) }, form: { try form.text(raw) })
    }
}

extension DTODecodable where DTO.Raw == JSON {
    /// What reads the model of a text: from the bytes at once where the lower layer is what `Decodable` reads.
    ///
    /// To ask whether a type conforms takes as long as reading a small model: it is asked here, once for a chain.
    static func reader(_ coder: any ModelCoder) -> @Sendable ([UInt8]) throws -> Self {
        let type = DTO.isReadAsDecodable ? DecodableType(DTO.self) : nil
        return { bytes in
            func open<Value: Decodable>(_ type: Value.Type) throws -> DTO? {
                try coder.decode(type, from: bytes) as? DTO
            }
            if let type, let dto = try open(type.type) { return try Self.from(dto: dto) }
            let raw = try JSON(parsing: bytes)
            return try ModelCoding.using(coder) { try Self.from(dto: try DTO.from(raw: raw)) }
        }
    }
}

/// A type that `Decodable` reads, where that is not known before the program runs.
///
/// `@unchecked Sendable`: a type is no state, and the conformance was found on no actor, and so belongs to none.
private struct DecodableType: @unchecked Sendable {
    let type: any Decodable.Type

    /// The type, if it is one that `Decodable` reads.
    init?(_ type: Any.Type) {
        guard let type = type as? any Decodable.Type else { return nil }
        self.type = type
    }
}

extension ModelCoding {
    /// Runs `body` with a coder for models that map themselves.
    static func using<Result>(_ coder: any ModelCoder, _ body: () throws -> Result) rethrows -> Result {
        try $current.withValue(coder, operation: body)
    }
}

extension TransportResponse {
    /// Reads the model of an answer; an empty body is null.
    func model<Model>(
        _ type: Model.Type,
        _ request: TransportRequest,
        _ read: ([UInt8]) throws -> Model
    ) throws -> Model {
        let bytes = body.bytes ?? []
        do { return try read(bytes.isEmpty ? Self.null : bytes) } catch {
            let place =
                error as? JSONError ?? (error as? DecodingError)?.jsonError ?? (error as? RawMappingError)?.place
            let message: String
            if bytes.isEmpty {
                message = "the body is empty where \(type) was expected"
            } else if let place, place.isSyntax {
                message = "the body is not JSON: \(place)"
            } else {
                message = "the body is no \(type): \(place.map { "\($0)" } ?? RawMappingError(error).description)"
            }
            throw HTTPError(.badBody, message, request: request, response: self, place: place, cause: error)
        }
    }

    private static let null = Array("null".utf8)
}

extension JSONError {
    /// Whether the text is no JSON, rather than JSON of another shape.
    fileprivate var isSyntax: Bool {
        ![.wrongType, .numberOutOfRange, .missingKey, .unknownKey, .invalidValue].contains(code)
    }
}
