#if HTTP
import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOSSL
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceTestSupport
import Testing

extension Nginx {
    /// An address that requires a certificate of the client.
    static func clientURL(_ path: String) throws -> URL {
        try #require(URL(string: (ProcessInfo.processInfo.environment["SLUICE_NGINX_CLIENTS"] ?? "") + path))
    }

    /// Returns the path of a file that `bin/test` made for the server.
    static func file(_ name: String) throws -> String {
        try #require(ProcessInfo.processInfo.environment["SLUICE_NGINX_FILES"]) + "/" + name
    }
}

/// Tests of pinned public keys against nginx.
@Suite(.enabled(if: Nginx.isThere, "nginx is not there: it or openssl cannot be had; see bin/test"))
struct PinningTests {
    /// A pin of a key that nobody has.
    static func other() throws -> PublicKeyPin {
        try PublicKeyPin("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
    }

    func get(_ settings: HTTPTransport.Settings, _ url: URL) async throws -> TransportResponse {
        try await withHTTPTransport(settings) { try await $0.process(TransportRequest(.get, url)) }
    }

    /// The pin of the file is the one that OpenSSL computes.
    @Test func pinOfAFile() async throws {
        let pin = try PublicKeyPin(certificateFile: try Nginx.file("server.pem"))
        let command = """
            openssl x509 -pubkey -noout -in '\(try Nginx.file("server.pem"))' | openssl pkey -pubin -outform der \\
                | openssl dgst -sha256 -binary | base64
            """
        let outcome = try await Tool(URL(fileURLWithPath: "/bin/sh")).run(["-c", command])
        #expect(pin.description == "sha256/" + outcome.output.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(try PublicKeyPin(pin.description) == pin)
    }

    @Test(arguments: [false, true], ["localhost", "LOCALHOST."])
    func pinnedKeys(_ isOld: Bool, _ host: String) async throws {
        var settings = try Nginx.settings()
        if isOld { settings.version = .http1Only }
        let key = try PublicKeyPin(certificateFile: try Nginx.file("server.pem"))
        settings.pins[host] = [try Self.other(), key]
        let response = try await get(settings, try Nginx.secureURL("/echo"))
        #expect(response["X-Protocol"] == (isOld ? "HTTP/1.1" : "HTTP/2.0"))
    }

    /// Nothing is sent to a server with another key, over either version of HTTP, and again after that.
    @Test(arguments: [false, true]) func anotherKey(_ isOld: Bool) async throws {
        var settings = try Nginx.settings()
        if isOld { settings.version = .http1Only }
        settings.pins["localhost"] = [try Self.other()]
        let events = Locked<[ConnectionEvent]>([])
        settings.onEvent = { event in events.withLock { $0.append(event) } }
        let url = try Nginx.secureURL("/echo")
        let key = try PublicKeyPin(certificateFile: try Nginx.file("server.pem"))
        try await withHTTPTransport(settings) { transport async throws in
            for _ in 1...3 {
                let error = await #expect(throws: HTTPError.self) {
                    try await transport.process(TransportRequest(.post, url, body: "secret"))
                }
                #expect(error?.code == .unreachable)
                #expect(error?.isUnsent == true)
                #expect(
                    error?.message == "the certificate of the server has the public key \(key), which is not pinned"
                )
            }
            #expect(transport.pool.sent == 0)
        }
        #expect(events.withLock { $0.isEmpty })
    }

    /// A pin doesn't replace the other checks, and is for its host only.
    @Test func otherChecksAndHosts() async throws {
        var settings = HTTPTransport.Settings()
        settings.pins["localhost"] = [try PublicKeyPin(certificateFile: try Nginx.file("server.pem"))]
        let error = await #expect(throws: HTTPError.self) { try await get(settings, try Nginx.secureURL("/echo")) }
        #expect(error?.message.contains("CERTIFICATE_VERIFY_FAILED") == true)
        settings = try Nginx.settings()
        settings.pins = ["example.com": [try Self.other()], "*.example.com": [try Self.other()]]
        #expect(try await get(settings, try Nginx.secureURL("/echo")).status == .ok)
        settings.pins = ["localhost": [try Self.other()]]
        #expect(try await get(settings, try Nginx.url("/echo")).status == .ok)
    }

    @Test(arguments: ["", "sha256/", "sha256/AAAA", "sha1/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "sha256/*"])
    func textsThatAreNoPins(_ text: String) {
        let error = #expect(throws: PublicKeyPinError.self) { try PublicKeyPin(text) }
        #expect(error?.description == "\"\(text)\" is not a pin: it must be sha256/ and 32 bytes in base64")
    }

    @Test func filesWithoutACertificate() throws {
        #expect(throws: PublicKeyPinError.self) { try PublicKeyPin(certificateFile: "/nowhere/server.pem") }
        #expect(throws: PublicKeyPinError.self) { try PublicKeyPin(certificateFile: try Nginx.file("server.key")) }
    }
}

/// Tests of mutual TLS against nginx.
@Suite(.enabled(if: Nginx.isThere, "nginx is not there: it or openssl cannot be had; see bin/test"))
struct MutualTLSTests {
    @Test(arguments: [false, true]) func withACertificate(_ isOld: Bool) async throws {
        var settings = HTTPTransport.Settings()
        if isOld { settings.version = .http1Only }
        try settings.setClientCertificate(
            try Nginx.file("client.pem"),
            key: try Nginx.file("client.key"),
            authorities: try Nginx.file("ca.pem")
        )
        let url = try Nginx.clientURL("/who")
        let response = try await withHTTPTransport(settings) { try await $0.process(TransportRequest(.get, url)) }
        #expect(try await response.text() == "CN=ada")
    }

    @Test func withoutACertificate() async throws {
        let (settings, url) = (try Nginx.settings(), try Nginx.clientURL("/who"))
        // nginx reads the request before it answers that the certificate is missing.
        let response = try await withHTTPTransport(settings) { try await $0.process(TransportRequest(.get, url)) }
        #expect(response.status == .badRequest)
        #expect(try await response.text().contains("No required SSL certificate was sent"))
    }

    /// A certificate of an authority that the server doesn't trust.
    @Test func withAnothersCertificate() async throws {
        let folder = try TemporaryFolder()
        let command = """
            openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=eve -keyout eve.key -out eve.pem
            """
        let outcome = try await Tool(URL(fileURLWithPath: "/bin/sh")).run(["-c", "cd '\(folder.path)' && " + command])
        #expect(outcome.status == 0)
        var settings = HTTPTransport.Settings()
        try settings.setClientCertificate(
            folder.path(of: "eve.pem"),
            key: folder.path(of: "eve.key"),
            authorities: try Nginx.file("ca.pem")
        )
        let url = try Nginx.clientURL("/who")
        let response = try await withHTTPTransport(settings) { try await $0.process(TransportRequest(.get, url)) }
        #expect(response.status == .badRequest)
    }

    @Test func filesThatAreMissing() throws {
        var settings = HTTPTransport.Settings()
        #expect(throws: (any Error).self) { try settings.setClientCertificate("/nowhere/a.pem", key: "/nowhere/a.key") }
        #expect(settings.tls == nil)
    }
}
#endif
