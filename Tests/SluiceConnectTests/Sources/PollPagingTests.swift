#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceConnect

/// The pages of `poll`, against a server.
@Suite struct PollPagingTests {
    private final class Seen: Sendable {
        /// The request lines, and the bodies.
        let requests = Locked<[String]>([])
    }

    /// A server of lists with three pages, each of which names the next one by a link and by a cursor.
    private func withServer(_ test: @Sendable (Int, Seen) async throws -> Void) async throws {
        let (router, seen) = (Router(), Seen())
        @Sendable func answer(_ request: Request) async throws -> Response {
            let body = String(buffer: try await request.body.collect(upTo: 1 << 20))
            let uri = request.uri.string
            let line = body.isEmpty ? uri : "\(uri) \(body)"
            let isFirst = seen.requests.withLock { requests in
                requests.append(line)
                return requests.count { $0 == line } == 1
            }
            let query = request.uri.queryParameters
            let given = (try? JSON(parsing: body))?["after"]?.int ?? query["after"].flatMap { Int($0) }
            let page = given ?? query["page"].flatMap { Int($0) } ?? 1
            let isEndless = request.uri.path == "/endless"
            let isLast = page >= 3 && !isEndless
            var json: JSON = ["page": .int(Int64(page)), "next": isLast ? nil : .int(Int64(page + 1))]
            var headers: HTTPFields = [.contentType: "application/json"]
            let link = try #require(HTTPField.Name("Link"))
            if !isLast {
                headers[link] = #"</first>; rel="first", <\#(request.uri.path)?page=\#(page + 1)>; rel="next last""#
            }
            switch (request.uri.path, page) {
            case ("/busy", 2) where isFirst: return Response(status: .serviceUnavailable)
            case ("/away", 2): return Response(status: .found, headers: [.location: "http://10.0.0.1/secret"])
            case ("/other", _): headers[link] = #"<\#(query["to"] ?? "")>; rel="next""#
            case ("/same", _): json = ["page": .int(Int64(page)), "next": 7]
            case ("/odd", _): json = ["next": "a&b=c d/é#"]
            case ("/list", _): json = [1]
            default: break
            }
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: json.text())))
        }
        for method in [HTTPRequest.Method.get, .post] {
            router.on("**", method: method) { request, _ in try await answer(request) }
        }
        try await Application(router: router).test(.live) { client in try await test(client.port ?? 0, seen) }
    }

    private func document(_ port: Int, _ path: String, _ paging: String, _ more: String = "") throws -> StreamDocument {
        let url = "http://127.0.0.1:\(port)\(path)"
        return try StreamDocument(
            parsing: #"{"source": {"poll": {"url": "\#(url)", "seconds": 0.1, "paging": \#(paging)\#(more)}}}"#
        )
    }

    private func host(_ secrets: Secrets = Secrets()) throws -> StreamHost {
        var settings = ConnectSettings()
        settings.allowedHosts = [try AllowedHost("127.0.0.1"), try AllowedHost("localhost")]
        settings.secrets = secrets
        return settings.host()
    }

    /// The pages of a document, and the error that ends them.
    private func pages(
        _ document: StreamDocument,
        atMost count: Int,
        _ secrets: Secrets = Secrets()
    ) async throws -> (values: [JSON], error: String?) {
        var values: [JSON] = []
        do {
            for try await value in try document.values(host: host(secrets)) {
                values.append(value)
                if values.count == count { break }
            }
            return (values, nil)
        } catch { return (values, "\(error)") }
    }

    // MARK: Pages

    /// Each poll begins with the first page.
    @Test func linksLeadToTheNextPage() async throws {
        try await withServer { port, seen in
            let result = try await pages(document(port, "/x?a=b", #"{"link": "next"}"#), atMost: 5)
            #expect(result.values.map { $0["page"] } == [1, 2, 3, 1, 2] && result.error == nil, "\(result)")
            let requests = seen.requests.withLock { Array($0.prefix(4)) }
            #expect(requests == ["/x?a=b", "/x?page=2", "/x?page=3", "/x?a=b"])
        }
    }

    @Test func aPageMayBeAWholeResponse() async throws {
        try await withServer { port, _ in
            let link = try await pages(document(port, "/x", #"{"link": "NEXT"}"#, #", "as": "response""#), atMost: 3)
            #expect(link.values.map { $0["body"]?["page"] } == [1, 2, 3])
            let paging = #"{"cursor": "x.body.next", "query": "after"}"#
            let cursor = try await pages(document(port, "/x", paging, #", "as": "response""#), atMost: 3)
            #expect(cursor.values.map { $0["body"]?["page"] } == [1, 2, 3])
        }
    }

    @Test func aCursorIsAParameterOfTheQuery() async throws {
        try await withServer { port, seen in
            let paging = #"{"cursor": "x.next", "query": "after"}"#
            let result = try await pages(document(port, "/x?a=%26b&after=1", paging), atMost: 4)
            #expect(result.values.map { $0["page"] } == [1, 2, 3, 1] && result.error == nil, "\(result)")
            let requests = seen.requests.withLock { Array($0.prefix(3)) }
            #expect(requests == ["/x?a=%26b&after=1", "/x?a=%26b&after=2", "/x?a=%26b&after=3"])
        }
    }

    /// A cursor stays one value of the query, whatever is in it; one that doesn't change ends the poll.
    @Test func aCursorIsOneValue() async throws {
        try await withServer { port, seen in
            let paging = #"{"cursor": "x.next", "query": "after"}"#
            _ = try await pages(document(port, "/odd", paging), atMost: 3)
            let requests = seen.requests.withLock { Array($0.prefix(3)) }
            #expect(requests == ["/odd", "/odd?after=a%26b%3Dc%20d%2F%C3%A9%23", "/odd"])
        }
        try await withServer { port, _ in
            let paging = #"{"cursor": "x.next", "query": "after"}"#
            let result = try await pages(document(port, "/same", paging), atMost: 4)
            #expect(result.values.map { $0["page"] } == [1, 7, 1, 7])
        }
    }

    @Test func aCursorIsAMemberOfTheBody() async throws {
        try await withServer { port, seen in
            let paging = #"{"cursor": "x.next", "field": "after"}"#
            let result = try await pages(document(port, "/x", paging, #", "body": {"q": "a", "n": [1]}"#), atMost: 4)
            #expect(result.values.map { $0["page"] } == [1, 2, 3, 1] && result.error == nil, "\(result)")
            let requests = seen.requests.withLock { Array($0.prefix(3)) }
            #expect(
                requests == [
                    #"/x {"q":"a","n":[1]}"#, #"/x {"q":"a","n":[1],"after":2}"#, #"/x {"q":"a","n":[1],"after":3}"#,
                ]
            )
        }
    }

    @Test func pagesAreBounded() async throws {
        try await withServer { port, _ in
            for paging in [#""link": "next""#, #""cursor": "x.next", "query": "after""#] {
                let result = try await pages(document(port, "/endless", #"{\#(paging), "maxPages": 2}"#), atMost: 5)
                #expect(result.values.map { $0["page"] } == [1, 2, 1, 2, 1], "\(result)")
                let one = try await pages(document(port, "/endless", #"{\#(paging), "maxPages": 1}"#), atMost: 3)
                #expect(one.values.map { $0["page"] } == [1, 1, 1])
            }
            let usual = try await pages(document(port, "/endless", #"{"link": "next"}"#), atMost: 101)
            #expect(usual.values.suffix(2).map { $0["page"] } == [100, 1])
        }
    }

    /// A page whose server is busy is asked for again, and the pages before it are not.
    @Test(.timeLimit(.minutes(5))) func aBusyPageIsAskedForAgain() async throws {
        try await withServer { port, seen in
            let result = try await pages(document(port, "/busy", #"{"link": "next"}"#), atMost: 3)
            #expect(result.values.map { $0["page"] } == [1, 2, 3])
            let requests = seen.requests.withLock { $0 }
            #expect(requests.prefix(4) == ["/busy", "/busy?page=2", "/busy?page=2", "/busy?page=3"])
        }
    }

    // MARK: Limits

    /// A link leads nowhere but to the origin of the first page, even where streams may reach more.
    @Test func aLinkStaysWithItsOrigin() async throws {
        try await withServer { port, seen in
            for to in [
                "http://localhost:\(port)/x", "http://127.0.0.1:1/x", "http://10.0.0.1/", "//localhost:\(port)/x",
                "https://127.0.0.1:\(port)/x",
            ] {
                let result = try await pages(document(port, "/other?to=\(to)", #"{"link": "next"}"#), atMost: 3)
                #expect(result.values.count == 1)
                #expect(result.error?.contains("is not of the origin of the first one") == true, "\(to) \(result)")
            }
            #expect(seen.requests.withLock { $0.allSatisfy { $0.hasPrefix("/other") } })
            // A field without a link ends the poll.
            let none = try await pages(document(port, "/other?to=mailto:a", #"{"link": "next"}"#), atMost: 2)
            #expect(none.values.count == 2)
        }
    }

    /// The list of what streams may reach counts for every page.
    @Test func everyPageIsChecked() async throws {
        try await withServer { port, _ in
            let result = try await pages(document(port, "/away", #"{"link": "next"}"#), atMost: 3)
            #expect(result.values.count == 1)
            #expect(result.error?.contains("not on the list of what streams may reach") == true, "\(result)")
        }
    }

    @Test func aCursorThatFailsFailsTheStream() async throws {
        try await withServer { port, _ in
            for (cursor, message) in [
                ("x.absent.next", "the cursor can't be evaluated"),
                ("x", "the cursor must be a text, a number, or null"),
            ] {
                let paging = #"{"cursor": "\#(cursor)", "query": "after"}"#
                let result = try await pages(document(port, "/x", paging), atMost: 3)
                #expect(result.error?.contains(message) == true, "\(result)")
            }
        }
    }

    /// A place that is stored contains no secret.
    @Test func aSecretIsNoCursor() async throws {
        try await withServer { port, seen in
            let secrets = try Secrets(parsing: #"{"k": {"value": "a-long-secret", "origins": []}}"#)
            let to = "/x?page=a-long-secret"
            let result = try await pages(document(port, "/other?to=\(to)", #"{"link": "next"}"#), atMost: 3, secrets)
            #expect(result.error?.contains("contains a secret") == true, "\(result)")
            #expect(result.error?.contains("a-long-secret") == false)
            #expect(seen.requests.withLock { $0.count } == 1)
        }
    }

    @Test(arguments: [
        (#"{}"#, "expected \\\"link\\\""), (#"{"link": "next", "cursor": "x"}"#, "expected"),
        (#"{"cursor": "x.next"}"#, "expected"), (#"{"cursor": "x.next", "query": "a", "field": "b"}"#, "expected"),
        (#"{"link": 1}"#, "link: expected a text"), (#"{"link": "next", "more": 1}"#, "unknown key"),
        (#"{"link": "next", "maxPages": 0}"#, "from 1 to 1000"), (#"{"link": "next", "maxPages": 1001}"#, "1 to 1000"),
        (#"{"cursor": "x.", "query": "a"}"#, ""), (#"{"cursor": "y.next", "query": "a"}"#, "y"),
        (#"{"cursor": "x.next", "field": "a"}"#, "is a member of the body"),
        (#"{"link": "next"}, "changes": true"#, "can't be compared"),
    ])
    func mistakesAreErrorsOfTheDocument(_ paging: String, _ message: String) throws {
        let text = #"{"source": {"poll": {"url": "https://x.example/", "seconds": 1, "paging": \#(paging)}}}"#
        let errors = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text).flow() }
        let found = errors?.errors.first?.message ?? ""
        #expect(message.isEmpty || found.contains(message.replacing("\\\"", with: "\"")), "\(found)")
    }

    // MARK: Restarts

    /// A run that resumes continues with the page after the last one that was stored, wherever it was stopped, and then
    /// polls from the first page.
    @Test func aRunContinuesWithTheNextPage() async throws {
        for paging in [
            #"{"link": "next", "maxPages": 3}"#, #"{"cursor": "x.next", "query": "after", "maxPages": 3}"#,
            #"{"cursor": "x.next", "field": "after", "maxPages": 3}"#,
        ] {
            for count in 1...4 {
                try await withServer { port, _ in
                    let document = try document(port, "/endless", paging, #", "body": {"q": 1}, "buffer": {"size": 1}"#)
                    let run = try LiveRun(document, host: host(), clock: ContinuousClock())
                    var values: [JSON?] = []
                    for _ in 0..<count { values.append(try await run.next()?.value?["page"]) }
                    let checkpoint = try StreamCheckpoint(parsing: await run.checkpoint().text)
                    await run.close()
                    let other = try LiveRun(document, from: checkpoint, host: host(), clock: ContinuousClock())
                    for _ in 0..<4 { values.append(try await other.next()?.value?["page"]) }
                    await other.close()
                    let expected = (0..<count + 4).map { JSON.int(Int64($0 % 3 + 1)) }
                    #expect(values == expected, "\(paging) after \(count)")
                }
            }
        }
    }

    @Test(arguments: ["0", "", "1", "x y", "-1 y", "0 y"]) func anotherTextIsTheFirstPage(_ text: String) {
        #expect(PollPaging.Place(text) == PollPaging.Place())
    }

    @Test func aPlaceIsAText() {
        for next in ["https://x.example/?a", " a  b ", "\"1\""] {
            let place = PollPaging.Place(3, next)
            #expect(PollPaging.Place(place.text) == place)
        }
    }
}
#endif
