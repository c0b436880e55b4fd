#if HTTP && Server
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Sluice
import SluiceFilters
import SluiceServer
import SluiceTesting
import Testing

@Suite struct HandlerTests {
    @Test func aNodeIsAHandler() async throws {
        let greet = AnyNode<String, String> { "Hello, \($0)!" }
        let count = AnyNode<String, Int> { $0.count }
        let router = Router()
        router.get("hello/:name", use: greet.handler { _, context in try context.parameters.require("name") })
        router.get(
            "count/:word",
            use: count.handler { _, context in
                try context.parameters.require("word")
            } response: {
                "\($0) letters"
            }
        )
        try await Application(router: router).test(.router) { client in
            try await client.execute(uri: "/hello/Ada", method: .get) {
                #expect(String(buffer: $0.body) == "Hello, Ada!")
            }
            try await client.execute(uri: "/count/sluice", method: .get) {
                #expect(String(buffer: $0.body) == "6 letters")
            }
        }
    }

    @Test func filtersAnswerWithTheirStatus() async throws {
        let clock = TestClock()
        let node = RateFilter<String, String>(1, per: .seconds(10), clock: clock).andThen(AnyNode { $0 })
        let router = Router()
        router.get("/", use: node.handler { _, _ in "once" })
        try await Application(router: router).test(.router) { client in
            try await client.execute(uri: "/", method: .get) { #expect($0.status == .ok) }
            try await client.execute(uri: "/", method: .get) { response in
                #expect(response.status == .tooManyRequests)
                #expect(response.headers[.retryAfter] == "10")
            }
        }
    }

    @Test func stacksOfDocumentsAreReplacedUnderAServer() async throws {
        let stack = try StackFilter<Request, Response>(parsing: #"{"filters": []}"#)
        let router = Router()
        router.add(middleware: FilterMiddleware(stack))
        router.get("/") { _, _ in "done" }
        try await Application(router: router).test(.router) { client in
            try await client.execute(uri: "/", method: .get) { #expect($0.status == .ok) }
            try stack.replace(parsing: #"{"filters": [{"breaker": {"mode": "forcedOpen"}}]}"#)
            try await client.execute(uri: "/", method: .get) { #expect($0.status == .serviceUnavailable) }
        }
    }
}
#endif
