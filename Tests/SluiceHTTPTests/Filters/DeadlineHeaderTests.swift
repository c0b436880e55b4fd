#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceTesting
import Testing

/// Tests of the header field with the time left, and of the end of calls at their deadline.
@Suite(.timeLimit(.minutes(20))) struct DeadlineHeaderTests {
    private let clock = TestClock()

    /// Returns a context with a deadline after a number of seconds of the test's clock.
    private func context(_ seconds: Double) -> CallContext {
        var context = CallContext()
        let timer = CallTimer.of(clock)
        context.deadline = timer.instant(at: timer.now + Int64(seconds * 1e9))
        return context
    }

    @Test(arguments: [
        (DeadlineHeaderFilter.Form.requestTimeout, "2.500"), (.grpc, "2500000u"), (.envoy, "2500"),
    ])
    func forms(_ form: DeadlineHeaderFilter.Form, _ value: String) async throws {
        let stub = Stub(.of(200))
        let node = DeadlineHeaderFilter(form, clock: clock).andThen(stub.node)
        try await withCallContext(context(2.5)) { _ = try await node.process(.get()) }
        #expect(stub.requests.last?.headers[form.name] == value)
    }

    /// Each attempt sends the time that is left then.
    @Test func timeThatHasPassedIsTakenOff() async throws {
        let stub = Stub { [clock] _, number in
            clock.advance(by: .seconds(1))
            return .of(number < 3 ? 503 : 200)
        }
        let name = DeadlineHeaderFilter.Form.requestTimeout.name
        let node = RetryFilter<_, _>.http(backoff: .none, clock: clock)
            .andThen(DeadlineHeaderFilter(clock: clock)).andThen(stub.node)
        try await withCallContext(context(10)) { _ = try await node.process(.get()) }
        #expect(stub.requests.map { $0.headers[name] } == ["10.000", "9.000", "8.000"])
    }

    @Test func nothingIsAddedWithoutADeadlineOrToAFieldOfYourOwn() async throws {
        let stub = Stub(.of(200))
        let name = DeadlineHeaderFilter.Form.requestTimeout.name
        let node = DeadlineHeaderFilter(clock: clock).andThen(stub.node)
        _ = try await node.process(.get())
        #expect(stub.requests.last?.headers[name] == nil)
        try await withCallContext(context(10)) {
            _ = try await node.process(.get("https://example.com/", [name: "1"]))
        }
        #expect(stub.requests.last?.headers[values: name] == ["1"])
    }

    @Test func nothingIsSentAfterTheDeadline() async throws {
        let stub = Stub(.of(200))
        let node = DeadlineHeaderFilter(clock: clock).andThen(stub.node)
        await withCallContext(context(0)) {
            let error = await #expect(throws: HTTPError.self) { try await node.process(.get()) }
            #expect(error?.timeout == .total)
            #expect(error?.isUnsent == true)
        }
        #expect(stub.requests.isEmpty)
    }

    /// A wait further inside counts, since the transport updates the field.
    @Test func transportWritesWhatIsLeftWhenItSends() async throws {
        let server = try HostileServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let url = try server.url()
        var context = CallContext()
        context.deadline = .now + .seconds(600)
        // The attempt ends earlier than the call.
        let node = DeadlineHeaderFilter().andThen(TimeoutFilter(.seconds(30))).andThen(HTTPTransport())
        try await withCallContext(context) { _ = try await node.process(TransportRequest(.get, url)) }
        let field = try #require(
            server.requests.first?.components(separatedBy: "\r\n")
                .first { $0.hasPrefix("Request-Timeout: ") }
        )
        let seconds = try #require(Double(field.dropFirst("Request-Timeout: ".count)))
        #expect(seconds > 0 && seconds <= 30)
        // A signed field stays unchanged.
        let signed = DeadlineHeaderFilter().andThen(
            SignatureFilter { [.via: $0.headers[DeadlineHeaderFilter.Form.requestTimeout.name] ?? ""] }
        )
        .andThen(TimeoutFilter(.seconds(30))).andThen(HTTPTransport())
        try await withCallContext(context) { _ = try await signed.process(TransportRequest(.get, url)) }
        let request = OriginServer.Request(try #require(server.requests.last))
        #expect(request["Via"] == request["Request-Timeout"])
        #expect((request["Via"].flatMap { Double($0) } ?? 0) > 30)
    }

    // MARK: - The deadline of the transport

    private func silence() throws -> HostileServer {
        try HostileServer(serving: { connection in
            connection.receive()
            connection.waitForClose()
        })
    }

    /// The transport ends a call at its deadline, not later; the delay depends on the machine, so the fastest of many
    /// counts.
    @Test func transportKeepsTheDeadlineWithoutGrace() async throws {
        let server = try silence()
        defer { server.stop() }
        var shortest = Duration.seconds(60)
        for _ in 0..<300 where shortest >= .milliseconds(100) {
            var context = CallContext()
            let deadline = ContinuousClock.now + .milliseconds(30)
            context.deadline = deadline
            let url = try server.url()
            await withCallContext(context) {
                let error = await #expect(throws: HTTPError.self) {
                    try await HTTPTransport().process(TransportRequest(.get, url))
                }
                #expect(error?.timeout == .total)
            }
            shortest = min(shortest, deadline.duration(to: .now))
        }
        #expect(shortest < .milliseconds(100))
    }

    /// The error is that of the filter, if a filter watches the deadline.
    @Test func filterThatWatchesSpeaks() async throws {
        let server = try silence()
        defer { server.stop() }
        let url = try server.url()
        let limited = TimeoutFilter(.milliseconds(20)).andThen(HTTPTransport())
        await #expect(throws: TimeoutError.self) { try await limited.process(TransportRequest(.get, url)) }
        var context = CallContext()
        context.deadline = .now + .milliseconds(20)
        let watched = DeadlineFilter().andThen(HTTPTransport())
        _ = await withCallContext(context) {
            await #expect(throws: DeadlineError.self) { try await watched.process(TransportRequest(.get, url)) }
        }
    }
}
#endif
