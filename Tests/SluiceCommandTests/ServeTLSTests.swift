#if Command
import Foundation
import SluiceTestSupport
import Testing

/// A hub that speaks https, with certificates that openssl makes for the test.
@Suite(.timeLimit(.minutes(30))) struct ServeTLSTests {
    let folder: ScratchFolder
    let openssl = Tool(URL(fileURLWithPath: "/usr/bin/openssl"))

    init() throws { folder = try ScratchFolder() }

    /// Makes a certificate and its key, and returns the certificate as text.
    @discardableResult
    private func makeCertificate(_ name: String) async throws -> String {
        let outcome = try await openssl.run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout", path(name, "key"), "-out", path(name, "pem"),
        ])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try folder.text(name + ".pem")
    }

    private func path(_ name: String, _ ending: String) -> String { "\(folder.path)/\(name).\(ending)" }

    /// Puts a certificate and its key where the hub reads them.
    private func install(_ name: String) throws {
        for ending in ["pem", "key"] {
            try Data(folder.text("\(name).\(ending)").utf8).write(to: URL(fileURLWithPath: path("hub", ending)))
        }
    }

    private func serve(_ arguments: String...) async throws -> ServedHub {
        try await ServedHub(
            Tool.sluice.start(
                [
                    "serve", "--port", "0", "--store", folder.path + "/hub.sqlite", "--tls-certificate",
                    path("hub", "pem"), "--tls-key", path("hub", "key"),
                ] + arguments
            )
        )
    }

    /// Sends a request over TLS, with the certificates that are trusted, and returns the answer.
    private func ask(_ hub: ServedHub, trusting name: String, _ request: String) async throws -> Tool.Outcome {
        try await openssl.run(
            [
                "s_client", "-quiet", "-connect", "127.0.0.1:\(hub.port)", "-servername", "localhost",
                "-verify_hostname", "localhost", "-CAfile", path(name, "pem"), "-verify_return_error",
            ],
            input: request
        )
    }

    /// Returns the certificate that the hub shows.
    private func shown(by hub: ServedHub) async throws -> String {
        let outcome = try await openssl.run(["s_client", "-connect", "127.0.0.1:\(hub.port)"])
        let start = outcome.output.range(of: "-----BEGIN CERTIFICATE-----")?.lowerBound
        let end = outcome.output.range(of: "-----END CERTIFICATE-----\n")?.upperBound
        return String(outcome.output[try #require(start)..<(try #require(end))])
    }

    @Test func servesOverTLSAlone() async throws {
        for name in ["first", "other"] { try await makeCertificate(name) }
        try install("first")
        let token = String(repeating: "t", count: 16)
        let hub = try await serve("--token", token)
        #expect(hub.address == "https://127.0.0.1:\(hub.port)/")
        let health = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let answer = try await ask(hub, trusting: "first", health)
        #expect(answer.output.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.output.hasSuffix(#"{"status":"ok"}"#))
        let untrusted = try await ask(hub, trusting: "other", health)
        #expect(untrusted.status != 0 && untrusted.output.isEmpty)

        // Nothing is answered to plain http.
        let plain = try RawSocket(port: hub.port).ask(health)
        #expect(!plain.contains("HTTP/1.1"))

        // The cookie is https's own.
        let body = #"{"token": "\#(token)"}"#
        let login = try await ask(
            hub,
            trusting: "first",
            "POST /session HTTP/1.1\r\nHost: localhost\r\nOrigin: https://localhost\r\nConnection: close\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        #expect(login.output.hasPrefix("HTTP/1.1 204 "))
        let cookie = try #require(login.output.firstMatch(of: /__Host-sluice_session_(\d+)=[0-9a-f]{64}; .*; Secure/))
        #expect(Int(cookie.1) == hub.port)
    }

    /// SIGHUP reads the files again; files that can't be used change nothing.
    @Test func aCertificateIsReplacedWhileTheHubRuns() async throws {
        var certificates: [String] = []
        for name in ["first", "second", "third"] { certificates.append(try await makeCertificate(name)) }
        try install("first")
        let hub = try await serve()
        #expect(try await shown(by: hub) == certificates[0])
        try install("second")
        #expect(try await shown(by: hub) == certificates[0])
        hub.running.signal(SIGHUP)
        try await hub.running.waitUntil { (try? await shown(by: hub)) == certificates[1] }
        for text in ["no certificate", try folder.text("third.key")] {
            _ = try folder.write(text, "hub.pem")
            hub.running.signal(SIGHUP)
            #expect(try await shown(by: hub) == certificates[1])
        }
        // A key of another certificate.
        _ = try folder.write(certificates[2], "hub.pem")
        hub.running.signal(SIGHUP)
        #expect(try await shown(by: hub) == certificates[1])
        try install("third")
        hub.running.signal(SIGHUP)
        try await hub.running.waitUntil { (try? await shown(by: hub)) == certificates[2] }
    }

    @Test(arguments: [("first", "second"), ("none", "first"), ("first", "none")])
    func filesThatCannotBeUsedAreRefused(_ certificate: String, _ key: String) async throws {
        for name in ["first", "second"] { try await makeCertificate(name) }
        let outcome = try await Tool.sluice.run([
            "serve", "--port", "0", "--store", folder.path + "/hub.sqlite", "--tls-certificate",
            path(certificate, "pem"), "--tls-key", path(key, "key"),
        ])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("can't be used for https"), "\(outcome.errors)")
    }
}
#endif
