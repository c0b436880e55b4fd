#if NATS
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceNATS

@Suite(.enabled(if: hasServer, "nats-server isn't installed"), .timeLimit(.minutes(2))) struct NATSConnectionTests {
    @Test func connectsAndCloses() async throws {
        let connected = try await Connected()
        #expect(connected.connection.state == .connected)
        #expect(connected.connection.largestPayload == 1 << 20)
        connected.connection.close()
        #expect(connected.connection.state == .closed)
        await #expect(throws: NATSError.closed) {
            try await connected.connection.perform { _ = try $0.streamState("a") }
        }
    }

    @Test func noServerIsAnErrorWithTheAddress() async throws {
        let server = try NATSServer()
        server.kill()
        let error = await #expect(throws: NATSError.self) {
            try await NATSConnection.connect(NATSSettings("nats://ada:s3cret@127.0.0.1:\(server.port)"))
        }
        #expect(
            error?.description
                == "no NATS server answers at nats://127.0.0.1:\(server.port) (No server available for connection): "
                + "start it with nats-server -js, or correct the address"
        )
    }

    @Test func credentialsAreNeededWhereTheServerAsksForThem() async throws {
        let server = try NATSServer(["--user", "ada", "--pass", "s3cret"])
        let address = "127.0.0.1:\(server.port)"
        _ = try await NATSConnection.connect(NATSSettings("nats://ada:s3cret@\(address)"))
        let error = await #expect(throws: NATSError.self) {
            try await NATSConnection.connect(NATSSettings("nats://ada:wrong@\(address)"))
        }
        guard case .unauthorized(let shown, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(shown == "nats://\(address)")
    }

    @Test func filesThatCannotBeReadAreInvalidSettings() async throws {
        var settings = NATSSettings("tls://127.0.0.1:1")
        settings.authorities = "/no/such/file"
        let error = await #expect(throws: NATSError.self) { try await NATSConnection.connect(settings) }
        guard case .invalidSettings(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("the authorities in /no/such/file: "))
    }

    @Test func tlsIsUsedWithTheAuthorityOfTheServer() async throws {
        let folder = try TemporaryFolder()
        let key = folder.path(of: "key.pem")
        let certificate = folder.path(of: "cert.pem")
        let made = try await Tool(URL(fileURLWithPath: "/usr/bin/env")).run([
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate,
        ])
        try #require(made.status == 0)
        let server = try NATSServer(["--tls", "--tlscert", certificate, "--tlskey", key])
        var settings = NATSSettings("tls://127.0.0.1:\(server.port)")
        settings.authorities = certificate
        let connection = try await NATSConnection.connect(settings)
        #expect(connection.state == .connected)
        // Without the authority, the certificate isn't trusted.
        await #expect(throws: NATSError.self) {
            try await NATSConnection.connect(NATSSettings("tls://127.0.0.1:\(server.port)"))
        }
    }

    @Test func aServerThatComesBackIsFound() async throws {
        let connected = try await Connected()
        let connection = connected.connection
        try await connection.perform { connection in
            _ = try connection.bucket(NATSBucketSettings(name: "b")).put([1], for: "k")
        }
        connected.server.kill()
        while connection.state == .connected { await Task.yield() }
        #expect(connection.state == .reconnecting)
        let server = try connected.server.restarted()
        let value = try await connection.perform { connection in
            connection.waitUntilConnected()
            return try connection.bucket(NATSBucketSettings(name: "b")).value(of: "k")
        }
        #expect(value == NATSEntry(key: "k", value: [1], revision: 1))
        #expect(connection.state == .connected)
        withExtendedLifetime(server) {}
    }

    @Test func whatIsCanceledBeforeItBeginsDoesNothing() async throws {
        let connection = try await Connected().connection
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await connection.perform { _ in Issue.record("it was called") }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func addressesAreShownWithoutSecrets() {
        #expect(NATSSettings("nats://ada:s3cret@a:4222,tls://t0ken@b").shownAddress == "nats://a:4222,tls://b")
        #expect(NATSSettings("127.0.0.1:4222").servers == ["nats://127.0.0.1:4222"])
    }
}
#endif
