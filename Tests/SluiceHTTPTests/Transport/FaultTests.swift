#if HTTP
import Foundation
import HTTPTypes
import Sluice
import Testing

@testable import SluiceHTTP

/// Tests of the transport with connections that break, stall, or never end.
@Suite struct FaultTests {
    static let head = "HTTP/1.1 200 OK\r\n"

    /// Returns the error of a request over a transport of its own.
    func error(
        _ server: HostileServer,
        _ change: (inout HTTPTransport.Settings) -> Void = { _ in }
    ) async throws -> HTTPError? {
        defer { server.stop() }
        return try await error(of: server, change)
    }

    /// Returns the error of a request over a transport of its own; the server keeps running.
    func error(
        of server: HostileServer,
        _ change: (inout HTTPTransport.Settings) -> Void = { _ in }
    ) async throws -> HTTPError? {
        var settings = HTTPTransport.Settings()
        change(&settings)
        let request = TransportRequest(.get, try server.url())
        return await #expect(throws: HTTPError.self) {
            try await withHTTPTransport(settings) { transport async throws in
                try await transport.process(request).whole(upTo: 1 << 20)
            }
        }
    }

    @Test(arguments: [HTTPTransport.BodyMode.whole(upTo: 1 << 20), .streamed])
    func resetInTheMiddleOfABody(_ body: HTTPTransport.BodyMode) async throws {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.send(Self.head + "Content-Length: 10\r\n\r\nhello")
            connection.reset()
        })
        let error = try await error(server) { $0.body = body }
        #expect(error?.code == .unreachable)
        // The result depends on whether the reset overtakes the bytes before it.
        #expect(
            error?.message.contains("the answer broke off: ") == true || error?.message.contains("no answer: ") == true
        )
        #expect(error?.message.hasSuffix("the connection was reset") == true, "\(error?.message ?? "")")
        #expect(error?.isPassing == true)
    }

    @Test(arguments: [HTTPTransport.BodyMode.whole(upTo: 1 << 20), .streamed])
    func truncatedChunk(_ body: HTTPTransport.BodyMode) async throws {
        let server = try HostileServer(Self.head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel")
        let error = try await error(server) { $0.body = body }
        #expect(error?.code == .unreachable)
        #expect(error?.message == "the answer broke off: the connection was closed")
    }

    @Test(arguments: [HTTPTransport.BodyMode.whole(upTo: 1 << 20), .streamed])
    func fewerBytesThanContentLength(_ body: HTTPTransport.BodyMode) async throws {
        let server = try HostileServer(Self.head + "Content-Length: 10\r\n\r\nhello")
        let error = try await error(server) { $0.body = body }
        #expect(error?.message == "the answer broke off: the connection was closed")
    }

    @Test(arguments: [" there", "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison"])
    func moreBytesThanContentLength(_ rest: String) async throws {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.send(Self.head + "Content-Length: 2\r\n\r\nhi" + rest)
            connection.waitForClose()
        })
        defer { server.stop() }
        let request = TransportRequest(.get, try server.url())
        // The answer ends at its declared length; further bytes end the connection, and are no answer to any request.
        try await withHTTPTransport { transport async throws in
            #expect(try await transport.process(request).body.bytes == Array("hi".utf8))
            for _ in 0..<5 {
                do {
                    #expect(try await transport.process(request).body.bytes == Array("hi".utf8))
                } catch let error as HTTPError {
                    // The request was sent over the connection at the moment when it ended.
                    #expect(error.code == .unreachable)
                }
            }
        }
    }

    @Test(arguments: ["Content-Length: -1\r\n", "Content-Length: x\r\n", "Content-Length: 1\r\nContent-Length: 2\r\n"])
    func contentLengthThatIsNone(_ field: String) async throws {
        let error = try await error(try HostileServer(Self.head + field + "\r\nhi"))
        #expect(error?.code == .unreachable)
        #expect(error?.message.hasPrefix("no answer: not an answer of HTTP") == true)
    }

    @Test func slowHeader() async throws {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.send(Self.head + "Content-Le")
            connection.waitForClose()
        })
        let error = try await error(server) { $0.idleTimeout = .milliseconds(60) }
        #expect(error?.code == .timedOut)
        #expect(error?.timeout == .idle)
        #expect(error?.message == "no answer in time")
        #expect(error?.isPassing == true)
    }

    @Test(arguments: [HTTPTransport.BodyMode.whole(upTo: 1 << 20), .streamed])
    func bodyThatStalls(_ body: HTTPTransport.BodyMode) async throws {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.send(Self.head + "Content-Length: 10\r\n\r\nhello")
            connection.waitForClose()
        })
        defer { server.stop() }
        let isAnswered = try await withGrowingTime { time in
            let error = try await error(of: server) {
                $0.body = body
                $0.idleTimeout = time
            }
            #expect(error?.timeout == .idle)
            return error?.message == "the answer broke off: no more of it in time"
        }
        #expect(isAnswered)
    }

    @Test(arguments: [HTTPTransport.BodyMode.whole(upTo: 1 << 20), .streamed])
    func deadlineOfTheCall(_ body: HTTPTransport.BodyMode) async throws {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.send(Self.head + "Content-Length: 10\r\n\r\nhello")
            connection.waitForClose()
        })
        defer { server.stop() }
        let request = TransportRequest(.get, try server.url())
        let isAnswered = await withGrowingTime { time in
            var context = CallContext.current
            context.deadline = .now + time
            let error = await #expect(throws: HTTPError.self) {
                try await withCallContext(context) {
                    try await HTTPTransport(body: body).process(request).whole(upTo: 1 << 20)
                }
            }
            #expect(error?.code == .timedOut)
            #expect(error?.timeout == .total)
            return error?.message == "the answer broke off: the deadline of the call has passed"
        }
        #expect(isAnswered)
    }

    @Test func deadlineBeforeTheHead() async throws {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.waitForClose()
        })
        defer { server.stop() }
        let request = TransportRequest(.get, try server.url())
        let isSent = await withGrowingTime { time in
            var context = CallContext.current
            context.deadline = .now + time
            let error = await #expect(throws: HTTPError.self) {
                try await withCallContext(context) { try await HTTPTransport().process(request) }
            }
            #expect(error?.timeout == .total)
            return error?.message == "no answer: the deadline of the call has passed"
        }
        #expect(isSent)
    }

    @Test func deadlineThatHasPassed() async throws {
        let request = TransportRequest(.get, try #require(URL(string: "http://127.0.0.1:9/")))
        var context = CallContext.current
        context.deadline = .now - .seconds(1)
        let error = await #expect(throws: HTTPError.self) {
            try await withCallContext(context) { try await HTTPTransport().process(request) }
        }
        #expect(error?.timeout == .total)
        #expect(error?.message == "the deadline of the call has passed")
    }

    @Test func endlessBodyAgainstALimit() async throws {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.send(Self.head + "\r\n")
            let piece = [UInt8](repeating: 65, count: 1 << 16)
            while connection.send(piece) {}
        })
        let error = try await error(server) { $0.body = .whole(upTo: 1 << 20) }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.message == "the body is longer than 1048576 bytes")
        #expect(error?.isPassing == false)
    }

    @Test func contentLengthAboveTheLimit() async throws {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.send(Self.head + "Content-Length: 9223372036854775807\r\n\r\n")
            connection.waitForClose()
        })
        let error = try await error(server) { $0.body = .whole(upTo: 100) }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.message == "the body is longer than 100 bytes")
    }

    @Test func hintsWithoutAnEnd() async throws {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            while connection.send("HTTP/1.1 103 Early Hints\r\n\r\n") {}
        })
        let error = try await error(server)
        #expect(error?.code == .unreachable)
        #expect(error?.message == "no answer: not an answer of HTTP (more than 100 answers of 1xx)")
    }

    @Test func hundredHintsAreFine() async throws {
        let hints = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 100)
        let server = try HostileServer(hints + Self.head + "Content-Length: 2\r\n\r\nhi")
        defer { server.stop() }
        let response = try await HTTPTransport().process(TransportRequest(.get, try server.url()))
        #expect(response.body.bytes == Array("hi".utf8))
    }

    @Test func fieldWithoutAnEnd() async throws {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.send(Self.head + "X-Bomb: ")
            let piece = [UInt8](repeating: 65, count: 1 << 16)
            while connection.send(piece) {}
        })
        let error = try await error(server)
        #expect(error?.code == .unreachable)
        #expect(error?.message == "no answer: not an answer of HTTP (too many header bytes seen; overflow detected)")
    }

    @Test func fieldsWithoutAnEnd() async throws {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.send(Self.head)
            while connection.send("X-Bomb: 0123456789\r\n") {}
        })
        let error = try await error(server)
        #expect(error?.code == .unreachable)
        #expect(error?.message == "no answer: not an answer of HTTP (too many header bytes seen; overflow detected)")
    }

    @Test func cancelClosesTheConnection() async throws {
        let (closed, told) = AsyncStream<Bool>.makeStream()
        let (asked, tell) = AsyncStream<Bool>.makeStream()
        let server = try HostileServer(serving: { connection in
            connection.receive()
            tell.yield(true)
            connection.waitForClose()
            told.yield(true)
        })
        defer { server.stop() }
        let request = TransportRequest(.get, try server.url())
        let call = Task { try await HTTPTransport().process(request) }
        for await _ in asked { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        for await _ in closed { break }
    }

    @Test func leavingAStreamClosesTheConnection() async throws {
        let (closed, told) = AsyncStream<Bool>.makeStream()
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.send(Self.head + "\r\nhello")
            connection.waitForClose()
            told.yield(true)
        })
        defer { server.stop() }
        let response = try await HTTPTransport(body: .streamed).process(TransportRequest(.get, try server.url()))
        for try await chunk in response.body {
            #expect(chunk == Array("hello".utf8))
            break
        }
        for await _ in closed { break }
    }

    @Test func bodyThatIsNotReadClosesTheConnection() async throws {
        let (closed, told) = AsyncStream<Bool>.makeStream()
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.send(Self.head + "\r\nhello")
            connection.waitForClose()
            told.yield(true)
        })
        defer { server.stop() }
        let status = try await HTTPTransport(body: .streamed).process(TransportRequest(.get, try server.url())).status
        #expect(status == .ok)
        for await _ in closed { break }
    }

    /// The reader pauses for longer than the idle timeout. A loaded machine may stall the server for as long, so that the
    /// timeout rightly ends the answer: then a longer one is tried, with a longer pause. If pauses counted, all would fail.
    @Test func slowReaderIsNotPunished() async throws {
        let size = 4 << 20
        let server = try HostileServer(serving: { connection in
            if connection.receive().hasPrefix("GET /silent ") { return connection.waitForClose() }
            connection.send(Self.head + "Content-Length: \(size)\r\n\r\n")
            connection.send([UInt8](repeating: 65, count: size))
            connection.waitForClose()
        })
        defer { server.stop() }
        for round in 0..<6 {
            do {
                #expect(try await slowlyRead(from: server, idleTimeout: .milliseconds(500 << round)) == size)
                return
            } catch let error as HTTPError where error.timeout == .idle && round < 5 {}
        }
    }

    /// Reads an answer, with a pause of twice the idle timeout after its first chunk, and returns its size.
    private func slowlyRead(from server: HostileServer, idleTimeout: Duration) async throws -> Int {
        var settings = HTTPTransport.Settings()
        settings.body = .streamed
        settings.idleTimeout = idleTimeout
        let (url, silent) = (try server.url(), try server.url("/silent"))
        return try await withHTTPTransport(settings) { transport async throws in
            let response = try await transport.process(TransportRequest(.get, url))
            var count = 0
            for try await chunk in response.body {
                if count == 0 {
                    // This takes longer than the idle timeout, which ends it; twice.
                    for _ in 0..<2 {
                        let error = await #expect(throws: HTTPError.self) {
                            try await transport.process(TransportRequest(.get, silent))
                        }
                        #expect(error?.timeout == .idle)
                    }
                }
                count += chunk.count
            }
            return count
        }
    }
}
#endif
