import Foundation
import HTTPTypes
@_spi(Generated) import OpenAPIRuntime
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceOpenAPI

/// A client as swift-openapi-generator generates it, written by hand for one operation: it fetches a resource as JSON.
struct Client: Sendable {
    private let client: UniversalClient

    init(serverURL: URL, transport: any ClientTransport, middlewares: [any ClientMiddleware] = []) {
        client = UniversalClient(serverURL: serverURL, transport: transport, middlewares: middlewares)
    }

    /// Returns the status and the text of an answer.
    func get(_ path: String) async throws -> (status: Int, text: String) {
        try await client.send(
            input: path,
            forOperation: "get",
            serializer: { path in
                var request = HTTPRequest(soar_path: path, method: .get)
                request.headerFields[.accept] = "application/json"
                return (request, nil)
            },
            deserializer: { response, body in
                let text = try await body.map { try await String(collecting: $0, upTo: 1 << 20) } ?? ""
                return (response.status.code, text)
            }
        )
    }
}

@main struct Main {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let address = arguments.first, let server = URL(string: address) else {
            print("usage: openapi-client SERVER [PATH]")
            exit(64)
        }
        let retry = RetryFilter<TransportRequest, TransportResponse>.http(maxAttempts: 3)
        let client = Client(
            serverURL: server,
            transport: SluiceClientTransport(),
            middlewares: [SluiceClientMiddleware(retry)]
        )
        let operation = AnyNode<String, (status: Int, text: String)> { try await client.get($0) }
        let call = await operation.explain(arguments.dropFirst().first ?? "/")
        print(call.trail)
        switch call.result {
        case .success(let answer): print(answer.status, answer.text)
        case .failure(let error):
            print(error)
            exit(69)
        }
    }
}
