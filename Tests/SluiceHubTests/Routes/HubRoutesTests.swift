#if Hub
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import SluiceJSON
import SluiceStore
import Testing

@testable import SluiceHub

@Suite struct HubRoutesTests {
    func withHub(
        _ streams: [StreamDraft] = [],
        _ test: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let store = MemoryStreamStore()
        try await store.create(streams, by: nil)
        let hub = try await Hub(on: store)
        let router = HubRoutes(hub: hub.hub, settings: hub.settings).router()
        try await Application(router: router).test(.router, test)
        await hub.hub.shutDown()
    }

    func json(_ response: TestResponse) throws -> JSON { try JSON(parsing: Array(response.body.readableBytesView)) }

    func get(_ client: any TestClientProtocol, _ path: String, _ headers: HTTPFields = [:]) async throws -> TestResponse
    {
        try await client.execute(uri: path, method: .get, headers: headers, body: nil)
    }

    @Test func emptyStoreBeginsWithTheSeedsStreams() async throws {
        try await withHub { client in
            let list = try json(try await get(client, "/streams"))
            #expect(list[0]?["name"] == "Serial Stream A")
            let id = try #require(list[0]?["id"]?.string)
            let document = try json(try await get(client, "/streams/\(id)"))
            #expect(document["stream"]?.array?.map { $0["value"] } == [1, 2, 3, 4])
            #expect(document["stream"]?[0]?["operators"] == [["delay": ["seconds": 1]]])
            #expect(document["isDefault"] == true)
        }
    }

    @Test func badDocumentDoesNotHideItsNeighbors() async throws {
        let bad = StreamDraft(
            id: "bad",
            name: "Bad",
            text: #"{"stream": [{"value": 1, "operators": [{"dely": {}}]}]}"#
        )
        let good = StreamDraft(id: "good", name: "Good", text: #"{"stream": []}"#)
        try await withHub([bad, good]) { client in
            let list = try json(try await get(client, "/streams"))
            #expect(list.array?.map { $0["id"] } == ["bad", "good"])
            #expect(list[0]?["state"] == "blocked")
            let error = list[0]?["errors"]?[0]
            #expect(error?["path"] == "stream[0].operators[0].dely" && error?["line"] == 1 && error?["column"] == 41)
            #expect(error?["message"]?.string == #"unknown operator "dely""#)
            #expect(list[1]?["errors"] == nil)
            let start = try await client.execute(uri: "/streams/bad/start", method: .post, headers: [:], body: nil)
            #expect(start.status == .unprocessableContent)
            #expect(start.headers[.contentType] == "application/problem+json")
            // The text is read as it was stored, byte for byte.
            #expect(String(buffer: try await get(client, "/streams/bad").body) == bad.text)
        }
    }

    @Test(arguments: ["/streams/none", "/streams/none/events", "/page/none.js", "/none"])
    func whatIsNotThereIsAProblem(_ path: String) async throws {
        try await withHub { client in
            let response = try await get(client, path)
            #expect(response.status == .notFound)
            #expect(response.headers[.contentType] == "application/problem+json")
            #expect(try json(response)["status"] == 404)
        }
    }

    @Test(arguments: ["/", "/streams", "/none", "/streams/none"])
    func headHasNoBody(_ path: String) async throws {
        try await withHub { client in
            let head = try await client.execute(uri: path, method: .head, headers: [:], body: nil)
            let get = try await get(client, path)
            #expect(head.status == get.status)
            #expect(head.body.readableBytes == 0)
        }
    }

    @Test func idMayHoldAnything() async throws {
        let odd = StreamDraft(id: "a/b c?ü", name: nil, text: #"{"stream": []}"#)
        try await withHub([odd]) { client in
            let response = try await get(client, "/streams/a%2Fb%20c%3F%C3%BC")
            #expect(response.status == .ok)
        }
    }

    @Test func pageOfAnotherOriginIsRefused() async throws {
        try await withHub { client in
            for path in ["/streams", "/", "/none"] {
                let response = try await get(client, path, [.origin: "http://example.com"])
                #expect(response.status == .forbidden)
                #expect(try json(response)["detail"] == "requests from pages of 'http://example.com' are refused")
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
            }
            #expect(try await get(client, "/streams", [.origin: "http://localhost"]).status == .ok)
        }
    }

    @Test func pageIsServedWithItsPolicy() async throws {
        let types = [
            "/": "text/html; charset=utf-8", "/page/page.css": "text/css; charset=utf-8",
            "/page/page.js": "text/javascript; charset=utf-8", "/page/tunnel.js": "text/javascript; charset=utf-8",
            "/page/icon.svg": "image/svg+xml",
        ]
        try await withHub { client in
            for (path, type) in types {
                let response = try await get(client, path)
                #expect(response.status == .ok)
                #expect(response.headers[.contentType] == type)
                #expect(response.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'self';") == true)
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
                #expect(response.body.readableBytes > 100)
            }
        }
    }

    @Test func everyFileThatThePageNamesIsServed() async throws {
        try await withHub { client in
            var (found, waiting): (Set<String>, [String]) = ([], ["/"])
            while let path = waiting.popLast() {
                guard found.insert(path).inserted else { continue }
                let response = try await get(client, path)
                #expect(response.status == .ok, "\(path)")
                let text = String(buffer: response.body)
                waiting += text.matches(of: #/(?:href|src)="(\/page\/[\w.]+)"/#).map { String($0.1) }
                waiting += text.matches(of: #/(?:from |import\()"\.\/([\w.]+)"/#).map { "/page/\($0.1)" }
            }
            #expect(found.count > 40)
        }
    }
}
#endif
