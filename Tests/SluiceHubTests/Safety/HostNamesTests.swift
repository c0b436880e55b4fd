#if Hub
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Testing

@testable import SluiceHub

@Suite struct HostNamesTests {
    let loopback = HostNames()

    @Test(arguments: ["127.0.0.1", "127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]", "[::1]:8080"])
    func namesOfLoopbackAreAnswered(_ host: String) {
        #expect(loopback.refusal(host: host, origin: nil) == nil)
        #expect(loopback.refusal(host: host, origin: "http://\(host)") == nil)
    }

    @Test(arguments: [
        "example.com", "127.0.0.1.example.com", "localhost.example.com:8080", "localhost:", "localhost:x",
        "localhost:99999", "[::1]x", "", "0.0.0.0", "user@localhost", "::1", "127.0.0.1:8080:1", "localhost.",
        "192.168.1.5", "localhost:+80", "127.1", "2130706433", nil,
    ])
    func otherNamesAreRefused(_ host: String?) {
        let refusal = loopback.refusal(host: host, origin: nil)
        #expect(refusal?.status == .misdirectedRequest)
        #expect(refusal?.detail == "this hub does not answer to the name '\(host ?? "")': --name adds names")
    }

    @Test(arguments: [
        "http://example.com", "http://127.0.0.1:9090", "http://127.0.0.1", "null", "", "http://localhost:8080",
        "http://127.0.0.1:8080/", "ftp://127.0.0.1:8080", "https://127.0.0.1:8080.example.com",
    ])
    func pagesOfOtherOriginsAreRefused(_ origin: String) {
        #expect(loopback.refusal(host: "127.0.0.1:8080", origin: origin)?.status == .forbidden)
    }

    @Test func furtherNamesAreAnsweredByThatNameAlone() {
        let names = HostNames(names: ["Hub.example.com"])
        #expect(names.refusal(host: "hub.example.com", origin: "https://hub.example.com") == nil)
        #expect(names.refusal(host: "hub.example.com:8443", origin: "http://HUB.example.com:8443") == nil)
        #expect(names.refusal(host: "hub.example.com", origin: "https://example.com")?.status == .forbidden)
        #expect(names.refusal(host: "hub.example.com.evil.com", origin: nil)?.status == .misdirectedRequest)
        #expect(names.refusal(host: "example.com", origin: nil)?.status == .misdirectedRequest)
    }

    /// A page that has bound its name to the hub's address sends that name.
    @Test(arguments: ["0.0.0.0", "::", "192.168.1.5"])
    func anAddressIsNeverRebound(_ bound: String) {
        let names = HostNames(host: bound)
        #expect(names.refusal(host: "192.168.1.5:8080", origin: "http://192.168.1.5:8080") == nil)
        #expect(names.refusal(host: "[2001:db8::1]:8080", origin: nil) == nil)
        for host in ["rebound.example.com:8080", "192.168.1.5.nip.io", "[192.168.1.5]", "2001:db8::1", "192.168.1.5."] {
            #expect(names.refusal(host: host, origin: nil)?.status == .misdirectedRequest, "\(host)")
        }
    }

    @Test func longNamesAreCutInAnswers() throws {
        let problem = try #require(loopback.refusal(host: String(repeating: "a", count: 5000), origin: nil))
        #expect(problem.detail.count < 200)
    }
}

@Suite struct RebindingTests {
    /// The first line of the answer to a request of a name.
    private func answer(_ port: Int, _ path: String, host: String) async throws -> String {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n"))
            for try await bytes in inbound { return String(String(buffer: bytes).prefix { $0 != "\r\n" }) }
            return ""
        }
    }

    @Test func aReboundNameReachesNothing() async throws {
        let hub = try await Hub()
        try await Application(router: hub.routes.router()).test(.live) { client in
            let port = client.port ?? 0
            for path in ["/streams", "/", "/health", "/events", "/none", "/metrics"] {
                let line = try await answer(port, path, host: "rebound.example.com:\(port)")
                #expect(line == "HTTP/1.1 421 Misdirected Request", "\(path)")
            }
            let line = try await answer(port, "/health", host: "localhost:\(port)")
            #expect(line == "HTTP/1.1 200 OK")
        }
    }
}
#endif
