#if HTTP && Server
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Sluice
import SluiceFilters
import SluiceServer
import Testing

@Suite struct DeadlineMiddlewareTests {
    private let begun = Count()
    private let ended = Count()
    private let deadline = Deadline()

    private final class Count: Sendable {
        private let count = Locked(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    /// A holder of the deadline that a handler found.
    private final class Deadline: Sendable {
        let value = Locked<ContinuousClock.Instant?>(nil)
    }

    private func application() throws -> some ApplicationProtocol {
        let router = Router()
        router.add(middleware: DeadlineMiddleware(atMost: .seconds(30)))
        router.get("left") { [deadline] _, _ in
            deadline.value.withLock { $0 = CallContext.current.deadline }
            return ""
        }
        router.get("forever") { [begun, ended] _, _ -> String in
            begun.add()
            defer { ended.add() }
            return try await Context<String>().value
        }
        return Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
    }

    private let header = HTTPField.Name("Request-Timeout")

    @Test(arguments: [("10", 10), ("3600", 30), (nil, 30)])
    func theDeadlineIsInTheCallContext(_ value: String?, _ seconds: Int) async throws {
        var headers = HTTPFields()
        if let value, let header { headers[header] = value }
        let sent = headers
        try await application().test(.router) { client in
            let before = ContinuousClock.now
            try await client.execute(uri: "/left", method: .get, headers: sent) { #expect($0.status == .ok) }
            let start = try #require(deadline.value.withLock { $0 }) - .seconds(seconds)
            #expect((before...ContinuousClock.now).contains(start))
        }
    }

    @Test(arguments: [TestingSetup.router, .live])
    func itEndsTheHandler(_ setup: TestingSetup) async throws {
        try await application().test(setup) { client in
            // A short time may be over before the handler begins.
            for seconds in [0.05, 0.5, 5, 50] where begun.value == 0 {
                var headers = HTTPFields()
                headers[try #require(header)] = "\(seconds)"
                let start = ContinuousClock.now
                try await client.execute(uri: "/forever", method: .get, headers: headers) { response in
                    #expect(response.status == .gatewayTimeout)
                    #expect(
                        String(buffer: response.body)
                            == #"{"error":{"message":"the deadline of the call has passed"}}"#
                    )
                }
                #expect(start.duration(to: .now) >= .milliseconds(50))
            }
            #expect(begun.value == 1)
            #expect(ended.value == 1)
        }
    }

    @Test func noTimeNoHandler() async throws {
        var headers = HTTPFields()
        headers[try #require(header)] = "0"
        let sent = headers
        try await application().test(.router) { client in
            try await client.execute(uri: "/forever", method: .get, headers: sent) {
                #expect($0.status == .gatewayTimeout)
            }
            #expect(ended.value == 0)
        }
    }

    @Test func whatCannotBeReadIsTheClientsFault() async throws {
        var headers = HTTPFields()
        headers[try #require(header)] = "soon"
        let sent = headers
        try await application().test(.router) { client in
            try await client.execute(uri: "/left", method: .get, headers: sent) { response in
                #expect(response.status == .badRequest)
                #expect(String(buffer: response.body).contains(#"Request-Timeout: \"soon\" is no time"#))
            }
        }
    }
}
#endif
