#if HTTP
import Dispatch
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import Testing

private let way = HTTPField.Name("X-Way") ?? .via

/// Tests of chains from the builder over a transport in this process.
@Suite struct ChainTests {
    enum Route: URLRouteProvider {
        case users
        case nowhere

        func url() throws -> URL {
            switch self {
            case .users: try URL(string: "http://example.com") + "/users"
            case .nowhere: try URL?.none + "/"
            }
        }
    }

    /// A transport that keeps the requests and returns the given answers; it repeats the last one.
    final class Server: Transport {
        let requests = Locked<[TransportRequest]>([])
        private let answers: [@Sendable (TransportRequest) throws -> TransportResponse]

        init(_ answers: (@Sendable (TransportRequest) throws -> TransportResponse)...) { self.answers = answers }

        func process(_ request: TransportRequest) async throws -> TransportResponse {
            let count = requests.withLock { requests in
                requests.append(request)
                return requests.count
            }
            return try answers[min(count, answers.count) - 1](request)
        }

        var last: TransportRequest? { requests.withLock { $0.last } }
    }

    static func answer(_ status: Int = 200, _ body: String = "") -> @Sendable (TransportRequest) -> TransportResponse {
        { _ in TransportResponse(status: .init(code: status), body: Array(body.utf8)) }
    }

    static let echo: @Sendable (TransportRequest) -> TransportResponse = {
        TransportResponse(body: $0.body?.bytes ?? [])
    }

    func builder(_ server: Server) -> URLChainBuilder<Route> { URLChainBuilder(transport: server) }

    // MARK: - Routes

    private enum Procedure: String, Sendable { case greet, unknown }

    /// A route that is not an address: a closure returns it, with the query and the fields of the builder.
    @Test func aRouteOfAnyType() async throws {
        let server = Server(Self.echo)
        let calls = Locked(0)
        let builder = URLChainBuilder<Procedure>(transport: server) {
            calls.withLock { $0 += 1 }
            guard $0 == .greet else { throw URLError(.badURL) }
            return try URL(string: "http://example.com") + "/rpc/" + $0.rawValue
        }
        let greet: RequestChain<User, User> = builder.route(.post, .greet).set(query: ["page": 2]).build()
        let reply = try await greet.process(User(fullName: "Ada"))
        #expect(reply.fullName == "Ada")
        #expect(server.last?.url.absoluteString == "http://example.com/rpc/greet?page=2")
        _ = try await greet.process(User(fullName: "Bob"))
        #expect(calls.withLock { $0 } == 2)
        let unknown: RequestChain<Void, JSON> = builder.route(.get, .unknown).build()
        let error = await #expect(throws: HTTPError.self) { try await unknown.process() }
        #expect(error?.cause is URLError)
        #expect(server.requests.withLock { $0.count } == 2)
    }

    // MARK: - Models

