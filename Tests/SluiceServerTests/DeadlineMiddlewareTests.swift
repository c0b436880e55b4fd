import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Sluice
import SluiceFilters
import SluiceServer
import Testing

@Suite struct DeadlineMiddlewareTests {
    private let ended = Count()

    private final class Count: Sendable {
        private let count = Locked(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    private func application() throws -> some ApplicationProtocol {
        let router = Router()
        router.add(middleware: DeadlineMiddleware(atMost: .seconds(30)))
        router.get("left") { _, _ in
            let left = ContinuousClock.now.duration(to: try #require(CallContext.current.deadline))
            return "\(left.components.seconds)"
        }
        router.get("forever") { [ended] _, _ -> String in
            defer { ended.add() }
            return try await Context<String>().value
        }
        return Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
    }

    private let header = HTTPField.Name("Request-Timeout")

    @Test(arguments: [("10", "9"), ("3600", "29"), (nil, "29")])
    func theDeadlineIsInTheCallContext(_ value: String?, _ left: String) async throws {
        var headers = HTTPFields()
        if let value, let header { headers[header] = value }
        let sent = headers
        try await application().test(.router) { client in
            try await client.execute(uri: "/left", method: .get, headers: sent) {
                #expect(String(buffer: $0.body) == left)
            }
        }
    }

    @Test(arguments: [TestingSetup.router, .live])
    func itEndsTheHandler(_ setup: TestingSetup) async throws {
        var headers = HTTPFields()
        headers[try #require(header)] = "0.05"
        let sent = headers
        try await application().test(setup) { client in
            let start = ContinuousClock.now
            try await client.execute(uri: "/forever", method: .get, headers: sent) { response in
                #expect(response.status == .gatewayTimeout)
                #expect(
                    String(buffer: response.body) == #"{"error":{"message":"the deadline of the call has passed"}}"#
                )
            }
            #expect(start.duration(to: .now) >= .milliseconds(50))
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
