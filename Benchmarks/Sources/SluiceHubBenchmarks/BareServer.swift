import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// The smallest server on Hummingbird that answers as the hub does: the same heads and bodies, which it has read from files
/// before, and the same events, without anything that would make them.
enum BareServer {
    static func run(_ folder: URL, onReady: @escaping @Sendable (Int) -> Void) async throws {
        let (list, document) = (try Canned(folder, "list"), try Canned(folder, "document"))
        let stream = try Canned(folder, "stream")
        let events = try (0..<Sample.events).map {
            ByteBuffer(bytes: try Data(contentsOf: folder.appendingPathComponent("event\($0)")))
        }
        let listeners = Listeners()
        let router = Router()
        router.get("/streams") { _, _ in list.response }
        router.get("/streams/{id}") { _, _ in document.response }
        router.get("/streams/{id}/events") { _, _ in
            Response(status: .ok, headers: stream.fields, body: ResponseBody(asyncSequence: listeners.add()))
        }
        router.post("/streams/{id}/step") { _, _ in
            listeners.tell(events)
            return Response(status: .ok)
        }
        router.post("/sink") { request, _ in
            for try await _ in request.body {}
            return Response(status: .ok)
        }
        var logger = Logger(label: "bare")
        logger.logLevel = .error
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: "sluice"),
            onServerRunning: { onReady($0.localAddress?.port ?? 0) },
            logger: logger
        )
        try await application.run()
    }

    /// An answer from files.
    private struct Canned: Sendable {
        let fields: HTTPFields
        let body: ByteBuffer

        init(_ folder: URL, _ name: String) throws {
            var fields: HTTPFields = [:]
            let text = try String(contentsOf: folder.appendingPathComponent("\(name).head"), encoding: .utf8)
            for line in text.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                if parts.count == 2, let name = HTTPField.Name(parts[0]) { fields[name] = parts[1] }
            }
            self.fields = fields
            body = ByteBuffer(bytes: try Data(contentsOf: folder.appendingPathComponent("\(name).body")))
        }

        var response: Response { Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: body)) }
    }

    /// The subscribers.
    private final class Listeners: Sendable {
        private let continuations = Mutex<[AsyncStream<ByteBuffer>.Continuation]>([])

        func add() -> AsyncStream<ByteBuffer> {
            let (events, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
            continuations.withLock { $0.append(continuation) }
            return events
        }

        func tell(_ events: [ByteBuffer]) {
            continuations.withLock { continuations in
                for event in events {
                    for continuation in continuations { continuation.yield(event) }
                }
            }
        }
    }
}
