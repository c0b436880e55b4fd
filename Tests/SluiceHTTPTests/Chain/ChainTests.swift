import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import Testing

/// The whole chain over a transport in this process.
@Suite struct ChainTests {
    let url: URL

    init() throws { url = try #require(URL(string: "http://example.com/users?secret=1")) }

    func transport(_ responses: TransportResponse...) -> AnyNode<TransportRequest, TransportResponse> {
        let sent = Recorder()
        return AnyNode("stub") { request in
            responses[min(sent.note(request), responses.count) - 1]
        }
    }

    final class Recorder: Sendable {
        let requests = Locked<[TransportRequest]>([])
        func note(_ request: TransportRequest) -> Int {
            requests.withLock {
                $0.append(request)
                return $0.count
            }
        }
    }

    func response(_ status: Int, _ body: String) -> TransportResponse {
        TransportResponse(status: .init(code: status), body: Array(body.utf8))
    }

    @Test func modelToBytesAndBack() async throws {
        let recorder = Recorder()
        let stub = AnyNode<TransportRequest, TransportResponse>("stub") { request in
            _ = recorder.note(request)
            return TransportResponse(body: request.body?.bytes ?? [])
        }
        let chain = ModelFilter<User, User>()
            .andThen(JSONFilter<UserEntry, UserEntry>(.post, route: url, headers: [.authorization: "Bearer x"]))
            .andThen(StatusFilter())
            .andThen(stub)
        #expect(try await chain.process(User(fullName: "Ada")) == User(fullName: "Ada"))
        #expect(chain.description == "ModelFilter → JSONFilter → StatusFilter → stub")
        let request = try #require(recorder.requests.withLock { $0.first })
        #expect(request.method == .post)
        #expect(
            request.headers == [
                .authorization: "Bearer x", .accept: "application/json", .contentType: "application/json",
            ]
        )
        #expect(try JSON(parsing: request.body?.bytes ?? []) == ["name": "Ada", "age": 36])
    }

    @Test func getHasNoBody() async throws {
        let recorder = Recorder()
        let stub = AnyNode<TransportRequest, TransportResponse> { request in
            _ = recorder.note(request)
            return TransportResponse(body: Array("[]".utf8))
        }
        let chain = JSONFilter<JSON, [UserEntry]>(.get, route: url).andThen(stub)
        #expect(try await chain.process(.null) == [])
        #expect(recorder.requests.withLock { $0.first?.body?.bytes } == nil)
    }

    @Test(arguments: [400, 401, 402, 404, 409, 422, 429, 499, 500, 502, 503, 599])
    func everyErrorStatusIsAnError(_ status: Int) async throws {
        let chain = StatusFilter().andThen(transport(response(status, "why")))
        let error = await #expect(throws: HTTPError.self) { try await chain.process(TransportRequest(.get, url)) }
        #expect(error?.code == .badStatus)
        #expect(error?.response?.body.bytes == Array("why".utf8))
        #expect(error?.description.hasPrefix("GET http://example.com/users: \(status)") == true)
        #expect(error?.isPassing == ([429].contains(status) || status >= 500))
    }

    @Test func bodyThatIsNotJSON() async throws {
        let chain = JSONFilter<JSON, JSON>(.get, route: url).andThen(transport(response(200, "<html>")))
        let error = await #expect(throws: HTTPError.self) { try await chain.process(.null) }
        #expect(error?.code == .badBody)
        #expect(error?.message.hasPrefix("the body is not JSON: 1:1: ") == true)
    }

    @Test func emptyBodyIsNull() async throws {
        let chain = JSONFilter<JSON, JSON>(.get, route: url).andThen(transport(response(204, "")))
        #expect(try await chain.process(.null) == .null)
    }

    @Test func retriesWhatPasses() async throws {
        let chain = RetryFilter(attempt: 3, when: { ($0 as? HTTPError)?.isPassing == true })
            .andThen(StatusFilter())
            .andThen(transport(response(503, ""), response(503, ""), response(200, "1")))
        #expect(try await chain.process(TransportRequest(.get, url)).body.bytes == Array("1".utf8))
    }
}
