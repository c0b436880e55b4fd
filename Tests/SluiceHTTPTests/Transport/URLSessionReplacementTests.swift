#if HTTP
#if canImport(Darwin) || URLSession
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceTestSupport
import Testing

@testable import SluiceHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tests of the transport over URLSession as a replacement for `HTTPTransport`.
@Suite(.timeLimit(.minutes(5))) struct URLSessionReplacementTests {
    /// A server that sends a part of an answer, and then nothing until the client leaves.
    private static func stalling(_ part: String, length: Int) throws -> HostileServer {
        try HostileServer(serving: { connection in
            connection.receive()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n" + part)
            connection.waitForClose()
        })
    }

    /// Returns what a transport says about a body that stalls.
    private func failure(_ transport: some Transport, _ request: TransportRequest) async -> HTTPError? {
        var context = CallContext.current
        context.deadline = .now + .seconds(1)
        return await withCallContext(context) {
            await #expect(throws: HTTPError.self) {
                let response = try await transport.process(request)
                for try await _ in response.body {}
            }
        }
    }

    /// The deadline of a call ends the body too, in every mode, as with the other transport.
    @Test func aBodyThatStalls() async throws {
        let server = try Self.stalling("abc", length: 100_000)
        defer { server.stop() }
        let request = TransportRequest(.get, try server.url())
        let expected = await failure(HTTPTransport(body: .streamed), request)
        #expect(expected?.code == .timedOut && expected?.timeout == .total)
        for mode in URLSessionTransportTests.modes {
            let error = await failure(URLSessionTransport(mode: mode), request)
            #expect(error?.code == .timedOut && error?.timeout == .total, "\(mode)")
        }
    }

    /// A file that becomes too long ends the exchange, though the server would go on.
    @Test func anEndlessFile() async throws {
        let server = try Self.stalling(String(repeating: "a", count: 200_000), length: 1 << 30)
        defer { server.stop() }
        let error = await #expect(throws: HTTPError.self) {
            try await URLSessionTransport(mode: .files(upTo: 1000)).process(TransportRequest(.get, try server.url()))
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.message == "the body is longer than 1000 bytes")
    }

    /// A file is not read if it is longer than allowed. This one would not fit into memory.
    @Test func aLongFileIsNotRead() throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: try folder.write("long", [1, 2, 3]))
        #expect(try SessionExchange.contents(of: file, upTo: 3) == Data([1, 2, 3]))
        #expect(throws: ByteStreamError.tooLong(limit: 2)) { try SessionExchange.contents(of: file, upTo: 2) }
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 1 << 40)
        try handle.close()
        #expect(throws: ByteStreamError.tooLong(limit: 3)) { try SessionExchange.contents(of: file, upTo: 3) }
    }

    /// A filter that notes requests and answers them itself.
    private final class Hook: SimpleFilter<TransportRequest, TransportResponse> {
        private let log = Locked<[TransportRequest]>([])
        var requests: [TransportRequest] { log.withLock { $0 } }

        func process(
            _ request: TransportRequest,
            next: some Node<TransportRequest, TransportResponse>
        ) async throws -> TransportResponse {
            log.withLock { $0.append(request) }
            if request.url.path == "/wire" { return try await next.process(request) }
            return .of(203)
        }
    }

    /// The hook of all transports sees the request as it is sent, and may answer without sending it.
    @Test func theHook() async throws {
        let server = try OriginServer { _, _ in .of(200) }
        let hook = Hook()
        var context = CallContext.current
        context.idempotencyKey = "key-1"
        let sent = context
        let statuses = try await HTTPTransport.hooked(by: hook) {
            try await withCallContext(sent) {
                let transport = URLSessionTransport()
                let wire = try await transport.process(TransportRequest(.post, try server.url("/wire"))).status.code
                return [
                    wire, try await transport.process(TransportRequest(.post, try server.url("/stub"))).status.code,
                ]
            }
        }
        #expect(statuses == [200, 203])
        #expect(server.paths == ["/wire"])
        #expect(hook.requests.map { $0.headers[.idempotencyKey] } == [#""key-1""#, #""key-1""#])
        #expect(server.requests.first?["Idempotency-Key"] == #""key-1""#)
    }

    /// Only the user of the process can read the file with the body of a request; it ends with the exchange.
    @Test func theFileOfABody() async throws {
        var upload: SessionUpload? = try await SessionUpload(.bytes([1, 2, 3]), inFile: true)
        let path = try #require(upload?.file?.path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
        upload = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// A body that can't be read is an error of HTTP, and nothing is sent.
    @Test(arguments: URLSessionTransportTests.modes) func aBodyThatBreaksOff(_ mode: URLSessionTransport.Mode)
        async throws
    {
        struct Broken: Error {}
        let server = try OriginServer { _, _ in .of(200) }
        let stream = RequestStream(count: nil, isReplayable: true) { ByteStream { return { throw Broken() } } }
        let request = TransportRequest(.put, try server.url(), body: .stream(stream))
        let error = await #expect(throws: HTTPError.self) { try await URLSessionTransport(mode: mode).process(request) }
        #expect(error?.code == .failed && error?.cause is Broken)
        #expect(server.requests.isEmpty)
    }

    /// The configuration of the program keeps its stores.
    @Test func theConfiguration() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = .shared
        configuration.urlCache = .shared
        configuration.httpShouldSetCookies = true
        _ = URLSessionTransport(configuration)
        #expect(configuration.httpCookieStorage === HTTPCookieStorage.shared)
        #expect(configuration.urlCache === URLCache.shared)
        #expect(configuration.httpShouldSetCookies)
    }
}
#endif
#endif
