#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Sluice
import SluiceHTTP
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceConnect

/// Attacks on what streams may reach. The server is one of loopback, which the list has to name.
@Suite struct EgressTests {
    private func egress(
        _ allowed: [String],
        _ resolver: Resolver = .system,
        body: HTTPTransport.BodyMode = .whole(upTo: 1000)
    ) throws -> Egress { Egress(try allowed.map { try AllowedHost($0) }, resolver: resolver, body: body) }

    private func request(_ text: String) throws -> TransportRequest {
        TransportRequest(.get, try #require(URL(string: text)))
    }

    /// Returns the reason for which a request is refused; fails if it is not refused.
    private func refusal(of text: String, by egress: Egress, followingRedirects: Bool = false) async throws -> String {
        let request = try request(text)
        let error = await #expect(throws: SluiceHTTP.HTTPError.self) {
            if followingRedirects {
                _ = try await RedirectFilter().andThen(egress).process(request)
            } else {
                _ = try await egress.process(request)
            }
        }
        #expect(error?.code == .badRequest)
        return error?.message ?? ""
    }

    /// A server that says who it was called as, and sends elsewhere.
    private func withServer(_ test: @Sendable (Int) async throws -> Void) async throws {
        let router = Router()
        router.get("/name") { request, _ in request.head.authority ?? "" }
        router.get("/long") { _, _ in String(repeating: "a", count: 2000) }
        router.get("/to") { request, _ in
            Response(status: .found, headers: [.location: request.uri.queryParameters.get("url") ?? ""])
        }
        try await Application(router: router).test(.live) { client in try await test(client.port ?? 0) }
    }

    @Test func nothingIsReachedByDefault() async throws {
        try await withServer { port in
            for host in ["127.0.0.1", "localhost", "[::1]", "example.com", "1.1.1.1"] {
                let text = try await refusal(of: "http://\(host):\(port)/", by: egress([]))
                #expect(text.hasPrefix("the address is not on the list of what streams may reach"), "\(host)")
            }
        }
    }

    /// The option that an error offers is one that helps.
    @Test(arguments: ["127.0.0.1", "[::1]", "[2001:db8::1]", "10.0.0.1"])
    func theHintAllowsTheAddress(_ host: String) async throws {
        let text = try await refusal(of: "http://\(host):4711/", by: egress([]))
        let hint = try #require(text.firstMatch(of: /--allow (\S+) allows it/)?.1)
        let address = try #require(IPAddress(host.filter { !"[]".contains($0) }))
        #expect(try AllowedHost(String(hint)).includes(address, port: 4711), "\(hint)")
        #expect(try !AllowedHost(String(hint)).includes(address, port: 4712))
        #expect(hint == "\(host):4711")
    }

    @Test func whatIsListedIsReached() async throws {
        try await withServer { port in
            for allowed in ["127.0.0.1", "127.0.0.1:\(port)", "127.0.0.0/8", "0.0.0.0/0:\(port)"] {
                let answer = try await egress([allowed]).process(request("http://127.0.0.1:\(port)/name"))
                #expect(answer.body.bytes.map { String(decoding: $0, as: UTF8.self) } == "127.0.0.1:\(port)")
            }
            for allowed in ["127.0.0.1:1", "127.0.0.2", "localhost", "10.0.0.0/8"] {
                _ = try await refusal(of: "http://127.0.0.1:\(port)/name", by: egress([allowed]))
            }
        }
    }

