import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SluiceJSON
import SluiceStore

/// The hub's routes.
struct HubRoutes: Sendable {
    typealias Context = BasicRequestContext

    let hub: StreamHub

    func router() -> Router<Context> {
        let router = Router(context: Context.self, options: .autoGenerateHeadEndpoints)
        router.addMiddleware {
            SecurityHeadersMiddleware()
            ProblemMiddleware()
            OriginMiddleware()
        }
        router.get("/") { _, _ in try PageFile.response(for: "index.html") }
        router.get("/page/:name") { _, context in try PageFile.response(for: context.parameters.require("name")) }
        router.get("/streams") { _, _ in try await list() }
        router.get("/streams/:id") { _, context in try await document(id(context)) }
        router.get("/streams/:id/events") { request, context in try await events(id(context), request) }
        router.post("/streams/:id/start") { _, context in try await start(id(context)) }
        return router
    }

    private func id(_ context: Context) throws -> String {
        let id = try context.parameters.require("id")
        return id.removingPercentEncoding ?? id
    }

    private func list() async throws -> Response {
        let heads = try await hub.heads().map { head in
            var object = JSON.Object()
            object["id"] = .string(head.stored.id)
            object["name"] = head.stored.name.map(JSON.string)
            object["description"] = head.description.map(JSON.string)
            object["revision"] = .int(Int64(head.stored.revision))
            object["state"] = .string(head.state.rawValue)
            object["error"] = head.trouble.map(JSON.string)
            return JSON.object(object)
        }
        return .json(JSON.array(heads).description)
    }

    private func document(_ id: String) async throws -> Response {
        guard let stored = try await hub.stored(id) else { throw Problem.noStream(id) }
        return .json(stored.text)
    }

    private func start(_ id: String) async throws -> Response {
        guard let run = try await hub.run(id) else { throw Problem.noStream(id) }
        await run.start()
        return Response(status: .noContent)
    }

    private func events(_ id: String, _ request: Request) async throws -> Response {
        guard let run = try await hub.run(id) else { throw Problem.noStream(id) }
        // What a browser has heard last, when it comes back by itself.
        let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
        let notices = await run.listen(after: last)
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                for await notice in notices { try await writer.write(ByteBuffer(string: notice.text)) }
                try await writer.finish(nil)
            }
        )
    }
}

extension HubRun.Notice {
    /// The notice as an event of the event stream; one without a name keeps the connection open.
    fileprivate var text: String {
        name.isEmpty ? ":\n\n" : "id: \(id)\nevent: \(name)\ndata: \(data)\n\n"
    }
}

extension Response {
    /// A JSON text, not to be kept.
    fileprivate static func json(_ text: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
