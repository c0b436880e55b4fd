#if HTTP
import Foundation
import HTTPTypes
import Sluice
import Testing

@testable import SluiceHTTP

@Suite struct RedirectTests {
    /// Returns the request after a redirect of `POST https://example.com/a/b?c`, which has all kinds of fields.
    func next(
        _ status: Int,
        _ location: String?,
        _ method: HTTPRequest.Method = .post,
        from address: String = "https://example.com/a/b?c"
    ) throws -> TransportRequest? {
        var headers: HTTPFields = [
            .authorization: "Bearer x", .cookie: "a=b", .contentType: "text/plain", .contentLength: "2", .accept: "*/*",
        ]
        headers[try #require(HTTPField.Name("Host"))] = "example.com"
        let url = try #require(URL(string: address))
        let request = TransportRequest(method, url, headers: headers, body: [1, 2])
        let response = TransportResponse(
            status: .init(code: status),
            headers: location.map { [.location: $0] } ?? [:]
        )
        return Redirect.request(after: response, to: request)
    }

    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (303, "GET", "GET"),
        (303, "HEAD", "HEAD"),
    ])
    func bodyIsDropped(_ status: Int, _ method: String, _ expected: String) throws {
        let method = try #require(HTTPRequest.Method(method))
        let next = try #require(try next(status, "/d", method))
        #expect(next.method.rawValue == expected)
        #expect(next.body?.bytes == nil)
        #expect(next.headers[.contentType] == nil)
        #expect(next.headers[.contentLength] == nil)
        #expect(next.headers[.accept] == "*/*")
        #expect(next.headers[.authorization] == "Bearer x")
    }

    @Test(arguments: [(301, "PUT"), (302, "DELETE"), (301, "HEAD"), (307, "POST"), (308, "POST"), (308, "PUT")])
    func bodyIsKept(_ status: Int, _ method: String) throws {
        let method = try #require(HTTPRequest.Method(method))
        let next = try #require(try next(status, "/d", method))
        #expect(next.method == method)
        #expect(next.body?.bytes == [1, 2])
        #expect(next.headers[.contentType] == "text/plain")
    }

    @Test(arguments: [
        ("/d", "https://example.com/d"), ("d", "https://example.com/a/d"), ("../d", "https://example.com/d"),
        ("?d", "https://example.com/a/b?d"), ("//other.example/d", "https://other.example/d"),
        ("HTTPS://EXAMPLE.com:443/", "HTTPS://EXAMPLE.com:443/"),
    ])
    func locationIsResolved(_ location: String, _ expected: String) throws {
        #expect(try next(302, location)?.url.absoluteString == expected)
    }

    @Test(arguments: [
        nil, "", "http://example.com/", "ftp://example.com/", "file:///etc/passwd", "https://", "javascript:1",
        "http+unix://%2Ftmp%2Fsocket/",
    ])
    func locationThatCannotBeUsed(_ location: String?) throws {
        #expect(try next(302, location) == nil)
    }

    @Test(arguments: [200, 300, 304, 305, 306, 399, 404])
    func statusThatIsNoRedirect(_ status: Int) throws {
        #expect(try next(status, "/d") == nil)
    }

    @Test func twoLocations() throws {
        let request = TransportRequest(.get, try #require(URL(string: "http://example.com/")))
        var response = TransportResponse(status: .found, headers: [.location: "/a"])
        response.headers.append(HTTPField(name: .location, value: "/a"))
        #expect(Redirect.request(after: response, to: request)?.url.path == "/a")
        response.headers.append(HTTPField(name: .location, value: "/b"))
        #expect(Redirect.request(after: response, to: request) == nil)
    }

    @Test(arguments: [
        ("https://example.com/", "https://example.com:443/d", true), ("https://example.com/", "/d", true),
        ("https://example.com/", "https://EXAMPLE.COM/d", true),
        ("https://example.com/", "https://example.com:444/d", false),
        ("https://example.com/", "https://www.example.com/d", false),
        ("http://example.com/", "https://example.com/d", false), ("http://example.com:80/", "/d", true),
    ])
    func secretsStayWithTheirServer(_ from: String, _ location: String, _ stay: Bool) throws {
        let next = try #require(try next(307, location, from: from))
        #expect((next.headers[.authorization] != nil) == stay)
        #expect((next.headers[.cookie] != nil) == stay)
        #expect((next.headers[try #require(HTTPField.Name("Host"))] != nil) == stay)
        #expect(next.headers[.accept] == "*/*")
        #expect(next.body?.bytes == [1, 2])
    }
}

