#if HTTP
import Foundation
import SluiceHTTP
import Testing

private enum RegistrationRoute: URLRouteProvider {
    case auth
    case user(String)

    func url() throws -> URL {
        let base = URL(string: "http://example.com")
        switch self {
        case .auth: return try base + "/user/auth"
        case .user(let id): return try base + "/user/\(id)"
        }
    }
}

@Suite struct URLRouteProviderTests {
    @Test func routesAreAddresses() throws {
        #expect(try RegistrationRoute.auth.url().absoluteString == "http://example.com/user/auth")
        #expect(try RegistrationRoute.user("ada l").url().absoluteString == "http://example.com/user/ada%20l")
        #expect(try RegistrationRoute.user("?x").url().absoluteString == "http://example.com/user/%3Fx")
    }

    /// Every combination gives the same address as Foundation.
    @Test(
        arguments: [
            "http://example.com", "http://example.com/", "https://example.com:8080", "http://u:p@example.com",
            "http://example.com/a", "http://example.com/a/", "http://example.com/a/b_1", "http://example.com/a//b",
            "http://example.com/a/../b", "http://example.com/%20", "http://example.com/a?q=/x", "http://a/b#/c",
            "http://example.com?q=1", "http://example.com#f",
            "http://[::1]:80", "HTTP://Example.com", "http:", "http://", "file:///tmp", "/relative", "httpx://h",
        ],
        [
            "", "/", "//", "users", "/users", "/users/", "/users/ada-1_~/x", "/a//b", "/a/../b", "/.", "a.json", "/a b",
            "/\u{e9}", "/a%20b", "/a?b", "/a#b", "/a:b", "a:b", "/users\0", "/users\n",
        ]
    )
    func additionIsFoundations(_ base: String, _ path: String) throws {
        let url = try #require(URL(string: base))
        #expect(try url + path == url.appendingPathComponent(path))
    }

    @Test func nothingToBeginWith() {
        #expect(throws: RouteError.noURL) { try (nil as URL?) + "/path" }
    }

    @Test func addressIsARoute() throws {
        let url = try #require(URL(string: "http://example.com/a"))
        #expect(try url.url() == url)
    }
}
#endif
