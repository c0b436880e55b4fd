#if HTTP
public import Foundation
public import SluiceJSON

/// A coder that writes and reads the models of a chain.
///
/// ```swift
/// var coder = SluiceJSONCoder()
/// coder.decoder.keyDecodingStrategy = .convertFromSnakeCase
/// coder.decoder.dateDecodingStrategy = .iso8601
/// let builder = URLChainBuilder<UserRoute>().set(coder: coder)
/// ```
public protocol ModelCoder: Sendable {
    /// Returns the text of a value; throws an error if it can't be written.
    func encode<Value: Encodable>(_ value: Value) throws -> [UInt8]
    /// Returns the value of a text; throws an error if it is invalid.
    func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value
}

/// The coder for Sluice's own JSON, with its strategies; the default of chains.
public struct SluiceJSONCoder: ModelCoder {
    /// The encoder that writes models.
    public var encoder: SluiceJSONEncoder
    /// The decoder that reads models.
    public var decoder: SluiceJSONDecoder

    /// Makes a coder.
    public init(encoder: SluiceJSONEncoder = SluiceJSONEncoder(), decoder: SluiceJSONDecoder = SluiceJSONDecoder()) {
        self.encoder = encoder
        self.decoder = decoder
    }

    /// Returns the text of a value; throws `EncodingError`.
    public func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] { try encoder.bytes(value) }

    /// Returns the value of a text; throws `DecodingError` with line and column.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try decoder.decode(type, from: bytes)
    }
}

/// The coder for Foundation's JSON, for programs that have configured its coders.
public struct FoundationJSONCoder: ModelCoder {
    private let encoder: JSONEncoder
    private let decoder: JSONDecoder

    /// Makes a coder; the encoder and the decoder must not be changed after that.
    public init(encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()) {
        self.encoder = encoder
        self.decoder = decoder
    }

    /// Returns the text of a value; throws `EncodingError`.
    public func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] { Array(try encoder.encode(value)) }

    /// Returns the value of a text; throws `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try decoder.decode(type, from: Data(bytes))
    }
}

extension ModelCoder {
    /// Encodes a value that writes itself and isn't `Encodable`: in the format of a ``SluiceJSONCoder``, or in compact
    /// form with any other coder. Throws `EncodingError` for NaN and infinities.
    func bytes(direct value: some JSONWritable) throws -> [UInt8] {
        try ((self as? SluiceJSONCoder)?.encoder ?? SluiceJSONEncoder()).bytes(direct: value)
    }

    /// Returns the value of a type that reads itself and isn't `Decodable`: within the limits of a ``SluiceJSONCoder``,
    /// or within the default limits with any other coder.
    func read<Value: JSONReadable>(direct type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try ((self as? SluiceJSONCoder)?.decoder ?? SluiceJSONDecoder()).decode(direct: type, from: bytes)
    }
}

/// The coder of the running chain, for models that map themselves and call others.
enum ModelCoding {
    @TaskLocal static var current: any ModelCoder = SluiceJSONCoder()
}
#endif
