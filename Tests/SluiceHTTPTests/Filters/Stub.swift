#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import SluiceTesting
import Testing

/// A server in this process: a closure that answers, and a record of the requests.
final class Stub: Sendable {
    typealias Answer = @Sendable (TransportRequest, _ number: Int) async throws -> TransportResponse
    private let answer: Answer
    private let log = Locked<[TransportRequest]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    /// Makes a server that returns these answers in order, and repeats the last one.
    convenience init(_ answers: TransportResponse...) {
        self.init { _, number in answers[min(number, answers.count) - 1] }
    }

    var requests: [TransportRequest] { log.withLock { $0 } }

    var node: AnyNode<TransportRequest, TransportResponse> {
        AnyNode("stub") { [self] request in
            let number = log.withLock {
                $0.append(request)
                return $0.count
            }
            return try await answer(request, number)
        }
    }
}

extension URL {
    static func of(_ text: String) throws -> URL { try #require(URL(string: text)) }
}

extension TransportRequest {
    static func get(_ url: String = "https://example.com/a", _ headers: HTTPFields = [:]) throws -> TransportRequest {
        TransportRequest(.get, try .of(url), headers: headers)
    }
}

extension TransportResponse {
    /// Returns an answer whose body arrives in chunks.
    static func streamed(_ status: Int = 200, _ headers: HTTPFields = [:], _ chunks: [String]) -> TransportResponse {
        TransportResponse(
            status: .init(code: status),
            headers: headers,
            body: ByteStream(
                AsyncStream { continuation in
                    for chunk in chunks { continuation.yield(Array(chunk.utf8)) }
                    continuation.finish()
                }
            )
        )
    }

    static func of(_ status: Int, _ headers: HTTPFields = [:], _ body: String = "") -> TransportResponse {
        TransportResponse(status: .init(code: status), headers: headers, body: Array(body.utf8))
    }

    /// Returns the body as text.
    func text() async throws -> String { String(decoding: try await body.collected(upTo: 1 << 20), as: UTF8.self) }
}

/// A filter of texts around a filter of requests, for the laws of filters.
struct TextOver<F: SimpleFilter<TransportRequest, TransportResponse>>: SimpleFilter<String, String> {
    let filter: F

    func process(_ request: String, next: some Node<String, String>) async throws -> String {
        let node = filter.andThen(Inner(next: next))
        guard let url = URL(string: "https://example.com/" + request) else { throw CancellationError() }
        let response = try await node.process(TransportRequest(.get, url))
        return String(decoding: try await response.body.collected(upTo: 1000), as: UTF8.self)
    }

    private struct Inner<N: Node<String, String>>: Node {
        let next: N

        func process(_ input: TransportRequest) async throws -> TransportResponse {
            TransportResponse(body: Array(try await next.process(input.url.lastPathComponent).utf8))
        }
    }
}

/// Checks the laws of a filter of requests.
func checkLaws<F: SimpleFilter<TransportRequest, TransportResponse>>(
    clock: TestClock = TestClock(),
    _ filter: @escaping @Sendable () -> F
) async throws {
    try await FilterLaws(request: "a", answer: "b", clock: clock) { TextOver(filter: filter()) }.check()
}
#endif
