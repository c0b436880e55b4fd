#if HTTP
import Foundation
import HTTPTypes
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceClient

@Suite(.timeLimit(.minutes(30))) struct HubClientTests {
    let api = StubTransport()

    private func client(token: String? = nil, author: String? = nil, path: String = "/") throws -> HubClient {
        let url = try #require(URL(string: "http://hub.example\(path)"))
        return HubClient(url, token: token, author: author, transport: api)
    }

    private static let head: JSON = ["id": "a", "isDefault": false, "revision": 5, "runs": 4, "state": "running"]
    private static let run: JSON = [
        "stream": "a", "run": 3, "revision": 4, "state": "paused", "time": 1.25, "speed": 2,
        "stages": [["name": "scan", "id": "sum", "path": "operators[0].scan", "expression": "acc + x", "inputs": [0]]],
    ]

    @Test func everyRequestIsAsTheHubHasIt() async throws {
        let hub = try client()
        let ok = api.stub(
            RequestMatcher("a head") {
                $0.url.path.hasSuffix("/a") || $0.url.path.hasSuffix("rollback")
                    || $0.url.path == "/streams" && $0.method == .post
            },
            answers: .json(Self.head, headers: [.eTag: "\"5\""])
        )
        let runs = api.stub(
            RequestMatcher("a run") { request in
                ["run", "start", "stop", "pause", "step", "speed", "reset"].contains(request.url.lastPathComponent)
            },
            answers: .json(Self.run)
        )
        api.stub(.get, "/streams/a/revisions/2", .text("{}"))
        api.stub(.post, "/check", .json(["errors": []]))
        api.stub(.post, "/streams/a/plan", .json(["revision": 4, "keepsAll": true, "steps": [], "errors": []]))
        api.stub(.get, "/groups/g", .json(["name": "g", "streams": [["id": "a", "revision": 1]], "members": []]))
        api.stub(RequestMatcher("a list") { $0.method == .get }, answers: .json([]))
        api.stub(RequestMatcher("anything") { _ in true }, answers: .status(.noContent))

        _ = try await hub.heads()
        _ = try await hub.heads(search: "even & odd")
        _ = try await hub.document("a")
        _ = try await hub.document("a", revision: 2)
        _ = try await hub.create("{}")
        _ = try await hub.create("{}", id: "a")
        _ = try await hub.replace("a", with: "{}", at: 4)
        _ = try await hub.history(of: "a")
        _ = try await hub.rollback("a", to: 2, at: 5)
        _ = try await hub.check("{}")
        _ = try await hub.plan(of: "a", replacedWith: "{}")
        _ = try await hub.run(of: "a")
        _ = try await hub.start("a")
        _ = try await hub.stop("a")
        _ = try await hub.pause("a")
        _ = try await hub.step("a")
        _ = try await hub.setSpeed(of: "a", to: 0.5)
        _ = try await hub.reset("a")
        _ = try await hub.output(of: "a", after: HubClient.Cursor("2-7"), limit: 10)
        _ = try await hub.groups()
        _ = try await hub.group("g")
        try await hub.makeGroup("g")
        try await hub.removeGroup("g")
        try await hub.assign("b", to: "g")
        try await hub.unassign("b", from: "g")
        try await hub.report(
            .init(name: "w", streams: [.init(id: "a", revision: 4, state: .running, time: 1)]),
            by: "me",
            in: "g"
        )
        try await hub.leave("g", as: "me")
        try await hub.delete("b", at: 5)

        let match = HTTPField.Name.ifMatch
        let told = api.requests.map { request in
            let body = request.body?.bytes.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
            let tag = request.headers[match].map { " If-Match \($0)" } ?? ""
            let none = request.headers[.ifNoneMatch].map { " If-None-Match \($0)" } ?? ""
            let query = request.url.query.map { "?" + $0 } ?? ""
            return "\(request.method) \(request.url.path)\(query)\(tag)\(none)\(body)"
        }
        #expect(
            told == [
                "GET /streams", "GET /streams?search=even%20%26%20odd", "GET /streams/a", "GET /streams/a/revisions/2",
                "POST /streams {}", "PUT /streams/a If-None-Match * {}", #"PUT /streams/a If-Match "4" {}"#,
                "GET /streams/a/revisions", #"POST /streams/a/rollback If-Match "5" {"revision":2}"#, "POST /check {}",
                "POST /streams/a/plan {}", "GET /streams/a/run", "POST /streams/a/start", "POST /streams/a/stop",
                "POST /streams/a/pause", "POST /streams/a/step", #"POST /streams/a/speed {"speed":0.5}"#,
                "POST /streams/a/reset", "GET /streams/a/output?after=2-7&limit=10", "GET /groups", "GET /groups/g",
                "PUT /groups/g", "DELETE /groups/g", "PUT /groups/g/streams/b", "DELETE /groups/g/streams/b",
                #"PUT /groups/g/members/me {"name":"w","streams":[{"id":"a","revision":4,"state":"running","time":1}]}"#,
                "DELETE /groups/g/members/me", #"DELETE /streams/b If-Match "5""#,
            ]
        )
        #expect(ok.count == 5 && runs.count == 7)
    }

    @Test func answersAreRead() async throws {
        let hub = try client()
        api.stub(
            .get,
            "/streams",
            .json([
                Self.head,
                [
                    "id": "b", "revision": 1, "state": "dreaming",
                    "errors": [["path": "source", "line": 1, "column": 2, "message": "no", "hint": "yes"]],
                ],
            ])
        )
        api.stub(.get, "/streams/a", .text("{ }", headers: [.eTag: "W/\"7\""]))
        api.stub(.get, "/streams/a/run", .json(Self.run))
        api.stub(
            .get,
            "/streams/a/output",
            .json([
                ["cursor": "1-2", "run": 1, "sequence": 2, "time": 0.5, "value": nil],
                ["cursor": "1-3", "run": 1, "sequence": 3, "time": 1, "completed": true],
            ])
        )
        let heads = try await hub.heads()
        #expect(heads.map(\.state) == [.running, HubClient.State(rawValue: "dreaming")])
        #expect(heads.last?.errors?.map { $0.diagnostic(file: "f") } == ["f:1:2: error: source: no\n  hint: yes"])
        #expect(try await hub.document("a") == HubClient.Document(id: "a", revision: 7, text: "{ }"))
        let run = try await hub.run(of: "a")
        #expect(run.state == .paused && run.time == 1.25 && run.speed == 2 && run.stages?.first?.inputs == [0])
        #expect(try await hub.output(of: "a").map(\.value) == [.null, .null])
        #expect(try await hub.output(of: "a").map(\.isCompleted) == [false, true])
        #expect(try await hub.output(of: "a").last?.cursor == HubClient.Cursor("1-3"))
    }

    @Test(arguments: [
        ("a/b c?ü", "/streams/a%2Fb%20c%3F%C3%BC"), ("..", "/streams/%2E%2E"), (".", "/streams/%2E"), ("", "/streams/"),
        ("a%2F", "/streams/a%252F"), ("#", "/streams/%23"),
    ])
    func idMayHoldAnything(_ id: String, _ path: String) async throws {
        api.stub(RequestMatcher("any") { _ in true }, answers: .status(.noContent))
        try await client().delete(id, at: 1)
        #expect(api.requests.first?.url.absoluteString == "http://hub.example" + path)
    }

    @Test func hubMayStandBehindAPath() async throws {
        api.stub(RequestMatcher("any") { _ in true }, answers: .json([]))
        _ = try await client(path: "/tools/hub/?x=1#y").heads()
        #expect(api.requests.first?.url.absoluteString == "http://hub.example/tools/hub/streams")
    }

    @Test func tokenAndAuthorAreSent() async throws {
        api.stub(RequestMatcher("any") { _ in true }, answers: .json([]))
        _ = try await client(token: "secret", author: String(repeating: "é", count: 200)).heads()
        let headers = try #require(api.requests.first?.headers)
        #expect(headers[.authorization] == "Bearer secret")
        #expect(headers[.author]?.count == 100)
        _ = try await client().heads()
        #expect(api.requests.last?.headers[.authorization] == nil)
    }

    @Test func conflictHasBothAndThePlan() async throws {
        let step: JSON = [
            "action": "kept", "name": "interval", "oldPath": "source.interval", "newPath": "source.interval",
            "isMoved": false,
            "changes": [["parameter": "seconds", "old": 1, "new": 2]], "text": "keep   source.interval: seconds 1 → 2",
        ]
        let body: JSON = [
            "title": "Precondition Failed", "status": 412, "detail": "the stream is at revision 5",
            "current": ["revision": 5, "text": "theirs"], "yours": ["revision": 4, "text": "yours"],
            "plan": ["steps": [step]],
        ]
        api.stub(
            .put,
            "/streams/a",
            .json(body, status: .preconditionFailed, headers: [.contentType: "application/problem+json"])
        )
        let thrown = await #expect(throws: HubClient.ConflictError.self) {
            try await client().replace("a", with: "yours", at: 4)
        }
        let conflict = try #require(thrown)
        #expect(conflict.current?.revision == 5 && conflict.current?.text == "theirs")
        #expect(conflict.yours?.revision == 4 && conflict.yours?.text == "yours")
        #expect(conflict.plan?.description == "keep   source.interval: seconds 1 → 2")
        #expect("\(conflict)" == "the stream is at revision 5")
    }

    @Test(arguments: ["", "[]", #"{"current": 7, "plan": {"steps": [{}]}}"#])
    func conflictOfWhichLittleIsSaid(_ body: String) async throws {
        api.stub(.put, "/streams/a", .text(body, status: .preconditionFailed))
        let conflict = await #expect(throws: HubClient.ConflictError.self) { try await client().create("{}", id: "a") }
        #expect(conflict?.current == nil && conflict?.plan == nil)
        #expect(conflict?.detail == "the hub has another revision")
    }

    @Test func refusalHasEveryError() async throws {
        let errors: JSON = [
            "errors": [
                ["path": "", "line": 1, "column": 2, "message": "no"],
                ["path": "a", "line": 3, "column": 4, "message": "no", "hint": "h"],
            ]
        ]
        api.stub(.post, "/streams", .json(errors, status: .unprocessableContent))
        let refusal = await #expect(throws: HubClient.DocumentError.self) { try await client().create("{}") }
        #expect(refusal.map { "\($0)" } == "1:2: no\n3:4: a: no (h)")
    }

    @Test func otherAnswersAreErrorsOfHTTP() async throws {
        let problem: JSON = ["detail": "there is no stream 'a'"]
        api.stub(
            .get,
            "/streams/a",
            .json(problem, status: .notFound, headers: [.contentType: "application/problem+json"])
        )
        api.stub(.get, "/streams", .text("<html>"))
        api.stub(.get, "/streams/b", .text("{}"))
        api.stub(.get, "/groups", .status(.found, headers: [.location: "http://elsewhere/"]))
        let missing = await #expect(throws: HTTPError.self) { try await client().document("a") }
        #expect(missing?.problem?.detail == "there is no stream 'a'")
        let page = await #expect(throws: HTTPError.self) { try await client().heads() }
        #expect(page?.code == .badBody)
        #expect(page?.message.hasPrefix("the hub's answer can't be read: 1:1: ") == true)
        let untagged = await #expect(throws: HTTPError.self) { try await client().document("b") }
        #expect(untagged?.message == "the answer has no ETag")
        await #expect(throws: HTTPError.self) { try await client(token: "secret").groups() }
        #expect(api.requests.allSatisfy { $0.url.host == "hub.example" })
    }

    @Test func readsAreTriedAgainAndEditsAreNot() async throws {
        let clock = TestClock()
        let url = try #require(URL(string: "http://hub.example"))
        let hub = HubClient(url, transport: api, clock: clock)
        api.stub(RequestMatcher("any") { _ in true }, answers: .status(.serviceUnavailable))
        let time = movingTime(clock)
        defer { time.cancel() }
        await #expect(throws: HTTPError.self) { try await hub.heads() }
        #expect(api.count == 3)
        await #expect(throws: HTTPError.self) { try await hub.replace("a", with: "{}", at: 1) }
        await #expect(throws: HTTPError.self) { try await hub.create("{}", id: "a") }
        await #expect(throws: HTTPError.self) { try await hub.create("{}") }
        #expect(api.count == 6)
    }

    @Test func addressThatIsNone() async throws {
        let hub = HubClient(URL(fileURLWithPath: "/tmp"), transport: api)
        let error = await #expect(throws: HTTPError.self) { try await hub.heads() }
        #expect(
            error?.message == "'file:///tmp/' is not a hub's URL: it must begin with http:// or https://"
                || error?.message == "'file:///tmp' is not a hub's URL: it must begin with http:// or https://"
        )
        #expect(api.count == 0)
    }
}
#endif