    @Test func modelToBytesAndBack() async throws {
        let server = Server(Self.echo)
        let chain: RequestChain<User, User> = builder(server).route(.post, .users)
            .set(headers: [.authorization: "Bearer x"]).build()
        #expect(try await chain.process(User(fullName: "Ada")) == User(fullName: "Ada"))
        let request = try #require(server.last)
        #expect(request.method == .post)
        #expect(request.url.absoluteString == "http://example.com/users")
        #expect(
            request.headers == [
                .authorization: "Bearer x", .accept: "application/json", .contentType: "application/json",
            ]
        )
        #expect(String(decoding: request.body?.bytes ?? [], as: UTF8.self) == #"{"name":"Ada","age":36}"#)
    }

    @Test func oneLayerAndNone() async throws {
        let server = Server(Self.echo)
        let entries: RequestChain<[UserEntry], [UserEntry]> = builder(server).route(.put, .users).build()
        #expect(try await entries.process([UserEntry(name: "Ada", age: 1)]) == [UserEntry(name: "Ada", age: 1)])
        let raw: RequestChain<JSON, JSON> = builder(server).route(.put, .users).build()
        #expect(try await raw.process([1, "two"]) == [1, "two"])
        let scalars: RequestChain<[[Int]], [[Int]]> = builder(server).route(.put, .users).build()
        #expect(try await scalars.process([[1], []]) == [[1], []])
        let optional: RequestChain<Void, UserEntry?> = builder(Server(Self.answer(204))).route(.get, .users).build()
        #expect(try await optional.process() == nil)
    }

    @Test func modelsThatMapThemselves() async throws {
        let server = Server(Self.echo)
        let chain: RequestChain<[ModelTests.Own], [ModelTests.Own]> = builder(server).route(.post, .users).build()
        #expect(try await chain.process([.init(text: "Ada")]) == [.init(text: "ada")])
        #expect(String(decoding: server.last?.body?.bytes ?? [], as: UTF8.self) == #"["ADA"]"#)
    }

    @Test func voidInAndOut() async throws {
        let server = Server(Self.answer(200, "[]"))
        let nothing: RequestChain<Void, Void> = builder(server).route(.delete, .users).build()
        try await nothing.process()
        #expect(server.last?.body?.bytes == nil)
        #expect(server.last?.headers[.contentType] == nil)
        let push: RequestChain<UserEntry, Void> = builder(server).route(.post, .users).build()
        try await push.process(UserEntry(name: "Ada", age: 1))
        #expect(server.last?.body?.bytes?.isEmpty == false)
        let list: RequestChain<Void, [UserEntry]> = builder(server).route(.get, .users).build()
        #expect(try await list.process() == [])
    }

    @Test func theCoderCanBeSet() async throws {
        struct Person: Codable, Sendable, Equatable, RawMappable {
            var fullName: String
            var born: Date
        }
        var coder = SluiceJSONCoder()
        coder.encoder.keyEncodingStrategy = .convertToSnakeCase
        coder.encoder.dateEncodingStrategy = .secondsSince1970
        coder.decoder.keyDecodingStrategy = .convertFromSnakeCase
        coder.decoder.dateDecodingStrategy = .secondsSince1970
        let person = Person(fullName: "Ada", born: Date(timeIntervalSince1970: 60))
        let server = Server(Self.echo)
        let ours: RequestChain<Person, Person> = builder(server).route(.post, .users).set(coder: coder).build()
        #expect(try await ours.process(person) == person)
        #expect(try JSON(parsing: server.last?.body?.bytes ?? []) == ["full_name": "Ada", "born": 60])

        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.dateEncodingStrategy = .iso8601
        decoder.dateDecodingStrategy = .iso8601
        let foundation = FoundationJSONCoder(encoder: encoder, decoder: decoder)
        let theirs: RequestChain<Person, Person> = builder(server).route(.post, .users).set(coder: foundation).build()
        #expect(try await theirs.process(person) == person)
        #expect(try JSON(parsing: server.last?.body?.bytes ?? [])["born"] == "1970-01-01T00:01:00Z")
    }

    // MARK: - Encodings

    @Test func whereTheModelGoes() async throws {
        let server = Server(Self.answer(200, "{}"))
        let model = UserEntry(name: "a+b", age: 3)
        func send(_ method: HTTPRequest.Method, _ encoding: ParametersEncoding) async throws -> TransportRequest {
            let chain: RequestChain<UserEntry, JSON> = builder(server).route(method, .users).encode(as: encoding)
                .set(query: ["page": 2]).build()
            _ = try await chain.process(model)
            return try #require(server.last)
        }
        let form = try await send(.post, .formURL)
        #expect(String(decoding: form.body?.bytes ?? [], as: UTF8.self) == "age=3&name=a%2Bb")
        #expect(form.headers[.contentType] == "application/x-www-form-urlencoded; charset=utf-8")
        #expect(form.url.query == "page=2")
        for (method, encoding) in [
            (HTTPRequest.Method.post, ParametersEncoding.urlQuery), (.get, .json), (.get, .formURL),
            (.delete, .formURL),
        ] {
            let request = try await send(method, encoding)
            #expect(request.body?.bytes == nil)
            #expect(request.url.query == "page=2&age=3&name=a%2Bb")
            #expect(request.headers[.contentType] == nil)
        }
    }

    @Test func queriesAndTheirStrategies() async throws {
        let server = Server(Self.answer(200, "{}"))
        let chain: RequestChain<Void, JSON> = builder(server).route(.get, .users)
            .set(query: ["params": ["a", "b"], "desc": true, "map": ["k": 1], "max": 10])
            .set(boolEncodingStrategy: .asBool)
            .set(arrayEncodingStrategy: .noBrackets)
            .set(dictEncodingStrategy: .dots)
            .build()
        _ = try await chain.process()
        #expect(server.last?.url.query == "desc=true&map.k=1&max=10&params=a&params=b")
    }

    @Test func partsOfAForm() async throws {
        let server = Server(Self.answer(200, "[]"))
        let chain: RequestChain<MultipartModel<UserEntry>, [UserEntry]> = builder(server).route(.post, .users).build()
        let photo = MultipartFile.bytes([1, 2, 3], filename: "ada.png")
        #expect(try await chain.process(MultipartModel(UserEntry(name: "Ada", age: 3), files: ["photo": photo])) == [])
        let request = try #require(server.last)
        #expect(request.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        let text = String(decoding: request.body?.bytes ?? [], as: UTF8.self)
        #expect(text.contains("name=\"name\"\r\n\r\nAda\r\n"))
        #expect(text.contains("name=\"photo\"; filename=\"ada.png\"\r\nContent-Type: image/png\r\n\r\n\u{1}\u{2}\u{3}"))
    }

    @Test func dataAndStreams() async throws {
        let server = Server { _ in
            TransportResponse(
                body: ByteStream(
                    AsyncStream<[UInt8]> {
                        $0.yield([1]); $0.yield([2]); $0.finish()
                    }
                )
            )
        }
        let data: RequestChain<Void, Data> = builder(server).route(.get, .users).loadData()
        #expect(try await data.process() == Data([1, 2]))
        let stream: RequestChain<Void, TransportResponse> = builder(server).route(.get, .users).loadStream()
        var chunks: [[UInt8]] = []
        for try await chunk in try await stream.process().body { chunks.append(chunk) }
        #expect(chunks == [[1], [2]])
        #expect(stream.description == "stream → status → redirects → transport")
    }

    @Test func theHeadCanBeHadToo() async throws {
        let chain: RequestChain<Void, JSON> = builder(Server(Self.answer(201, "1"))).route(.post, .users).build()
        let answer = try await chain.withHead.process()
        #expect(answer.status == .created)
        #expect(answer.value == 1)
    }

    // MARK: - Stages

    struct Mark: SimpleFilter<TransportRequest, TransportResponse> {
        let name: String
        func process(
            _ request: TransportRequest,
            next: some Node<TransportRequest, TransportResponse>
        ) async throws -> TransportResponse {
            var request = request
            request.headers[way] = (request.headers[way] ?? "") + name
            return try await next.process(request)
        }
    }

    @Test func stagesHaveNamesAndPlaces() async throws {
        let server = Server(Self.answer(200, "1"))
        let builder = try builder(server).route(.get, .users)
            .wrap(.transport, in: Mark(name: "c"), named: "inner")
            .insert(Mark(name: "b"), named: "middle", inside: .status)
            .set(.log, Mark(name: "a"))
        let json: RequestChain<Void, JSON> = builder.build()
        #expect(json.description == "json → log → status → middle → redirects → body → inner → transport")
        #expect(try await json.process() == 1)
        #expect(server.last?.headers[way] == "abc")
        // Every kind of chain has them.
        _ = try await (builder.loadData() as RequestChain<Void, Data>).process()
        #expect(server.last?.headers[way] == "abc")
        let parts: RequestChain<MultipartModel<UserEntry>, Void> = builder.route(.post, .users).build()
        try await parts.process(MultipartModel(UserEntry(name: "Ada", age: 1), files: [:]))
        #expect(server.last?.headers[way] == "abc")
    }

    @Test func stagesAreReplacedAndRemoved() async throws {
        let server = Server(Self.answer(404, #"{"a":1}"#))
        let lenient: RequestChain<Void, JSON> = try builder(server).route(.get, .users).remove(.status).build()
        #expect(try await lenient.process() == ["a": 1])
        let other: RequestChain<Void, JSON> = try builder(server).route(.get, .users)
            .replace(.status, with: Mark(name: "x")).build()
        #expect(try await other.process() == ["a": 1])
        #expect(server.last?.headers[way] == "x")
    }

    /// A chain can't be built with the name of a stage that doesn't exist: each method that takes one throws.
    @Test func namesThatDontExistFailWhenTheChainIsBuilt() throws {
        let valid = builder(Server(Self.answer())).route(.get, .users).retry(maxAttempts: 2)
        #expect(throws: Never.self) { try valid.checked() }
        func reasons(_ change: (URLChainBuilder<Route>) throws -> URLChainBuilder<Route>) -> [String] {
            let error = #expect(throws: ChainOrderError.self) { try change(valid) }
            return error?.reasons ?? []
        }
        let names = "it has status, redirects, retry, body, transport"
        let typo = "the chain has no stage 'retrie': \(names); did you mean 'retry'?"
        #expect(reasons { try $0.replace("retrie", with: Mark(name: "x")) } == [typo])
        #expect(reasons { try $0.remove("retrie") } == [typo])
        #expect(reasons { try $0.wrap("retrie", in: Mark(name: "x"), named: "mark") } == [typo])
        #expect(reasons { try $0.insert(Mark(name: "x"), named: "mark", inside: "retrie") } == [typo])
        // The hints are those of JSON, which ignore case.
        #expect(
            reasons { try $0.remove("RETRY") } == [typo.replacingOccurrences(of: "'retrie'", with: "'RETRY'")]
        )
        #expect(reasons { try $0.remove(.cache) } == ["the chain has no stage 'cache': \(names)"])
        #expect(reasons { try $0.wrap(.cache, in: Mark(name: "x"), named: "mark") }.count == 1)
        #expect(reasons { try $0.remove(.redirects).remove(.redirects) }.count == 1)
    }

    /// The filters of stages have names with a leading dot, which completion shows.
    @Test func filtersWithALeadingDot() throws {
        let builder = builder(Server(Self.answer())).route(.get, .users)
            .set(.retry, .http(maxAttempts: 3)).set(.cache, .cache(HTTPCache())).set(.deduplication, .coalescing)
            .set(.cookies, .cookies(CookieJar())).set(.token, .basic(user: "ada", password: "secret"))
            .set(.metrics, .metrics).set(.tracing, .tracing)
        let chain: RequestChain<Void, JSON> = try builder.replace(.retry, with: .http()).checked().build()
        #expect(
            chain.description
                == "json → status → redirects → cookies → token → cache → deduplication → retry → tracing → metrics → body → transport"
        )
    }

    // MARK: - Errors

    @Test(arguments: [400, 401, 402, 404, 409, 422, 429, 499, 500, 502, 503, 599])
    func everyErrorStatusIsAnError(_ status: Int) async throws {
        let chain: RequestChain<Void, JSON> = builder(Server(Self.answer(status, "why"))).route(.get, .users)
            .set(query: ["secret": 1]).build()
        let error = await #expect(throws: HTTPError.self) { try await chain.process() }
        #expect(error?.code == .badStatus)
        #expect(error?.response?.body.bytes == Array("why".utf8))
        #expect(error?.description.hasPrefix("GET http://example.com/users: \(status)") == true)
        #expect(error?.isPassing == ([429].contains(status) || status >= 500))
    }

    @Test(
        arguments: [
            ("<html>", "the body is not JSON: 1:1: "),
            (#"{"name": "Ada"}"#, #"the body is no UserEntry: 1:1: The key "age" is missing."#),
            ("{\n  \"name\": 1, \"age\": 2}", "the body is no UserEntry: 2:11: name: "),
            ("", "the body is empty where UserEntry was expected"),
        ]
    )
    func bodiesThatDoNotFit(_ body: String, _ message: String) async throws {
        let chain: RequestChain<Void, UserEntry> = builder(Server(Self.answer(200, body))).route(.get, .users).build()
        let error = await #expect(throws: HTTPError.self) { try await chain.process() }
        #expect(error?.code == .badBody)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        #expect(error?.response?.body.bytes == Array(body.utf8))
        #expect(error?.request?.url.absoluteString == "http://example.com/users")
        #expect(error?.cause != nil)
        if body.contains("Ada") { #expect(error?.place?.line == 1) }
    }

    @Test func routesAndModelsThatFail() async throws {
        struct Bad: Sendable, RawMappable {
            struct Wrong: Error {}
            func toRaw() throws -> JSON { throw Wrong() }
            static func from(raw: JSON) throws -> Bad { throw Wrong() }
        }
        let server = Server(Self.answer(200, "{}"))
        let nowhere: RequestChain<Void, JSON> = builder(server).route(.get, .nowhere).build()
        var error = await #expect(throws: HTTPError.self) { try await nowhere.process() }
        #expect(error?.code == .badRequest)
        #expect(error?.cause as? RouteError == .noURL)
        let unset: RequestChain<Void, JSON> = builder(server).build()
        error = await #expect(throws: HTTPError.self) { try await unset.process() }
        #expect(error?.description == "the request cannot be made: no route was set: call route(_:_:)")
        let out: RequestChain<Bad, JSON> = builder(server).route(.post, .users).build()
        error = await #expect(throws: HTTPError.self) { try await out.process(Bad()) }
        #expect(error?.cause is Bad.Wrong)
        let incoming: RequestChain<Void, Bad> = builder(server).route(.post, .users).build()
        error = await #expect(throws: HTTPError.self) { try await incoming.process() }
        #expect(error?.code == .badBody)
        #expect(error?.cause is Bad.Wrong)
    }

    /// A node maps the errors of a chain, as described in nodes.md.
    @Test func errorsAreMappedByANode() async throws {
        enum ReadError: Error { case notFound }
        let mapping = AnyFilter<TransportRequest, TransportResponse, TransportRequest, TransportResponse>("errors") {
            do { return try await $1.process($0) } catch let error as HTTPError
                where error.response?.status == .notFound
            {
                throw ReadError.notFound
            }
        }
        let chain: RequestChain<Void, JSON> = try builder(Server(Self.answer(404))).route(.get, .users)
            .wrap(.status, in: mapping, named: "errors").build()
        await #expect(throws: ReadError.notFound) { try await chain.process() }
        // At the typed API it is wrapped.
        do throws(HTTPError) {
            _ = try await chain.call()
            Issue.record("an answer")
        } catch {
            #expect(error.code == .failed)
            #expect(error.cause as? ReadError == .notFound)
        }
    }

    @Test func problemsAreRead() async throws {
        let server = Server { _ in
            TransportResponse(
                status: .forbidden,
                headers: [.contentType: "application/problem+json; charset=utf-8"],
                body: Array(#"{"type":"/out","title":"No credit","detail":"30 are left","balance":30}"#.utf8)
            )
        }
        let chain: RequestChain<Void, JSON> = builder(server).route(.get, .users).build()
        let error = await #expect(throws: HTTPError.self) { try await chain.process() }
        #expect(error?.problem?.type == "/out")
        #expect(error?.problem?["balance"] == 30)
        #expect(error?.problem?.description == "30 are left")
    }

    @Test func timeIsOver() async throws {
        struct Silent: Transport {
            func process(_ request: TransportRequest) async throws -> TransportResponse {
                for await _ in AsyncStream(Never.self, { _ in }) {}  // until the task is canceled
                throw CancellationError()
            }
        }
        let chain: RequestChain<Void, JSON> = URLChainBuilder<Route>(transport: Silent()).route(.get, .users)
            .timeout(.milliseconds(5)).build()
        let error = await #expect(throws: HTTPError.self) { try await chain.process() }
        #expect(error?.code == .timedOut)
        #expect(error?.timeout == .total)
    }

    // MARK: - Threads

    @Test @MainActor func workStartsOffTheMainThreadAndListenersHearOnIt() async throws {
        // The test checks the main queue, not the thread: with an async main, another thread may drain it.
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let isMain = Locked<Bool?>(nil)
        let server = Server { _ in
            isMain.withLock { $0 = DispatchQueue.getSpecific(key: key) == true }
            return TransportResponse(body: "1")
        }
        let chain: RequestChain<Void, JSON> = builder(server).route(.get, .users).build()
        let heard = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            @Sendable func hear(_ value: JSON) {
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
            }
            let call: Observer<JSON> = chain.start()
            call.onCompleted(hear)
        }
        #expect(heard)
        #expect(isMain.withLock { $0 } == false)
        #expect(try await chain.process() == 1)
        #expect(isMain.withLock { $0 } == false)
    }
}
#endif
