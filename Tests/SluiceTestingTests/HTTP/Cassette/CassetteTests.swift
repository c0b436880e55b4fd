#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceTestSupport
import SluiceTesting
import Testing

@Suite struct CassetteTests {
    @Test func recordsOnceAndPlaysEverAfter() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "users.json")
        let server = StubTransport()
        server.stub(.get, "/users/*", .text("Ada"), .text("Bob"))
        let recorded = try Cassette(path).andThen(server)
        #expect(try await text(recorded.process(request(.get, "/users/1"))) == "Ada")
        #expect(try await text(recorded.process(request(.get, "/users/1"))) == "Bob")

        let cassette = try Cassette(path)
        let played = cassette.andThen(server)
        #expect(cassette.unplayed.count == 2)
        #expect(try await text(played.process(request(.get, "/users/1"))) == "Ada")
        #expect(try await text(played.process(request(.get, "/users/1"))) == "Bob")
        #expect(server.count == 2)
        #expect(cassette.unplayed.isEmpty)
        let error = await #expect(throws: CassetteError.self) { try await played.process(request(.get, "/users/1")) }
        #expect(error?.code == .alreadyPlayed)
        let place = "GET http://example.com/users/1"
        #expect(error?.description == "\(place) was recorded 2 times on the cassette \(path), and asked for once more")
    }

    @Test func aRequestThatIsNotThereShowsTheNearest() async throws {
        let exchanges = try [
            RecordedExchange(request(.get, "/users"), TransportResponse()),
            RecordedExchange(
                request(.post, "/users?page=1", [.contentType: "application/json"], body: #"{"name": "Bob"}"#),
                TransportResponse()
            ),
            RecordedExchange(request(.post, "/orders"), TransportResponse()),
        ]
        let transport = Cassette(replaying: exchanges).transport
        let asked = try request(
            .post,
            "/users?page=1",
            [.contentType: "application/json", .authorization: "Bearer 0123456789"],
            body: #"{"name":"Ada","token":"0123456789"}"#
        )
        let error = await #expect(throws: CassetteError.self) { try await transport.process(asked) }
        #expect(error?.code == .notRecorded)
        #expect(
            error?.description == """
                POST http://example.com/users is not on the cassette
                nearest is exchange 2 of 3, POST http://example.com/users?page=1:
                  body: {"name":"Ada","token":"REDACTED"}, recorded: {"name":"Bob"}
                """
        )
        let put = await #expect(throws: CassetteError.self) { try await transport.process(request(.put, "/orders/1")) }
        #expect(
            put?.description == """
                PUT http://example.com/orders/1 is not on the cassette
                nearest is exchange 3 of 3, POST http://example.com/orders:
                  method: PUT, recorded: POST
                  address: http://example.com/orders/1, recorded: http://example.com/orders
                """
        )
        let empty = await #expect(throws: CassetteError.self) {
            try await Cassette(replaying: []).transport.process(request())
        }
        #expect(empty?.description == "GET http://example.com/ is not on the cassette, which is empty")
    }

    @Test func bodiesAreComparedByValue() async throws {
        func multipart(_ boundary: String) throws -> TransportRequest {
            try request(
                .post,
                "/",
                [.contentType: "multipart/form-data; boundary=\"\(boundary)\""],
                body: .bytes(Array("--\(boundary)\r\n\r\nAda\r\n--\(boundary)--\r\n".utf8))
            )
        }
        let json: HTTPFields = [.contentType: "application/json"]
        let exchanges = try [
            RecordedExchange(request(.post, "/", json, body: #"{"a": 1, "b": 2}"#), TransportResponse(body: "json")),
            RecordedExchange(multipart("x7"), TransportResponse(body: "multipart")),
            RecordedExchange(request(.post, "/", body: "a"), TransportResponse(body: "text")),
        ]
        let transport = Cassette(replaying: exchanges).transport
        #expect(try await text(transport.process(multipart("y-99"))) == "multipart")
        #expect(try await text(transport.process(request(.post, "/", body: "a"))) == "text")
        #expect(try await text(transport.process(request(.post, "/", json, body: #"{"b":2,"a":1}"#))) == "json")
    }

    @Test func matchingCanBeSet() async throws {
        var matching = RequestMatching()
        matching.ignoredQueryItems = ["time"]
        matching.headers = [.accept]
        matching.comparesBody = false
        let recorded = try request(.post, "/?page=1&time=1", [.accept: "a/b"], body: "1")
        let cassette = Cassette(replaying: [RecordedExchange(recorded, TransportResponse())], matching: matching)
        let other = try request(.post, "/?page=1&time=2", [.accept: "c/d"], body: "1")
        let error = await #expect(throws: CassetteError.self) { try await cassette.transport.process(other) }
        #expect(error?.description.hasSuffix("  header fields: accept: c/d, recorded: accept: a/b") == true)
        let same = try request(.post, "/?time=2&page=1", [.accept: "a/b"], body: "2")
        _ = try await cassette.transport.process(same)
    }

    @Test func strictOrder() async throws {
        let exchanges = try ["/1", "/2"].map { RecordedExchange(try request(.get, $0), TransportResponse()) }
        let transport = Cassette(replaying: exchanges, order: .strict).transport
        let error = await #expect(throws: CassetteError.self) { try await transport.process(request(.get, "/2")) }
        #expect(error?.code == .outOfOrder)
        #expect(
            error?.description == """
                GET http://example.com/2 is out of order on the cassette
                next is exchange 1 of 2, GET http://example.com/1:
                  address: http://example.com/2, recorded: http://example.com/1
                """
        )
        _ = try await transport.process(request(.get, "/1"))
        _ = try await transport.process(request(.get, "/2"))
        let end = await #expect(throws: CassetteError.self) { try await transport.process(request(.get, "/2")) }
        #expect(end?.code == .alreadyPlayed)
    }

    @Test func modes() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "deep/modes.json")
        let missing = #expect(throws: CassetteError.self) { try Cassette(path, mode: .replay) }
        #expect(missing?.description.hasPrefix("\(path) cannot be read: ") == true)
        let server = StubTransport()
        server.stub(.get, "/*", answers: .text("first"), .text("second"), .text("third"))
        _ = try await Cassette(path, mode: .extend).andThen(server).process(request(.get, "/a"))
        let extended = try Cassette(path, mode: .extend).andThen(server)
        #expect(try await text(extended.process(request(.get, "/a"))) == "first")
        #expect(try await text(extended.process(request(.get, "/b"))) == "second")
        #expect(try Cassette(path, mode: .replay).exchanges.count == 2)
        let anew = try Cassette(path, mode: .recordAnew).andThen(server)
        #expect(try await text(anew.process(request(.get, "/a"))) == "third")
        #expect(try Cassette(path, mode: .replay).exchanges.count == 1)
    }

    @Test func secretsNeverReachTheFile() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "secrets.json")
        let server = StubTransport()
        server.stub(
            answers: .answer { request in
                let echo = request.headers[.authorization] ?? ""
                let headers: HTTPFields = [.contentType: "application/json", .setCookie: "session=cookie-secret"]
                let json: JSON = ["echo": .string(echo), "access_token": "granted-secret", "name": "Ada"]
                return TransportResponse(headers: headers, body: json.bytes())
            }
        )
        let asked = try request(
            .post,
            "/?api_key=query-secret",
            [.authorization: "Bearer bearer-secret", .contentType: "application/json"],
            body: #"{"password": "body-secret"}"#
        )
        let live = try await Cassette(path).andThen(server).process(asked)
        #expect(try await text(live).contains("granted-secret"))
        let file = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!file.contains("secret"))
        #expect(file.contains("Bearer REDACTED"))
        var other = asked
        other.headers[.authorization] = "Bearer another"
        other.body = #"{"password": "another"}"#
        let played = try await Cassette(path, mode: .replay).transport.process(other)
        #expect(try JSON(parsing: played.body.bytes ?? [])["name"] == "Ada")
    }

    @Test func streamedAnswersPassAsTheyComeAndAreRecordedAtTheirEnd() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "stream.json")
        let server = StubTransport()
        server.stub(.get, "/", .chunks(["1\n", "2\n", "3\n"]))
        let cassette = try Cassette(path)
        let transport = cassette.andThen(server)
        let left = try await transport.process(request())
        for try await chunk in left.body {
            #expect(chunk == Array("1\n".utf8))
            break
        }
        #expect(cassette.exchanges.isEmpty)
        var chunks = 0
        for try await _ in try await transport.process(request()).body { chunks += 1 }
        #expect(chunks == 3)
        let played = try await Cassette(path, mode: .replay).transport.process(request())
        #expect(try await text(played) == "1\n2\n3\n")
    }

    @Test func failuresAreNotRecorded() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "failures.json")
        let server = StubTransport()
        server.stub(.get, "/", .failure(UnrelatedError()), .chunks(["1"], failingWith: UnrelatedError()), .text("well"))
        let transport = try Cassette(path).andThen(server)
        await #expect(throws: UnrelatedError.self) { try await transport.process(request()) }
        await #expect(throws: UnrelatedError.self) { try await text(transport.process(request())) }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await text(transport.process(request())) == "well")
        #expect(try Cassette(path, mode: .replay).exchanges.count == 1)
    }

    @Test func bodiesOfFilesAndStreams() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "a.json")
        let file = folder.path(of: "file")
        try CassetteDocument().write(to: path)
        try Data("file".utf8).write(to: URL(fileURLWithPath: file))
        let server = StubTransport()
        server.stub(.post, "/", answers: .answer { TransportResponse(body: $0.body?.bytes ?? []) })
        func stream() -> RequestBody {
            .stream(
                RequestStream(
                    AsyncStream<[UInt8]> {
                        $0.yield(Array("stream".utf8)); $0.finish()
                    }
                )
            )
        }
        let recorded = try Cassette(path, mode: .extend).andThen(server)
        #expect(try await text(recorded.process(request(.post, body: .file(file)))) == "file")
        #expect(try await text(recorded.process(request(.post, body: stream()))) == "stream")
        let played = try Cassette(path, mode: .replay).transport
        #expect(try await text(played.process(request(.post, body: stream()))) == "stream")
        #expect(try await text(played.process(request(.post, body: .file(file)))) == "file")
        let error = await #expect(throws: HTTPError.self) {
            try await played.process(request(.post, body: .file("/nowhere")))
        }
        #expect(error?.description == "POST http://example.com/: the file /nowhere cannot be read")
    }

    @Test func bodiesThatAreTooLong() async throws {
        let folder = try TemporaryFolder()
        let server = StubTransport()
        server.stub(.get, "/whole", .text("12345"))
        server.stub(.get, "/chunks", .chunks(["123", "45"]))
        let transport = try Cassette(folder.path(of: "a.json"), maximumBodyBytes: 4).andThen(server)
        for path in ["/whole", "/chunks"] {
            await #expect(throws: ByteStreamError.tooLong(limit: 4)) {
                try await text(transport.process(request(.get, path)))
            }
        }
        let stream = RequestStream(
            AsyncStream<[UInt8]> {
                $0.yield([1, 2, 3, 4, 5]); $0.finish()
            }
        )
        await #expect(throws: ByteStreamError.tooLong(limit: 4)) {
            try await transport.process(request(.post, "/", body: .stream(stream)))
        }
    }

    @Test func aHundredAtOnce() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "many.json")
        let server = StubTransport()
        server.stub(answers: .answer { TransportResponse(body: Array($0.url.path.utf8)) })
        for mode in [Cassette.Mode.recordIfMissing, .replay] {
            let transport = try Cassette(path, mode: mode).andThen(server)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let answer = try await text(transport.process(request(.get, "/\(number)")))
                        #expect(answer == "/\(number)")
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.count == 100)
        #expect(try Cassette(path, mode: .replay).unplayed.count == 100)
    }

    @Test func isNotTriedAgain() {
        let error = #expect(throws: CassetteError.self) { try Cassette("/nowhere/a.json", mode: .replay) }
        #expect(error?.responseClass == .failure)
    }
}