@Suite struct AddressTests {
    @Test(arguments: [
        "http://example.com", "http://example.com:/", "http://example.com:1", "http://example.com:65535?a:0",
        "http://user:0@example.com/:0", "http://[::1]/", "http://[::1]:8080#:0", "mailto:ada@example.com",
    ])
    func portThatCanBe(_ address: String) throws {
        #expect(Address.hasPort(try #require(URL(string: address))))
    }

    @Test(arguments: [
        "http://example.com:0", "http://example.com:65536/", "http://user:1@example.com:99999?a:1",
        "http://[::1]:99999999999999999999#a",
    ])
    func portThatCannotBe(_ address: String) throws {
        #expect(!Address.hasPort(try #require(URL(string: address))))
    }
}

@Suite struct LiveRedirectTests {
    static func found(_ location: String) -> [UInt8] {
        Array("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi".utf8)
    }

    @Test func redirectIsFollowed() async throws {
        let server = try HostileServer { request in
            request.hasPrefix("POST /a ")
                ? Self.found("b") : Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nend".utf8)
        }
        defer { server.stop() }
        let request = TransportRequest(.post, try server.url("/a"), headers: [.contentType: "text/plain"], body: [65])
        #expect(try await RedirectFilter().andThen(HTTPTransport()).process(request).body.bytes == Array("end".utf8))
        let requests = server.requests
        #expect(requests.count == 2)
        #expect(requests.last?.hasPrefix("GET /b ") == true)
        #expect(requests.last?.lowercased().contains("content-type") == false)
    }

    @Test func endlessRedirect() async throws {
        let server = try HostileServer { _ in Self.found("/") }
        defer { server.stop() }
        let request = TransportRequest(.get, try server.url())
        let error = await #expect(throws: HTTPError.self) {
            try await RedirectFilter().andThen(HTTPTransport()).process(request)
        }
        #expect(error?.code == .badStatus)
        #expect(error?.message == "more than 20 redirects")
        #expect(error?.response?.body.bytes == Array("hi".utf8))
        #expect(server.requests.count == 21)
    }

    @Test(arguments: ["http://127.0.0.1:99999/", "//127.0.0.1:0/", "http://127.0.0.1:99999999999999999999/"])
    func portThatIsNone(_ location: String) async throws {
        let server = try HostileServer { _ in Self.found(location) }
        defer { server.stop() }
        let request = TransportRequest(.get, try server.url())
        let error = await #expect(throws: HTTPError.self) {
            try await RedirectFilter().andThen(HTTPTransport()).process(request)
        }
        #expect(error?.code == .badRequest)
        #expect(error?.message == "no address of a web server: the port is not from 1 to 65535")
    }

    @Test func redirectToNowhere() async throws {
        let server = try HostileServer { _ in Self.found("ftp://127.0.0.1/") }
        defer { server.stop() }
        let request = TransportRequest(.get, try server.url())
        let error = await #expect(throws: HTTPError.self) {
            try await RedirectFilter().andThen(HTTPTransport()).process(request)
        }
        #expect(error?.code == .badStatus)
        #expect(error?.message == "302 Found leads nowhere")
        #expect(error?.response?.status.code == 302)
    }

    @Test func bodyOfARedirectDoesNotMatter() async throws {
        let server = try HostileServer { request in
            request.hasPrefix("GET /a ")
                ? Array("HTTP/1.1 307 X\r\nLocation: /b\r\nContent-Length: 100\r\n\r\nhi".utf8)
                : Array("HTTP/1.1 204 X\r\n\r\n".utf8)
        }
        defer { server.stop() }
        let request = TransportRequest(.get, try server.url("/a"))
        #expect(
            try await RedirectFilter().andThen(HTTPTransport(body: .streamed)).process(request).status.code == 204
        )
    }
}
#endif
