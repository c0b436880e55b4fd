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

    @Test func nothingToBeginWith() {
        #expect(throws: RouteError.noURL) { try (nil as URL?) + "/path" }
    }

    @Test func addressIsARoute() throws {
        let url = try #require(URL(string: "http://example.com/a"))
        #expect(try url.url() == url)
    }
}
