#if HTTP
import Dispatch
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import Testing

/// Tests of the requests that the transport sends again by itself, and of those that it doesn't.
@Suite(.timeLimit(.minutes(20))) struct ResendTests {
    /// The end of a connection that was used before.
    enum End: String, CaseIterable, Sendable, CustomTestStringConvertible {
        /// The server closes it after it has read the request.
        case close
        /// The server resets it after it has read the request.
        case reset
        /// The server closes it after the first byte of an answer.
        case partOfAnswer

        var testDescription: String { rawValue }
    }

    /// Returns a server whose first connection answers one request, and ends with the second.
    private func server(_ end: End) throws -> HostileServer {
        let connections = Counter()
        return try HostileServer(serving: { connection in
            let isFirst = connections.next() == 1
            connection.receive()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            if !isFirst { return connection.waitForClose() }
            connection.receive()
            switch end {
            case .close: break
            case .reset: connection.reset()
            case .partOfAnswer: connection.send("H")
            }
        })
    }

    /// Uses a connection once, and sends a request over it that meets the connection's end.
    private func send(
        _ end: End,
        _ method: HTTPRequest.Method,
        _ headers: HTTPFields = [:],
        body: RequestBody? = nil
    ) async throws -> (result: Result<TransportResponse, any Error>, requests: Int) {
        let server = try server(end)
        defer { server.stop() }
        return try await withHTTPTransport(.init()) { transport in
            _ = try await transport.process(TransportRequest(.get, try server.url("/first")))
            let request = TransportRequest(method, try server.url("/second"), headers: headers, body: body)
            let result: Result<TransportResponse, any Error>
            do { result = .success(try await transport.process(request)) } catch { result = .failure(error) }
            return (result, server.requests.filter { $0.contains("/second") }.count)
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .put, .delete, .options], [End.close, .reset])
    func idempotentRequestIsSentOnceMore(_ method: HTTPRequest.Method, _ end: End) async throws {
        let (result, requests) = try await send(end, method)
        #expect(try result.get().status == .ok)
        #expect(requests == 2)
    }

    @Test(arguments: [End.close, .reset])
    func keyMakesAPOSTRepeatable(_ end: End) async throws {
        let (result, requests) = try await send(end, .post, [.idempotencyKey: "\"a\""], body: "x")
        #expect(try result.get().status == .ok)
        #expect(requests == 2)
    }

    @Test(arguments: [HTTPRequest.Method.post, .patch], End.allCases)
    func otherRequestIsNot(_ method: HTTPRequest.Method, _ end: End) async throws {
        let (result, requests) = try await send(end, method, body: "x")
        #expect(requests == 1)
        let error = #expect(throws: HTTPError.self) { try result.get() }
        #expect(error?.code == .unreachable)
        #expect(error?.isUnprocessed == false)
        #expect(error?.message.hasSuffix("; the server may have processed the request") == true)
    }

    @Test func bodyThatCannotBeReplayedIsNotSentAgain() async throws {
        let stream = RequestStream(
            AsyncStream<[UInt8]> { continuation in
                continuation.yield([1])
                continuation.finish()
            },
            count: 1
        )
        let (result, requests) = try await send(.close, .put, body: .stream(stream))
        #expect(throws: HTTPError.self) { try result.get() }
        #expect(requests == 1)
    }

    @Test func answerThatHasBegunIsNotAskedForAgain() async throws {
        let (result, requests) = try await send(.partOfAnswer, .get)
        #expect(throws: HTTPError.self) { try result.get() }
        #expect(requests == 1)
    }

    /// An informational answer (1xx) is part of the answer: the server has the request.
    @Test(arguments: [HTTPRequest.Method.get, .post]) func hintThatNothingFollows(_ method: HTTPRequest.Method)
        async throws
    {
        let server = try HostileServer("HTTP/1.1 103 Early Hints\r\n\r\n")
        defer { server.stop() }
        let request = TransportRequest(method, try server.url(), body: "x")
        let error = await #expect(throws: HTTPError.self) { try await HTTPTransport().process(request) }
        #expect(error?.isUnprocessed == false)
        #expect(error?.message.hasPrefix("no answer: ") == true)
        #expect(server.requests.count == 1)
    }

    @Test func newConnectionIsNotTriedAgain() async throws {
        let server = try HostileServer(serving: { $0.receive() })
        defer { server.stop() }
        let error = await #expect(throws: HTTPError.self) {
            try await withHTTPTransport(.init()) { transport in
                try await transport.process(TransportRequest(.get, try server.url()))
            }
        }
        #expect(error?.message == "no answer: the connection was closed")
        #expect(server.requests.count == 1)
    }

    /// A connection that the server closes after each answer. The next request meets every moment of its end, also the
    /// one when it is closed and the pool still offers it.
    @Test(arguments: [HTTPRequest.Method.get, .post])
    func connectionThatEndsAfterEachAnswer(_ method: HTTPRequest.Method) async throws {
        let server = try HostileServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        defer { server.stop() }
        // A loaded machine may take long for one connection of so many.
        var settings = HTTPTransport.Settings()
        settings.connectTimeout = .seconds(120)
        try await withHTTPTransport(settings) { transport in
            for number in 0..<1000 {
                let request = TransportRequest(method, try server.url("/\(number)/"), body: method == .post ? "x" : nil)
                do {
                    #expect(try await transport.process(request).status == .ok)
                } catch let error as HTTPError where method == .post {
                    // Only a request that was written may be lost, and only if it must not be repeated.
                    #expect(error.message.hasSuffix("; the server may have processed the request"))
                }
            }
        }
        // No POST came twice.
        let paths = server.requests.compactMap { $0.split(separator: " ").dropFirst().first }
        #expect(method == .get || Set(paths).count == paths.count)
    }

    /// A server that restarts ends all connections of a pool. The request meets one after another.
    @Test func allConnectionsOfAPoolMayBeLost() async throws {
        let connections = Counter()
        let together = DispatchSemaphore(value: 0)
        let server = try HostileServer(serving: { connection in
            connection.receive()
            let number = connections.next()
            // Holds the answers until all five requests have come, each over its own connection.
            if number == 5 { for _ in 1..<5 { together.signal() } } else if number < 5 { together.wait() }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            if number > 5 { connection.waitForClose() } else { connection.receive() }
        })
        defer { server.stop() }
        try await withHTTPTransport(.init()) { transport in
            let request = TransportRequest(.get, try server.url())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<5 { group.addTask { _ = try await transport.process(request) } }
                try await group.waitForAll()
            }
            let response = try await transport.process(request)
            #expect(response.body.bytes == Array("ok".utf8))
        }
        #expect(connections.value == 6)
    }

    @Test func newConnectionAfterALostOneIsTriedOnce() async throws {
        let connections = Counter()
        let server = try HostileServer(serving: { connection in
            connection.receive()
            guard connections.next() == 1 else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            connection.receive()
        })
        defer { server.stop() }
        try await withHTTPTransport(.init()) { transport in
            let request = TransportRequest(.get, try server.url())
            _ = try await transport.process(request)
            await #expect(throws: HTTPError.self) { try await transport.process(request) }
        }
        #expect(server.requests.count == 3)
    }

    // MARK: - Errors

    /// A time limit may end an attempt on a loaded machine before the request is sent, which is another case: then a
    /// longer one is tried, until the server has received the request.
    @Test(arguments: [HTTPRequest.Method.get, .post])
    func errorSaysThatARequestMayHaveBeenProcessed(_ method: HTTPRequest.Method) async throws {
        let hint = "; the server may have processed the request"
        let silent = try HostileServer(serving: { connection in
            connection.receive()
            connection.waitForClose()
        })
        defer { silent.stop() }
        let short = try HostileServer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok")
        defer { short.stop() }

        func check(
            _ name: String,
            _ process: (TransportRequest, Duration) async throws -> TransportResponse
        ) async throws {
            for round in 0..<12 {
                let path = "/\(name)/\(round)"
                let request = TransportRequest(method, try silent.url(path), body: "x")
                let error = await #expect(throws: HTTPError.self) {
                    try await process(request, .milliseconds(30 << round))
                }
                guard silent.requests.contains(where: { $0.hasPrefix("\(method.rawValue) \(path) ") }) else { continue }
                #expect(error?.message.hasSuffix(hint) == (method == .post), "\(name): \(error.map { "\($0)" } ?? "")")
                return
            }
            Issue.record("\(name): the request was never received")
        }
        try await check("idle") { request, limit in
            var settings = HTTPTransport.Settings()
            settings.idleTimeout = limit
            return try await withHTTPTransport(settings) { try await $0.process(request) }
        }
        try await check("attempt") { request, limit in
            try await withHTTPTransport(.init()) { transport in
                try await CallTimeoutFilter(limit, of: .attempt).andThen(transport).process(request)
            }
        }
        try await check("deadline") { request, limit in
            try await withHTTPTransport(.init()) { transport in
                var context = CallContext()
                context.deadline = .now + limit
                return try await withCallContext(context) { try await transport.process(request) }
            }
        }
        let error = await #expect(throws: HTTPError.self) {
            try await withHTTPTransport(.init()) { transport in
                try await transport.process(TransportRequest(method, try short.url("/short"), body: "x"))
            }
        }
        #expect(error?.message.hasSuffix(hint) == (method == .post), "\(error.map { "\($0)" } ?? "")")
    }

    @Test func errorDoesNotSayItOfARequestThatWasNotSent() async throws {
        let request = TransportRequest(.post, try .of("http://127.0.0.1:1/"), body: "x")
        let transport = HTTPTransport()
        let refused = await #expect(throws: HTTPError.self) { try await transport.process(request) }
        #expect(refused?.isUnprocessed == true)
        #expect(refused?.message.contains("processed") == false)

        var context = CallContext()
        context.deadline = .now - .seconds(1)
        await withCallContext(context) {
            let late = await #expect(throws: HTTPError.self) { try await transport.process(request) }
            #expect(late?.isUnprocessed == true)
            let limited = CallTimeoutFilter(.seconds(9), of: .total).andThen(transport)
            let limit = await #expect(throws: HTTPError.self) { try await limited.process(request) }
            #expect(limit?.isUnprocessed == true)
            #expect(limit?.message.contains("processed") == false)
        }
    }
}
#endif