    @Test func answersAreBounded() async throws {
        try await withServer { port in
            let error = await #expect(throws: SluiceHTTP.HTTPError.self) {
                _ = try await egress(["127.0.0.1"]).process(request("http://127.0.0.1:\(port)/long"))
            }
            #expect(error?.code == .bodyTooLarge)
        }
    }

    @Test func aNameThatLeadsToThisMachineIsRefused() async throws {
        try await withServer { port in
            let text = try await refusal(of: "http://localhost:\(port)/name", by: egress(["localhost"]))
            #expect(text.contains("which is not public"))
            // The list may name it, beside the name.
            let answer = try await egress(["localhost", "127.0.0.0/8", "::1"])
                .process(request("http://localhost:\(port)/name"))
            #expect(answer.status == .ok)
        }
    }

    /// The client connects to the address that was looked at, under the name.
    @Test func nameIsResolvedOnceAndThatAddressIsUsed() async throws {
        try await withServer { port in
            let count = Locked(0)
            let resolver = Resolver { name in
                count.withLock { $0 += 1 }
                #expect(name == "feed.example.com")
                return [IPAddress("127.0.0.1")].compactMap(\.self)
            }
            let egress = try egress(["feed.example.com:\(port)", "127.0.0.1:\(port)"], resolver)
            for (index, host) in ["feed.example.com", "FEED.example.com"].enumerated() {
                let answer = try await egress.process(request("http://\(host):\(port)/name"))
                let name = answer.body.bytes.map { String(decoding: $0, as: UTF8.self).lowercased() }
                #expect(name == "feed.example.com:\(port)")
                #expect(count.withLock { $0 } == index + 1)
            }
        }
    }

    /// Under TLS too: the address that was looked at is connected to, and asked for the name, which its certificate has to
    /// be of.
    @Test func underTLSTheAddressIsAskedForTheName() async throws {
        let server = try await GreetingServer()
        let resolver = Resolver { _ in [IPAddress("127.0.0.1")].compactMap(\.self) }
        let egress = try egress(["feed.example.com", "127.0.0.1"], resolver)
        await #expect(throws: SluiceHTTP.HTTPError.self) {
            _ = try await egress.process(request("https://feed.example.com:\(server.port)/"))
        }
        let greeting = try await server.greeting()
        // A record of a handshake, with the name in the clear (RFC 6066, section 3).
        #expect(greeting.first == 22)
        #expect(String(decoding: greeting, as: UTF8.self).contains("feed.example.com"))
        try await server.close()
    }

    @Test func aNameThatIsReboundIsRefused() async throws {
        try await withServer { port in
            let count = Locked(0)
            let resolver = Resolver { _ in
                let text = count.withLock { count in
                    count += 1
                    return count == 1 ? "127.0.0.1" : "127.0.0.2"
                }
                return [IPAddress(text)].compactMap(\.self)
            }
            let egress = try egress(["feed.example.com", "127.0.0.1"], resolver)
            let url = "http://feed.example.com:\(port)/name"
            #expect(try await egress.process(request(url)).status == .ok)
            let text = try await refusal(of: url, by: egress)
            #expect(text == "the address leads to 127.0.0.2, which is not public: --allow 127.0.0.2 allows it")
            // Between two hops of one request too.
            count.withLock { $0 = 0 }
            _ = try await refusal(
                of: "http://feed.example.com:\(port)/to?url=/name",
                by: egress,
                followingRedirects: true
            )
            #expect(count.withLock { $0 } == 2)
        }
    }

    @Test func oneAddressThatIsRefusedRefusesTheName() async throws {
        let resolver = Resolver { _ in ["1.1.1.1", "10.0.0.1"].compactMap { IPAddress($0) } }
        let text = try await refusal(of: "http://mixed.example.com/", by: egress(["mixed.example.com"], resolver))
        #expect(text.contains("leads to 10.0.0.1"))
    }

    @Test(arguments: [
        "http://169.254.169.254/latest/meta-data/", "http://[fd00::1]/", "http://other.example.com/",
        "http://10.0.0.1/",
        "http://localhost/", "http://2130706433/", "http://0x7f.1/", "http://[::ffff:127.0.0.1]/", "http://0/",
    ])
    func redirectsComeThroughTheSameCheck(_ target: String) async throws {
        try await withServer { port in
            let egress = try egress(["127.0.0.1"])
            _ = try await refusal(of: "http://127.0.0.1:\(port)/to?url=\(target)", by: egress, followingRedirects: true)
        }
    }

    @Test(arguments: [
        "http://user@127.0.0.1/", "http://user:secret@127.0.0.1/", "http://@127.0.0.1/", "ftp://127.0.0.1/",
        "file:///etc/passwd", "http+unix://127.0.0.1/", "unix:///run/x", "gopher://127.0.0.1/", "http://127.0.0.1./",
        "http://127.0.0.1%00.example.com/", "http://%6c127.0.0.1/", "http:///x",
    ])
    func addressesOfOtherKindsAreRefused(_ text: String) async throws {
        guard let url = URL(string: text) else { return }
        let error = await #expect(throws: SluiceHTTP.HTTPError.self) {
            _ = try await egress(["127.0.0.1"]).process(TransportRequest(.get, url))
        }
        #expect(error?.code == .badRequest)
    }

    @Test(arguments: [
        "", "http://example.com", "example.com:", "example.com:0", "example.com:65536", "example.com/x", "a b", "*",
        "[example.com]", "[::1", "[::1]x", "10.0.0.0/33", "example.com.", "user@example.com", "[127.0.0.1]", "a:b:c",
    ])
    func whatIsNoHostIsNotAllowed(_ text: String) {
        let error = #expect(throws: AllowedHostError.self) { _ = try AllowedHost(text) }
        #expect(error?.text == text)
    }
}
#endif
