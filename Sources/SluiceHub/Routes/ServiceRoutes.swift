#if Hub
import HTTPTypes
import Hummingbird
import NIOCore
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams

extension HubRoutes {
    /// The hub itself.
    var serviceOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/health",
                id: "health",
                role: nil,
                summary: "Checks that the hub works and its store is there",
                result: .json("Health"),
                problems: [.serviceUnavailable]
            ) { _, _ in
                guard await !hub.isEnding else { throw Problem.ending }
                do { try await hub.around.store.check() } catch let error as StoreError {
                    throw Problem(.serviceUnavailable, error.reason)
                }
                var health: JSON.Object = ["status": "ok"]
                if let shared = hub.around.store as? SharedStreamStore {
                    health["shared"] = .string(shared.isAvailable ? "ok" : "away")
                }
                return .json(.object(health))
            },
            Operation(
                method: .get,
                path: "/metrics",
                id: "metrics",
                role: .read,
                summary: "What is counted, in Prometheus' text format",
                result: .text("text/plain")
            ) { _, _ in
                Response(
                    status: .ok,
                    headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: await hub.metricsText()))
                )
            },
            Operation(
                method: .get,
                path: "/catalog",
                id: "catalog",
                role: .read,
                summary: "The operators and sources that there are",
                result: .json("Catalog")
            ) { _, _ in .json(text: StreamCatalog.text) },
            Operation(
                method: .get,
                path: "/schema.json",
                id: "schema",
                role: .read,
                summary: "The JSON Schema of documents",
                result: .json("Schema")
            ) { _, _ in .json(text: schemaText) },
            Operation(
                method: .get,
                path: "/openapi.json",
                id: "openAPI",
                role: .read,
                summary: "This description",
                result: .json("OpenAPI")
            ) { request, context in
                let cookie = context.cookie(of: request, proxies: proxies)
                return .json(OpenAPI.document(operations, cookie: cookie))
            },
        ]
    }
}

private let schemaText = StreamDocument.jsonSchema.description
#endif
