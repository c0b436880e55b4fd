#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import SluiceJSON
import Testing

/// Tests of chains whose models are plain `Codable` types, alone and together with models of two layers.
@Suite struct CodableChainTests {
    struct Ship: Codable, Sendable, Equatable {
        var name: String
        var launched: Date?
    }
    /// A model that is only read, and one that is only written.
    struct Read: Decodable, Sendable, Equatable { var name: String }
    struct Written: Encodable, Sendable { var name: String }

    typealias Server = ChainTests.Server

    func builder(_ server: Server, _ method: HTTPRequest.Method = .post) throws -> URLChainBuilder<URL> {
        URLChainBuilder<URL>(transport: server).route(method, try .of("http://example.com/ships"))
    }

    func sent(_ server: Server) -> String { String(decoding: server.last?.body?.bytes ?? [], as: UTF8.self) }

    @Test func bothSides() async throws {
        let server = Server(ChainTests.echo)
        let chain: RequestChain<Ship, Ship> = try builder(server).build()
        #expect(try await chain.process(Ship(name: "Ada")) == Ship(name: "Ada"))
        #expect(sent(server) == #"{"name":"Ada"}"#)
        #expect(server.last?.headers[.accept] == "application/json")
        #expect(chain.description == "json → status → redirects → body → transport")
        let arrays: RequestChain<[Written], [Read?]> = try builder(server).build()
        #expect(
            try await arrays.process([Written(name: "a"), Written(name: "b")]) == [Read(name: "a"), Read(name: "b")]
        )
        let names: RequestChain<[String: Ship], [String: Read]> = try builder(server).build()
        #expect(try await names.process(["x": Ship(name: "a")]) == ["x": Read(name: "a")])
    }

    @Test func oneSide() async throws {
        let server = Server(ChainTests.answer(200, #"[{"name":"Ada"}]"#))
        let get: RequestChain<Void, [Read]> = try builder(server, .get).build()
        #expect(try await get.process() == [Read(name: "Ada")])
        let put: RequestChain<Written, Void> = try builder(server, .put).build()
        try await put.process(Written(name: "Bob"))
        #expect(sent(server) == #"{"name":"Bob"}"#)
        let data: RequestChain<Written, Data> = try builder(server).loadData()
        #expect(try await data.process(Written(name: "a")).count == 16)
        let stream: RequestChain<Written, TransportResponse> = try builder(server).loadStream()
        #expect(try await stream.process(Written(name: "a")).status == .ok)
    }

    /// An empty answer, as of a 204, is an empty array, and an error for a model.
    @Test func emptyAnswers() async throws {
        let server = Server(ChainTests.answer(204))
        let ships: RequestChain<Void, [Read]> = try builder(server, .get).build()
        #expect(try await ships.process() == [])
        let ship: RequestChain<Void, Read> = try builder(server, .get).build()
        let error = await #expect(throws: HTTPError.self) { try await ship.process() }
        #expect(error?.message.hasPrefix("the body is empty where Read was expected") == true)
    }

    /// A model of two layers, and one with a mapping, on either side of a plain one.
    @Test func mixed() async throws {
        let server = Server(ChainTests.echo)
        let fromUpper: RequestChain<User, Read> = try builder(server).build()
        #expect(try await fromUpper.process(User(fullName: "Ada")) == Read(name: "Ada"))
        let toUpper: RequestChain<UserEntry, User> = try builder(server).build()
        #expect(try await toUpper.process(UserEntry(name: "Ada", age: 1)) == User(fullName: "Ada"))
        let fromEntry: RequestChain<UserEntry, Read> = try builder(server).build()
        #expect(try await fromEntry.process(UserEntry(name: "Ada", age: 1)) == Read(name: "Ada"))
        let plainToEntry: RequestChain<Ship, OwnMappingTests.Plain> = try builder(server).build()
        #expect(try await plainToEntry.process(Ship(name: "Ada")) == OwnMappingTests.Plain(text: ""))
        let own: RequestChain<OwnMappingTests.Plain, JSON> = try builder(server).build()
        #expect(try await own.process(OwnMappingTests.Plain()) == ["own": "a"])
    }

    /// A generic function knows only that a model is Codable; a mapping of its own is asked nevertheless.
    @Test func throughAGenericFunction() async throws {
        let server = Server(ChainTests.echo)
        func roundTrip<Model: Codable & Sendable>(_ model: Model) async throws -> Model {
            let chain: RequestChain<Model, Model> = try builder(server).build()
            return try await chain.process(model)
        }
        #expect(try await roundTrip(OwnMappingTests.Plain()) == OwnMappingTests.Plain())
        #expect(sent(server) == #"{"own":"a"}"#)
        #expect(try await roundTrip([OwnMappingTests.Plain()]) == [OwnMappingTests.Plain()])
        #expect(sent(server) == #"[{"own":"a"}]"#)
        #expect(try await roundTrip(Ship(name: "Ada")) == Ship(name: "Ada"))
        #expect(sent(server) == #"{"name":"Ada"}"#)
    }

    @Test func codersAndEncodings() async throws {
        var coder = SluiceJSONCoder()
        coder.encoder.dateEncodingStrategy = .iso8601
        coder.decoder.dateDecodingStrategy = .iso8601
        let server = Server(ChainTests.echo)
        let ship = Ship(name: "Ada", launched: Date(timeIntervalSince1970: 0))
        let dated: RequestChain<Ship, Ship> = try builder(server).set(coder: coder).build()
        #expect(try await dated.process(ship) == ship)
        #expect(sent(server) == #"{"name":"Ada","launched":"1970-01-01T00:00:00Z"}"#)
        let form: RequestChain<Written, Void> = try builder(server).encode(as: .formURL).build()
        try await form.process(Written(name: "A b"))
        #expect(sent(server) == "name=A%20b")
        let query: RequestChain<Written, Void> = try builder(server, .get).build()
        try await query.process(Written(name: "A b"))
        #expect(server.last?.url.query == "name=A%20b")
        let parts: RequestChain<MultipartModel<Written>, Void> = try builder(server).build()
        try await parts.process(MultipartModel(Written(name: "Ada"), files: [:]))
        #expect(sent(server).contains("name=\"name\"\r\n\r\nAda"))
        let both: RequestChain<MultipartModel<Written>, JSON?> = try builder(Server(ChainTests.answer())).build()
        #expect(try await both.process(MultipartModel(Written(name: "Ada"), files: [:])) == nil)
    }

    @Test func badBodies() async throws {
        let chain: RequestChain<Void, Read> = try builder(Server(ChainTests.answer(200, #"{"name": 1}"#)), .get).build()
        let error = await #expect(throws: HTTPError.self) { try await chain.process() }
        #expect(error?.code == .badBody)
        #expect(error?.place?.line == 1)
    }
}
#endif
