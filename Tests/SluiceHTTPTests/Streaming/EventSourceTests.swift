#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceTesting
import Testing

@Suite struct EventSourceTests {
    let request: TransportRequest
    let clock = TestClock()

    init() throws { request = TransportRequest(.get, try #require(URL(string: "http://example.com/events"))) }

    /// A server that returns its answers in order, and keeps the requests.
    final class Server: Node {
        let asked = Locked<[TransportRequest]>([])
        let answers: [@Sendable () throws -> TransportResponse]

        init(_ answers: [@Sendable () throws -> TransportResponse]) { self.answers = answers }

        func process(_ request: TransportRequest) async throws -> TransportResponse {
            let index = asked.withLock { asked in
                asked.append(request)
                return asked.count - 1
            }
            return try answers[min(index, answers.count - 1)]()
        }

        var identifiers: [String?] { asked.withLock { $0.map { $0["Last-Event-ID"] } } }
    }

    static func events(_ text: String, type: String = "text/event-stream; charset=utf-8") -> TransportResponse {
        TransportResponse(headers: [.contentType: type], body: stream(text, by: 5))
    }

    static func status(_ code: Int) -> TransportResponse { TransportResponse(status: .init(code: code)) }

    func source(_ server: Server, backoff: Backoff = .none, lastEventID: String = "") -> EventSource<Server> {
        EventSource(request, over: server, lastEventID: lastEventID, backoff: backoff, clock: clock)
    }

    /// Reads events to the end, or until an error.
    func read(_ source: EventSource<Server>) -> Task<[ServerSentEvent], any Error> {
        Task { try await source.all() }
    }

    @Test func connectsAgainWhereItWas() async throws {
        let server = Server([
            { Self.events("data: a\nid: 1\n\ndata: half") },
            { Self.events("retry: 500\nid: 2\ndata: b\n\n") },
            { Self.events("data: c\n\n") },
            { Self.status(204) },
        ])
        let reading = read(source(server))
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(2999))
        #expect(server.identifiers == [nil])
        clock.advance(by: .milliseconds(1))
        await clock.sleepers(1)
        #expect(server.identifiers == [nil, "1"])
        clock.advance(by: .milliseconds(500))
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(500))
        let events = try await reading.value
        #expect(events.map(\.data) == ["a", "b", "c"])
        #expect(events.map(\.id) == ["1", "2", "2"])
        #expect(server.identifiers == [nil, "1", "2", "2"])
        let headers = try #require(server.asked.withLock { $0.first?.headers })
        #expect(headers[.accept] == "text/event-stream")
        #expect(headers[.cacheControl] == "no-store")
    }

    @Test func goesOnFromAnIdentifier() async throws {
        let server = Server([{ Self.status(204) }])
        #expect(try await read(source(server, lastEventID: "41")).value == [])
        #expect(server.identifiers == ["41"])
    }

    @Test func waitsLongerAfterEachFailure() async throws {
        let broken = HTTPError(.unreachable, "no connection", request: request)
        let server = Server([
            { throw broken }, { Self.status(503) }, { Self.status(429) }, { Self.events("data: a\n\n") },
            { Self.status(204) },
        ])
        let backoff = Backoff.exponential(from: .seconds(1), to: .seconds(60), jitter: .none)
        let source = EventSource(
            request,
            over: server,
            reconnecting: HTTPClassifier.passingStatuses,
            backoff: backoff,
            clock: clock
        )
        let reading = read(source)
        for (index, wait) in [4, 5, 7, 3].enumerated() {
            await clock.sleepers(1)
            clock.advance(by: .seconds(wait) - .nanoseconds(1))
            #expect(server.identifiers.count == index + 1)
            clock.advance(by: .nanoseconds(1))
        }
        #expect(try await reading.value.map(\.data) == ["a"])
    }

    @Test func connectionThatBreaks() async throws {
        let broken = HTTPError(.unreachable, "the answer broke off", request: request)
        let server = Server([
            {
                let text = Locked("data: a\nid: 7\n\n")
                let first = Array(text.withLock { $0 }.utf8)
                return TransportResponse(
                    headers: [.contentType: "text/event-stream"],
                    body: ByteStream {
                        var isFirst = true
                        return {
                            defer { isFirst = false }
                            if isFirst { return first }
                            throw broken
                        }
                    }
                )
            },
            { Self.status(204) },
        ])
        let reading = read(source(server))
        await clock.sleepers(1)
        clock.advance(by: .seconds(3))
        #expect(try await reading.value.map(\.data) == ["a"])
        #expect(server.identifiers == [nil, "7"])
    }

    /// WHATWG's HTML standard, 9.2.3: every status except 200 fails the connection.
    @Test(arguments: [201, 202, 206, 301, 304, 400, 401, 403, 404, 408, 410, 425, 429, 500, 501, 502, 503, 504])
    func statusThatEndsIt(_ code: Int) async throws {
        let server = Server([{ Self.status(code) }])
        let error = await #expect(throws: HTTPError.self) { try await read(source(server)).value }
        #expect(error?.code == .badStatus)
        #expect(error?.response?.status.code == code)
        #expect(server.identifiers.count == 1)
    }

    @Test func answerThatIsNoEvents() async throws {
        let server = Server([{ Self.events("data: a\n\n", type: "text/html") }])
        let error = await #expect(throws: HTTPError.self) { try await read(source(server)).value }
        #expect(error?.code == .badBody)
        #expect(error?.message == "the answer is \"text/html\" and not text/event-stream")
    }

    @Test func errorOfAFilter() async throws {
        let server = Server([{ throw DeadlineError() }])
        await #expect(throws: DeadlineError.self) { try await read(source(server)).value }
    }

    @Test func cancelEndsTheWait() async throws {
        let server = Server([{ Self.events("") }])
        let reading = read(source(server))
        await clock.sleepers(1)
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(server.identifiers.count == 1)
    }

    @Test func overTheNetwork() async throws {
        let server = try HostileServer { request in
            let isFirst = !request.lowercased().contains("last-event-id: 1\r\n")
            let text = isFirst ? "id: 1\nretry: 1\ndata: a\n\n" : ""
            let head = isFirst ? "200 OK\r\nContent-Type: text/event-stream" : "204 No Content"
            return Array("HTTP/1.1 \(head)\r\nConnection: close\r\n\r\n\(text)".utf8)
        }
        defer { server.stop() }
        let source = EventSource(
            TransportRequest(.get, try server.url()),
            over: HTTPTransport(body: .streamed)
        )
        #expect(try await source.all() == [ServerSentEvent(data: "a", id: "1")])
    }
}
#endif
