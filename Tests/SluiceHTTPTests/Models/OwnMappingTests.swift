#if HTTP
import Sluice
import SluiceHTTP
import SluiceJSON
import Testing

/// Tests that a model's own `toRaw()` and `from(raw:)` are called for every error type that they declare, including
/// that of the coders.
@Suite struct OwnMappingTests {
    struct Plain: Codable, Sendable, Equatable, RawMappable {
        var text = "a"
        func toRaw() -> JSON { ["own": .string(text)] }
        static func from(raw: JSON) -> Plain { Plain(text: raw["own"]?.string ?? "") }
    }
    struct Untyped: Codable, Sendable, Equatable, RawMappable {
        var text = "a"
        func toRaw() throws -> JSON { ["own": .string(text)] }
        static func from(raw: JSON) throws -> Untyped { Untyped(text: raw["own"]?.string ?? "") }
    }
    struct Special: Codable, Sendable, Equatable, RawMappable {
        var text = "a"
        func toRaw() throws(ModelError) -> JSON { ["own": .string(text)] }
        static func from(raw: JSON) throws(ModelError) -> Special { Special(text: raw["own"]?.string ?? "") }
    }
    /// The model of the issue: it maps with the help of another one.
    struct Typed: Codable, Sendable, Equatable, RawMappable {
        var text = "a"
        func toRaw() throws(RawMappingError) -> JSON { ["own": try text.toRaw()] }
        static func from(raw: JSON) throws(RawMappingError) -> Typed {
            Typed(text: try String.from(raw: raw["own"] ?? .null))
        }
    }
    /// A model that passes on the error of another model's conformance, as a function does whose thrown type is inferred.
    struct Forwarding: Codable, Sendable, Equatable, RawMappable {
        var text = "a"
        func toRaw() throws(RawMappingError.ByConformance<String>) -> JSON { ["own": try Self.raw(of: text)] }
        static func from(raw: JSON) throws(RawMappingError.ByConformance<String>) -> Forwarding {
            Forwarding(text: try model(of: raw["own"] ?? .null))
        }
        private static func raw<Model: RawEncodable>(of model: Model) throws(Model.RawEncodingFailure) -> Model.Raw {
            try model.toRaw()
        }
        private static func model<Model: RawDecodable>(of raw: Model.Raw) throws(Model.RawDecodingFailure) -> Model {
            try Model.from(raw: raw)
        }
    }
    /// A model with its own mapping in one direction only.
    struct Half: Codable, Sendable, Equatable, RawMappable {
        var text = "a"
        func toRaw() throws(RawMappingError) -> JSON { ["text": .string("own")] }
    }
    /// A model of the upper layer over one that maps itself.
    struct Upper: Sendable, Equatable, DTOConvertible {
        var text = "a"
        func toDTO() throws -> Typed { Typed(text: text) }
        static func from(dto: Typed) throws -> Upper { Upper(text: dto.text) }
    }

    /// Returns what a chain sends for a model, and what it reads back from an echo.
    func roundTrip<Model: DTOConvertible & Sendable>(_ model: Model) async throws -> (sent: String, read: Model)
    where Model.DTO: Sendable, Model.DTO.Raw == JSON {
        let server = ChainTests.Server(ChainTests.echo)
        let chain: RequestChain<Model, Model> = DirectModelTests().builder(server).build()
        let read = try await chain.process(model)
        return (DirectModelTests().sent(server), read)
    }

    func expectOwn<Model: RawMappable & Sendable & Equatable>(_ model: Model) async throws where Model.Raw == JSON {
        #expect(!Model.isWrittenAsEncodable && !Model.isReadAsDecodable)
        #expect(![Model].isWrittenAsEncodable && ![String: Model?].isReadAsDecodable)
        let one = try await roundTrip(model)
        #expect(one.sent == #"{"own":"a"}"#)
        #expect(one.read == model)
        let many = try await roundTrip([model, nil])
        #expect(many.sent == #"[{"own":"a"},null]"#)
        #expect(many.read == [model, nil])
    }

    @Test func everyKindOfError() async throws {
        try await expectOwn(Plain())
        try await expectOwn(Untyped())
        try await expectOwn(Special())
        try await expectOwn(Typed())
        try await expectOwn(Forwarding())
    }

    @Test func theUpperLayer() async throws {
        let trip = try await roundTrip(Upper())
        #expect(trip.sent == #"{"own":"a"}"#)
        #expect(trip.read == Upper())
    }

    @Test func oneWay() async throws {
        #expect(!Half.isWrittenAsEncodable && Half.isReadAsDecodable)
        let trip = try await roundTrip(Half())
        #expect(trip.sent == #"{"text":"own"}"#)
        #expect(trip.read == Half(text: "own"))
    }

    /// The errors of the coders are `RawMappingError`s wherever they are thrown.
    @Test func errorsOfTheCoders() {
        func read<Model: RawDecodable>(_: Model.Type, _ raw: JSON) throws -> Model where Model.Raw == JSON {
            try Model.from(raw: raw)
        }
        #expect(throws: RawMappingError.self) { try UserEntry.from(raw: ["name": 1]) }
        #expect(throws: RawMappingError.self) { try read(UserEntry.self, ["name": 1]) }
        #expect(throws: RawMappingError.self) { try read([UserEntry].self, [["name": 1]]) }
        #expect(throws: RawMappingError.self) { try Typed.from(raw: ["own": 1]) }
    }
}
#endif
