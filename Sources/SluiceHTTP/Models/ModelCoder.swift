public import Foundation
public import SluiceJSON

/// What writes and reads the models of a chain.
///
/// ```swift
/// var coder = SluiceJSONCoder()
/// coder.decoder.keyDecodingStrategy = .convertFromSnakeCase
/// coder.decoder.dateDecodingStrategy = .iso8601
/// let builder = URLChainBuilder<UserRoute>().set(coder: coder)
/// ```
public protocol ModelCoder: Sendable {
    /// The text of a value; throws what keeps it from being written.
    func encode<Value: Encodable>(_ value: Value) throws -> [UInt8]
    /// The value of a text; throws what is wrong with it.
    func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value
}

/// Sluice's own JSON, with its strategies: what chains use unless told otherwise.
public struct SluiceJSONCoder: ModelCoder {
    /// Writes models.
    public var encoder: SluiceJSONEncoder
    /// Reads models.
    public var decoder: SluiceJSONDecoder

    /// Makes a coder.
    public init(encoder: SluiceJSONEncoder = SluiceJSONEncoder(), decoder: SluiceJSONDecoder = SluiceJSONDecoder()) {
        self.encoder = encoder
        self.decoder = decoder
    }

    /// The text of a value; throws `EncodingError`.
    public func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] { try encoder.bytes(value) }

    /// The value of a text; throws `DecodingError` with line and column.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try decoder.decode(type, from: bytes)
    }
}

/// Foundation's JSON, for those who have its coders set up already.
public struct FoundationJSONCoder: ModelCoder {
    private let encoder: JSONEncoder
    private let decoder: JSONDecoder

    /// Makes a coder; the two are not to be changed after that.
    public init(encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()) {
        self.encoder = encoder
        self.decoder = decoder
    }

    /// The text of a value; throws `EncodingError`.
    public func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] { Array(try encoder.encode(value)) }

    /// The value of a text; throws `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try decoder.decode(type, from: Data(bytes))
    }
}

extension ModelCoder {
    /// Encodes a value that writes itself and isn't `Encodable`: in the format of a ``SluiceJSONCoder``, compact beside any
    /// other coder. Throws `EncodingError` for NaN and infinities.
    func bytes(direct value: some JSONWritable) throws -> [UInt8] {
        try ((self as? SluiceJSONCoder)?.encoder ?? SluiceJSONEncoder()).bytes(direct: value)
    }

    /// The value of a type that reads itself and is not `Decodable`: within the limits of a ``SluiceJSONCoder``, within
    /// those of every text beside any other coder.
    func read<Value: JSONReadable>(direct type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try ((self as? SluiceJSONCoder)?.decoder ?? SluiceJSONDecoder()).decode(direct: type, from: bytes)
    }
}

/// The coder of the chain that runs, for models that map themselves and call others.
enum ModelCoding {
    @TaskLocal static var current: any ModelCoder = SluiceJSONCoder()
}
