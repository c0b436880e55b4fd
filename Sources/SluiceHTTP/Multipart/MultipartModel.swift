#if HTTP
public import Foundation

/// A model with files, whose fields and files are the parts of one form.
///
/// ```swift
/// let model = MultipartModel(["title": "Summer"], files: ["photo": .file("/photos/ada.jpg")])
/// var form = MultipartForm()
/// try form.append(model)
/// ```
///
/// It is converted between the layers as its payload is; the files stay unchanged.
public struct MultipartModel<Payload> {
    /// The model.
    public var payload: Payload
    /// The files by the names of their parts; they are sent after the fields, sorted by name.
    public var files: [String: MultipartFile]

    /// Makes a model with files.
    public init(_ payload: Payload, files: [String: MultipartFile]) {
        self.payload = payload
        self.files = files
    }
}

extension MultipartModel: Sendable where Payload: Sendable {}

extension MultipartModel: DTOEncodable where Payload: DTOEncodable {
    /// Returns the payload as a model of the lower layer, with the files.
    public func toDTO() throws -> MultipartModel<Payload.DTO> {
        MultipartModel<Payload.DTO>(try payload.toDTO(), files: files)
    }
}

extension MultipartModel: DTODecodable where Payload: DTODecodable {
    /// Returns the model of the payload, with the files.
    public static func from(dto: MultipartModel<Payload.DTO>) throws -> MultipartModel {
        MultipartModel(try Payload.from(dto: dto.payload), files: dto.files)
    }
}

extension MultipartModel: RawEncodable where Payload: RawEncodable {
    /// Returns the payload in its raw form, with the files.
    public func toRaw() throws -> MultipartModel<Payload.Raw> {
        MultipartModel<Payload.Raw>(try payload.toRaw(), files: files)
    }
}

extension MultipartModel: RawDecodable where Payload: RawDecodable {
    /// Returns the model of the payload, with the files.
    public static func from(raw: MultipartModel<Payload.Raw>) throws -> MultipartModel {
        MultipartModel(try Payload.from(raw: raw.payload), files: raw.files)
    }
}

extension MultipartForm {
    /// Adds the fields of a model and its files.
    ///
    /// - Throws: as `URLEncodedFormEncoder.fields(_:)`.
    public mutating func append(
        _ model: MultipartModel<some Encodable>,
        encoder: URLEncodedFormEncoder = .init()
    ) throws {
        try append(model: model.payload, encoder: encoder)
        append(files: model.files)
    }

    /// Adds fields of bytes, sorted by name, and files.
    public mutating func append(_ model: MultipartModel<[String: Data]>) {
        for (name, bytes) in sorted(model.payload) { append(name, bytes: Array(bytes)) }
        append(files: model.files)
    }

    private mutating func append(files: [String: MultipartFile]) {
        for (name, file) in sorted(files) { append(name, file) }
    }

    private func sorted<Value>(_ members: [String: Value]) -> [(key: String, value: Value)] {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
#endif
