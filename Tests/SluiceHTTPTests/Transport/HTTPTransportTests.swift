import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import Testing

/// A real server that nobody here wrote: httpbin under gunicorn, started by `bin/test`.
enum HTTPBin {
    static let address = ProcessInfo.processInfo.environment["SLUICE_HTTPBIN"]
    static var isThere: Bool { address?.isEmpty == false }

    static func url(_ path: String) throws -> URL {
        try #require(URL(string: (address ?? "") + path))
    }
}

@Suite(.enabled(if: HTTPBin.isThere, "httpbin is not there: Python or its packages cannot be had; see bin/test"))
struct HTTPTransportTests {
    @Test func sendsAndReceives() async throws {
        let chain: RequestChain<UserEntry, JSON> = URLChainBuilder<URL>()
            .route(.post, try HTTPBin.url("/anything"))
            .set(headers: [.userAgent: "sluice"])
            .build()
        let echo = try await chain.process(UserEntry(name: "Ada", age: 36))
        #expect(echo["method"] == "POST")
        #expect(echo["json"] == ["name": "Ada", "age": 36])
        #expect(echo["headers"]?["Content-Type"] == "application/json")
        #expect(echo["headers"]?["User-Agent"] == "sluice")
    }

    @Test func twoModelLayersOverTheNetwork() async throws {
        struct Echo: Decodable, Sendable, RawDecodable {
            typealias Raw = JSON
            let json: UserEntry
        }
        struct Answer: Sendable, DTODecodable {
            let user: User
            static func from(dto: Echo) throws -> Answer { Answer(user: try User.from(dto: dto.json)) }
        }
        let chain: RequestChain<User, Answer> = URLChainBuilder<URL>().route(.put, try HTTPBin.url("/anything")).build()
        #expect(try await chain.process(User(fullName: "Ada")).user == User(fullName: "Ada"))
    }

    @Test(arguments: [404, 418, 500, 503])
    func statusIsAnError(_ status: Int) async throws {
        let chain = StatusFilter().andThen(HTTPTransport())
        let request = TransportRequest(.get, try HTTPBin.url("/status/\(status)"))
        let error = await #expect(throws: HTTPError.self) { try await chain.process(request) }
        #expect(error?.response?.status.code == status)
    }

    @Test func bodyThatIsTooLong() async throws {
        let request = TransportRequest(.get, try HTTPBin.url("/bytes/5000"))
        #expect(try await HTTPTransport(maximumBodyBytes: 5000).process(request).body.bytes?.count == 5000)
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPTransport(maximumBodyBytes: 4999).process(request)
        }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func timeIsOver() async throws {
        let chain = TimeoutFilter(.milliseconds(50)).andThen(HTTPTransport())
        let request = TransportRequest(.get, try HTTPBin.url("/delay/5"))
        await #expect(throws: TimeoutError.self) { try await chain.process(request) }
    }

    @Test func cancelEndsTheExchange() async throws {
        let call: Observer<TransportResponse> = HTTPTransport().process(
            TransportRequest(.get, try HTTPBin.url("/delay/5"))
        )
        let (started, clock) = (ContinuousClock.now, ContinuousClock())
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(started.duration(to: clock.now) < .seconds(4))
    }
}

@Suite struct UnreachableTests {
    @Test func refusedConnection() async throws {
        // Port 9 of loopback: the discard service, which no machine of today runs.
        let url = try #require(URL(string: "http://127.0.0.1:9/path?token=secret"))
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPTransport().process(TransportRequest(.get, url))
        }
        #expect(error?.code == .unreachable)
        #expect(error?.description == "GET http://127.0.0.1:9/path: the connection was refused")
        #expect(error?.isPassing == true)
    }

    @Test func addressThatIsNone() async throws {
        let url = try #require(URL(string: "ftp://127.0.0.1/"))
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPTransport().process(TransportRequest(.get, url))
        }
        #expect(error?.code == .badRequest)
    }
}
