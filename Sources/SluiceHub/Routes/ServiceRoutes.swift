import HTTPTypes
import Hummingbird
import NIOCore
import SluiceJSON
import SluiceStreams

extension HubRoutes {
    /// The hub itself.
    var serviceOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/health",
                id: "health",
                summary: "Whether the hub works",
                result: .json("Health"),
                problems: [.serviceUnavailable]
            ) { _, _ in
                guard await !hub.isEnding else { throw Problem.ending }
                return .json(["status": "ok"])
            },
            Operation(
                method: .get,
                path: "/metrics",
                id: "metrics",
                summary: "What is counted, in Prometheus' text format",
                result: .text("text/plain")
            ) { _, _ in
                Response(
                    status: .ok,
                    headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: await hub.metricsText))
                )
            },
            Operation(
                method: .get,
                path: "/catalog",
                id: "catalog",
                summary: "The operators and sources that there are",
                result: .json("Catalog")
            ) { _, _ in .json(text: StreamCatalog.text) },
            Operation(
                method: .get,
                path: "/schema.json",
                id: "schema",
                summary: "The JSON Schema of documents",
                result: .json("Schema")
            ) { _, _ in .json(text: schemaText) },
            Operation(
                method: .get,
                path: "/openapi.json",
                id: "openAPI",
                summary: "This description",
                result: .json("OpenAPI")
            ) { _, _ in .json(text: OpenAPI.text(operations)) },
        ]
    }
}

private let schemaText = StreamDocument.jsonSchema.description
