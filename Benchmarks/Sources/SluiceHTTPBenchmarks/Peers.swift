import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat
import SluiceFilters
import SluiceHTTP
import SluiceJSON

/// One way to ask for the users.
struct Peer: Sendable {
    let name: String
    let call: @Sendable () async throws -> [User]
}

/// The header fields that every peer sends.
private let fields = [
    ("Accept", "application/json"), ("Authorization", "Bearer 0123456789abcdef"), ("User-Agent", "bench/1"),
]

/// Where the chain sends its requests.
private struct Route: URLRouteProvider {
    let base: String
    let path: String
    func url() throws -> URL { try URL(string: base) + path }
}

/// The bare client with Foundation's decoder, the bare client with ours, the chain; all end with the models of the
/// application.
func peers(port: Int, path: String) -> [Peer] {
    let base = "http://127.0.0.1:\(port)"
    let address = base + path
    let foundation = JSONDecoder()
    let ours = SluiceJSONDecoder()

    var headers = HTTPFields()
    for (name, value) in fields { headers[HTTPField.Name(name)!] = value }
    let retry = RetryFilter<TransportRequest, TransportResponse>(
        attempt: 3,
        backoff: .exponential(from: .milliseconds(50), to: .seconds(2)),
        budget: RetryBudget(ratio: 0.2)
    )
    let chain: RequestChain<Void, [User]> = URLChainBuilder()
        .route(.get, Route(base: base, path: path), template: path)
        .set(headers: headers)
        .set(.retry, retry)
        .build()

    return [
        Peer(name: "client, JSONDecoder") {
            let body = try await bare(address)
            return try foundation.decode([UserEntry].self, from: body).map(User.from)
        },
        Peer(name: "client, SluiceJSON") {
            let body = try await bare(address)
            return try ours.decode([UserEntry].self, from: body.readableBytesView).map(User.from)
        },
        Peer(name: "chain") { try await chain.process() },
    ]
}

/// The call as one writes it without Sluice.
private func bare(_ address: String) async throws -> ByteBuffer {
    var request = HTTPClientRequest(url: address)
    for (name, value) in fields { request.headers.add(name: name, value: value) }
    let response = try await HTTPClient.shared.execute(request, deadline: .distantFuture)
    guard response.status == .ok else { throw HTTPClientError.invalidProxyResponse }
    return try await response.body.collect(upTo: 64 << 20)
}