@Suite(.enabled(if: HTTPBin.isThere, "httpbin is not there: Python or its packages cannot be had; see bin/test"))
struct CassetteOverTheNetworkTests {
    @Test func recordsARealServerAndPlaysWithoutIt() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "httpbin.json")
        var asked = TransportRequest(.post, try HTTPBin.url("/anything?token=query-secret"))
        asked.headers = [.authorization: "Bearer bearer-secret", .contentType: "application/json"]
        asked.body = #"{"name": "Ada"}"#
        let binary = TransportRequest(.get, try HTTPBin.url("/bytes/64?seed=1"))
        let recorded = try Cassette(path).andThen(HTTPTransport())
        let live = try await recorded.process(asked)
        let bytes = try await recorded.process(binary).body.collected(upTo: 64)
        #expect(try JSON(parsing: try await live.body.collected(upTo: 1 << 20))["json"] == ["name": "Ada"])
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("secret"))

        let played = try Cassette(path, mode: .replay).transport
        let echo = try JSON(parsing: try await played.process(asked).body.collected(upTo: 1 << 20))
        #expect(echo["json"] == ["name": "Ada"])
        #expect(echo["headers"]?["Authorization"] == "Bearer REDACTED")
        #expect(try await played.process(binary).body.bytes == bytes)
    }

    /// The hook of a transport's settings, and the one of a task, record what a program sends without any change of the
    /// program, including each attempt and each redirect.
    @Test func recordsInTheTransport() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "hook.json")
        let url = try HTTPBin.url("/redirect-to?url=/anything")
        func program() async throws -> JSON { try await HTTP.get(url, as: JSON.self) }
        let live = try await HTTPTransport.hooked(by: try Cassette(path)) { try await program() }
        #expect(live["method"] == "GET")
        let cassette = try Cassette(path, mode: .replay)
        #expect(cassette.exchanges.map(\.response.status.code) == [302, 200])
        #expect(try await HTTPTransport.hooked(by: cassette) { try await program() } == live)
        #expect(cassette.unplayed.isEmpty)
        await #expect(throws: CassetteError.self) {
            try await HTTPTransport.hooked(by: cassette) { try await program() }
        }

        let recorder = HARRecorder()
        var settings = HTTPTransport.Settings()
        settings.hook = recorder
        try await withHTTPTransport(settings) { transport async throws in
            _ = try await HTTP.get(url, as: JSON.self, with: URLChainBuilder(transport: transport))
        }
        #expect(recorder.har.exchanges.map(\.response.status.code) == [302, 200])
    }
}
#endif
