import Hummingbird
import Testing

@testable import SluiceHub

@Suite struct OriginMiddlewareTests {
    typealias Check = OriginMiddleware<BasicRequestContext>

    @Test(arguments: ["127.0.0.1", "127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]", "[::1]:8080"])
    func namesOfLoopbackAreAnswered(_ host: String) {
        #expect(Check.refusal(host: host, origin: nil) == nil)
        #expect(Check.refusal(host: host, origin: "http://\(host)") == nil)
    }

    @Test(arguments: [
        "example.com", "127.0.0.1.example.com", "localhost.example.com:8080", "localhost:", "localhost:x",
        "localhost:99999", "[::1]x", "", "0.0.0.0", "user@localhost", "::1", "127.0.0.1:8080:1", nil,
    ])
    func otherNamesAreRefused(_ host: String?) {
        let refusal = Check.refusal(host: host, origin: nil)
        #expect(refusal?.status == .misdirectedRequest)
        #expect(refusal?.detail == "this hub answers to names of loopback only")
    }

    @Test(arguments: [
        "http://example.com", "https://127.0.0.1:8080", "http://127.0.0.1:9090", "http://127.0.0.1", "null", "",
        "http://localhost:8080", "http://127.0.0.1:8080/",
    ])
    func pagesOfOtherOriginsAreRefused(_ origin: String) {
        #expect(Check.refusal(host: "127.0.0.1:8080", origin: origin)?.status == .forbidden)
    }
}
