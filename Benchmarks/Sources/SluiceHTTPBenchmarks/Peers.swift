import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON

/// One way to ask for the users.
struct Peer: Sendable {
    let name: String
    let call: @Sendable () async throws -> any Sendable
}

private let token = "Bearer 0123456789abcdef"

/// The route of the chain's requests.
private struct Route: URLRouteProvider {
    let base: String
    let path: String
    func url() throws -> URL { try URL(string: base) + path }
}

/// The provider of a field that the chain uses when it sends a request.
private struct Token: HeaderProvider {
    nonisolated(nonsending) func headers(for request: TransportRequest) async throws -> HTTPFields {
        [.authorization: token]
    }
}

/// The chains that are measured, with all stages that an application has.
private func builder(over transport: some Transport, base: String, path: String) -> URLChainBuilder<Route> {
    URLChainBuilder(transport: transport)
        .route(.get, Route(base: base, path: path), template: path)
        .set(headers: [.userAgent: "bench/1"])
        .add(provider: Token())
        .retry(maxAttempts: 3, budget: RetryBudget(ratio: 0.2))
}

/// A chain whose models are Codable, and one whose models read themselves.
private func chains(_ builder: URLChainBuilder<Route>) -> [Peer] {
    let codable: RequestChain<Void, [User]> = builder.build()
    let direct: RequestChain<Void, [DirectUser]> = builder.build()
    return [
        Peer(name: "chain") { try await codable.process() }, Peer(name: "chain, direct") { try await direct.process() },
    ]
}

/// The bare client with Foundation's decoder, the bare client with ours, the chains; all end with the models of the
/// application.
func peers(port: Int, path: String) -> [Peer] {
    let base = "http://127.0.0.1:\(port)"
    let address = base + path
    let foundation = JSONDecoder()
    let ours = SluiceJSONDecoder()
    return [
        Peer(name: "client, JSONDecoder") {
            let body = try await bare(address)
            return try foundation.decode([UserEntry].self, from: body).map(User.from)
        },
        Peer(name: "client, SluiceJSON") {
            let body = try await bare(address)
            return try ours.decode([UserEntry].self, from: body.readableBytesView).map(User.from)
        },
    ] + chains(builder(over: HTTPTransport(), base: base, path: path))
}

/// Returns the costs of chains without the network: the models of a body that is in memory. It includes a chain that
/// could log without a hook, and one whose response is in a cache.
func peers(body: [UInt8]) -> [Peer] {
    let foundation = JSONDecoder()
    let ours = SluiceJSONDecoder()
    let answer = TransportResponse(headers: [.contentType: "application/json"], body: body)
    let plain = builder(over: AnyNode { _ in answer }, base: "http://127.0.0.1", path: "/users")
    let logged: RequestChain<Void, [User]> = plain.set(.log, HTTPLogFilter()).build()
    var fresh = answer
    fresh.headers[.cacheControl] = "private, max-age=3600"
    let cached: RequestChain<Void, [User]> = plain.set(transport: AnyNode { [fresh] _ in fresh })
        .set(.cache, CacheFilter(HTTPCache())).build()
    return [
        Peer(name: "JSONDecoder") { try foundation.decode([UserEntry].self, from: Data(body)).map(User.from) },
        Peer(name: "SluiceJSON") { try ours.decode([UserEntry].self, from: body).map(User.from) },
    ] + chains(plain) + [
        Peer(name: "chain, log off") { try await logged.process() },
        Peer(name: "chain, cached") { try await cached.process() },
    ]
}

/// The call as one writes it without Sluice.
private func bare(_ address: String) async throws -> ByteBuffer {
    var request = HTTPClientRequest(url: address)
    request.headers.add(name: "Accept", value: "application/json")
    request.headers.add(name: "Authorization", value: token)
    request.headers.add(name: "User-Agent", value: "bench/1")
    let response = try await HTTPClient.shared.execute(request, deadline: .distantFuture)
    guard response.status == .ok else { throw HTTPClientError.invalidProxyResponse }
    return try await response.body.collect(upTo: 64 << 20)
}
