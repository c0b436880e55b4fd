#if HTTP
import Foundation
import HTTPTypes
import Sluice
import Testing

@testable import SluiceHTTP

/// Tests of the body of a request, as a server sees it.
@Suite struct OutgoingBodyTests {
    struct Broken: Error, CustomStringConvertible {
        var description: String { "the tap is dry" }
    }

    static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    /// Returns a stream of these chunks.
    static func chunks(_ chunks: [String], then error: (any Error)? = nil) -> ByteStream {
        ByteStream {
            var rest = chunks[...]
            return {
                if let chunk = rest.popFirst() { return Array(chunk.utf8) }
                if let error { throw error }
                return nil
            }
        }
    }

    func sent(_ body: RequestBody?) async throws -> String {
        let server = try HostileServer(Self.answer)
        defer { server.stop() }
        _ = try await HTTPTransport().process(TransportRequest(.post, try server.url(), body: body))
        return try #require(server.requests.first)
    }

    func error(_ body: RequestBody) async throws -> HTTPError? {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.waitForClose()
        })
        defer { server.stop() }
        let request = TransportRequest(.post, try server.url(), body: body)
        return await #expect(throws: HTTPError.self) { try await HTTPTransport().process(request) }
    }

    @Test func bytes() async throws {
        let request = try await sent("hello").lowercased()
        #expect(request.contains("content-length: 5\r\n"))
        #expect(request.hasSuffix("\r\n\r\nhello"))
    }

    @Test func file() async throws {
        let path = NSTemporaryDirectory() + "/sluice-\(UUID().uuidString)"
        // Several pieces of 64 KiB, with an incomplete last one.
        let text = String(repeating: "0123456789", count: 20_000)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let request = try await sent(.file(path))
        #expect(request.lowercased().contains("content-length: 200000\r\n"))
        #expect(request.hasSuffix("\r\n\r\n" + text))
    }

    @Test func emptyFile() async throws {
        let path = NSTemporaryDirectory() + "/sluice-\(UUID().uuidString)"
        try Data().write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try await sent(.file(path)).lowercased().contains("content-length: 0\r\n"))
    }

    @Test func fileThatIsNotThere() async throws {
        let error = try await error(.file("/no/such/file"))
        #expect(error?.code == .badRequest)
        #expect(error?.message == "the body cannot be read: /no/such/file: No such file or directory")
    }

    @Test func folder() async throws {
        let error = try await error(.file("/tmp"))
        #expect(error?.code == .badRequest)
        #expect(error?.message == "the body cannot be read: /tmp: a folder")
    }

    @Test func streamWithACount() async throws {
        let stream = RequestStream(count: 10, isReplayable: true) { Self.chunks(["hello", "", "world"]) }
        let request = try await sent(.stream(stream))
        #expect(request.lowercased().contains("content-length: 10\r\n"))
        #expect(request.hasSuffix("\r\n\r\nhelloworld"))
    }

    @Test func streamWithoutACount() async throws {
        let server = try HostileServer(serving: { connection in
            var request = connection.receive()
            while !request.hasSuffix("\r\n0\r\n\r\n") { request += connection.receive() }
            connection.send(request.contains("\r\n5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n") ? Self.answer : "no")
        })
        defer { server.stop() }
        let stream = RequestStream(count: nil, isReplayable: true) { Self.chunks(["hello", "world"]) }
        let request = TransportRequest(.post, try server.url(), body: .stream(stream))
        #expect(try await HTTPTransport().process(request).status == .ok)
    }

    @Test func streamThatGivesTooMuch() async throws {
        let error = try await error(
            .stream(RequestStream(count: 8, isReplayable: true) { Self.chunks(["hello", "world"]) })
        )
        #expect(error?.code == .badRequest)
        #expect(error?.message == "the body has more than 8 bytes")
    }

    @Test func streamThatGivesTooLittle() async throws {
        let error = try await error(
            .stream(RequestStream(count: 11, isReplayable: true) { Self.chunks(["hello", "world"]) })
        )
        #expect(error?.code == .badRequest)
        #expect(error?.message == "the body ended after 10 of 11 bytes")
    }

    @Test func streamThatThrows() async throws {
        let error = try await error(
            .stream(RequestStream(count: nil, isReplayable: true) { Self.chunks(["hello"], then: Broken()) })
        )
        #expect(error?.code == .failed)
        #expect(error?.message == "the body broke off: the tap is dry")
        #expect(error?.cause is Broken)
    }

    @Test func streamThatCannotBegin() async throws {
        let error = try await error(.stream(RequestStream(count: nil, isReplayable: true) { throw Broken() }))
        #expect(error?.message == "the body broke off: the tap is dry")
    }

    @Test func oneTimeStreamSentTwice() async throws {
        let server = try HostileServer(Self.answer)
        defer { server.stop() }
        let body = RequestBody.stream(RequestStream(Self.chunks(["hello"]), count: 5))
        let request = TransportRequest(.post, try server.url(), body: body)
        #expect(try await HTTPTransport().process(request).status == .ok)
        let error = await #expect(throws: HTTPError.self) { try await HTTPTransport().process(request) }
        #expect(error?.code == .badRequest)
        #expect(
            error?.message
                == "the body was already sent and cannot be sent again: send bytes or a file, or a stream that can"
        )
        #expect(server.requests.count == 1)
    }

    @Test func cancelReachesTheStream() async throws {
        let server = try HostileServer(serving: { connection in connection.waitForClose() })
        defer { server.stop() }
        let (asked, tell) = AsyncStream<Bool>.makeStream()
        let (cancelled, told) = AsyncStream<Bool>.makeStream()
        let stream = RequestStream(count: nil, isReplayable: true) {
            ByteStream {
                {
                    tell.yield(true)
                    do {
                        try await untilCancelled()
                    } catch {
                        told.yield(true)
                        throw error
                    }
                    return nil
                }
            }
        }
        let request = TransportRequest(.post, try server.url(), body: .stream(stream))
        let call = Task { try await HTTPTransport().process(request) }
        for await _ in asked { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        for await _ in cancelled { break }
    }
}
#endif
