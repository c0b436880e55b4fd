import Foundation
import HTTPTypes
@_spi(Generated) import OpenAPIRuntime
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceOpenAPI

/// A client as swift-openapi-generator generates it, written by hand for two operations: it fetches a resource as JSON, and
/// replaces it.
struct Client: Sendable {
    private let client: UniversalClient

    init(serverURL: URL, transport: any ClientTransport, middlewares: [any ClientMiddleware] = []) {
        client = UniversalClient(serverURL: serverURL, transport: transport, middlewares: middlewares)
    }

    /// Returns the status and the text of an answer.
    func get(_ path: String) async throws -> (status: Int, text: String) { try await send(.get, path, nil) }

    /// Sends a text, and returns the status and the text of the answer.
    func put(_ path: String, _ text: String) async throws -> (status: Int, text: String) {
        try await send(.put, path, HTTPBody(text))
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: HTTPBody?
    ) async throws -> (status: Int, text: String) {
        try await client.send(
            input: path,
            forOperation: method.rawValue.lowercased(),
            serializer: { path in
                var request = HTTPRequest(soar_path: path, method: method)
                request.headerFields[.accept] = "application/json"
                if body != nil { request.headerFields[.contentType] = "application/json" }
                return (request, body)
            },
            deserializer: { response, body in
                guard let body else { return (response.status.code, "") }
                return (response.status.code, try await String(collecting: body, upTo: 1 << 20))
            }
        )
    }
}

@main struct Main {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let address = arguments.first, let server = URL(string: address) else {
            print("usage: openapi-client SERVER [PATH [BODY]]")
            exit(64)
        }
        let retry = RetryFilter<TransportRequest, TransportResponse>.http(maxAttempts: 3)
        let client = Client(
            serverURL: server,
            transport: SluiceClientTransport(),
            middlewares: [SluiceClientMiddleware(retry)]
        )
        let words = Array(arguments.dropFirst())
        let operation = AnyNode<String, (status: Int, text: String)> { path in
            words.count > 1 ? try await client.put(path, words[1]) : try await client.get(path)
        }
        let call = await operation.explain(words.first ?? "/")
        print(call.trail)
        switch call.result {
        case .success(let answer): print(answer.status, answer.text)
        case .failure(let error):
            print(error)
            exit(69)
        }
    }
}
