#if HTTP
import HTTPTypes
import Sluice
import SluiceHTTP
import SluiceJSON
import Testing

/// Tests of models that read and write themselves, with and without Codable.
@Suite struct DirectModelTests {
    /// An entry that Codable reads.
    struct Plain: Codable, Sendable, Equatable, RawMappable {
        var id: Int
        var name: String
    }

    /// The same entry without Codable, which reads and writes itself.
    struct Direct: JSONConvertible, Sendable, Equatable, RawMappable {
        var id: Int
        var name: String

        init(id: Int, name: String) { (self.id, self.name) = (id, name) }
        init(json: JSONNode) throws {
            var object = try json.object()
            (id, name) = (try object["id"], try object["name"])
        }
        func write(to json: inout JSONWriter) {
            json.object {
                $0.member("id", id)
                $0.member("name", name)
            }
        }
    }

    /// An entry with both; its Codable form names the key `name`, and its direct form names it `n`.
    struct Both: Codable, JSONConvertible, Sendable, Equatable, RawMappable {
        var name: String

        init(name: String) { self.name = name }
        init(json: JSONNode) throws {
            var object = try json.object()
            name = try object["n"]
        }
        func write(to json: inout JSONWriter) { json.object { $0.member("n", name) } }
    }

    /// A model of the application over an entry that is not Codable.
    struct Person: DTOConvertible, Sendable, Equatable {
        var name: String
        func toDTO() -> Direct { Direct(id: 1, name: name) }
        static func from(dto: Direct) -> Person { Person(name: dto.name) }
    }

    func builder(_ server: ChainTests.Server) -> URLChainBuilder<ChainTests.Route> {
        URLChainBuilder(transport: server).route(.post, .users)
    }

    func sent(_ server: ChainTests.Server) -> String {
        String(decoding: server.last?.body?.bytes ?? [], as: UTF8.self)
    }

    @Test func typesThatAreNotCodable() async throws {
        let server = ChainTests.Server(ChainTests.echo)
        let ada = Direct(id: 1, name: "Ada/\u{e9}")
        let one: RequestChain<Direct, Direct> = builder(server).build()
        #expect(try await one.process(ada) == ada)
        #expect(sent(server) == #"{"id":1,"name":"Ada\/\#u{e9}"}"#)
        let nested: RequestChain<[String: [Direct?]], [String: [Direct?]]> = builder(server).build()
        #expect(try await nested.process(["a": [ada, nil]]) == ["a": [ada, nil]])
        #expect(sent(server) == #"{"a":[{"id":1,"name":"Ada\/\#u{e9}"},null]}"#)
        let models: RequestChain<[Person], [Person]> = builder(server).build()
        #expect(try await models.process([Person(name: "Ada")]) == [Person(name: "Ada")])
        let form: RequestChain<Direct, Void> = builder(server).encode(as: .formURL).build()
        try await form.process(ada)
        #expect(sent(server) == "id=1&name=Ada%2F%C3%A9")
    }

    @Test func rawForm() throws {
        let ada = Direct(id: 1, name: "Ada")
        #expect(try ada.toRaw() == ["id": 1, "name": "Ada"])
        #expect(try Direct.from(raw: ["id": 1, "name": "Ada"]) == ada)
        let error = #expect(throws: RawMappingError.self) { try Direct.from(raw: ["id": 1]) }
        #expect(error?.description == #"1:1: the key "name" is missing"#)
        #expect(Direct.isReadAsDecodable && [Direct?].isWrittenAsEncodable)
    }

    @Test func theDirectFormGoesBeforeCodable() async throws {
        let server = ChainTests.Server(ChainTests.echo)
        let ours: RequestChain<[Both], [Both]> = builder(server).build()
        #expect(try await ours.process([Both(name: "Ada")]) == [Both(name: "Ada")])
        #expect(sent(server) == #"[{"n":"Ada"}]"#)
        // Foundation's coder uses only Codable.
        let foundation: RequestChain<[Both], [Both]> = builder(server).set(coder: FoundationJSONCoder()).build()
        #expect(try await foundation.process([Both(name: "Ada")]) == [Both(name: "Ada")])
        #expect(sent(server) == #"[{"name":"Ada"}]"#)
        // A type that is not Codable reads and writes itself with every coder.
        let direct: RequestChain<Direct, Direct> = builder(server).set(coder: FoundationJSONCoder()).build()
        #expect(try await direct.process(Direct(id: 1, name: "A")) == Direct(id: 1, name: "A"))
    }

    /// Returns the error that a chain throws for an answer.
    func error<Model: RawDecodable & Sendable>(
        _ type: Model.Type,
        _ text: String,
        _ coder: SluiceJSONCoder = SluiceJSONCoder()
    ) async throws -> HTTPError? where Model.Raw == JSON {
        let server = ChainTests.Server(ChainTests.answer(200, text))
        let chain: RequestChain<Void, Model> = builder(server).set(coder: coder).build()
        return await #expect(throws: HTTPError.self) { try await chain.process() }
    }

    @Test(arguments: [
        #"[{"id":1,"name":"a"},{"id":2}]"#, #"[{"id":1,"name":7}]"#, "[\n  {\"name\": \"a\", \"id\": 1.5}]",
        #"[{"id":99999999999999999999,"name":"a"}]"#, "{}", "[1]", "[", "[{}", #"[{"id":1,"name":"a"}] x"#, " ", "null",
        String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
    ])
    func errorsAsOfCodable(_ text: String) async throws {
        let codable = try #require(try await error([Plain].self, text))
        let direct = try #require(try await error([Direct].self, text))
        #expect(direct.code == codable.code)
        // Codable's errors are less specific for numbers that do not fit.
        let code = direct.place?.code == .numberOutOfRange ? .invalidValue : direct.place?.code
        #expect(code == codable.place?.code)
        #expect(direct.place?.position == codable.place?.position)
        #expect(direct.place?.path == codable.place?.path)
        #expect(direct.place?.snippet == codable.place?.snippet)
        #expect(direct.cause is DecodingError)
    }

    @Test func theCodersLimitsHold() async throws {
        var coder = SluiceJSONCoder()
        coder.decoder.limits.maximumByteCount = 20
        let text = #"[{"id":1,"name":"Ada"}]"#
        let codable = try await error([Plain].self, text, coder)
        let direct = try await error([Direct].self, text, coder)
        #expect(direct?.place?.code == .limitExceeded)
        #expect(direct?.message.replacing("Direct", with: "Plain") == codable?.message)
        coder = SluiceJSONCoder()
        coder.decoder.duplicateKeys = .lastWins
        let server = ChainTests.Server(ChainTests.answer(200, #"{"id":1,"name":"a","id":2}"#))
        let chain: RequestChain<Void, Direct> = builder(server).set(coder: coder).build()
        #expect(try await chain.process() == Direct(id: 2, name: "a"))
    }

    @Test func theCodersFormatHolds() async throws {
        var coder = SluiceJSONCoder()
        coder.encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let server = ChainTests.Server(ChainTests.echo)
        let chain: RequestChain<[String: Direct], Void> = builder(server).set(coder: coder).build()
        try await chain.process(["b": Direct(id: 1, name: "/"), "a": Direct(id: 2, name: "x")])
        #expect(sent(server) == #"{"a":{"id":2,"name":"x"},"b":{"id":1,"name":"/"}}"#)
    }
}
#endif
