#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import SluiceJSON

/// The routes of a hub that a member of a group uses, in memory, as docs/hub-api.md has them.
final class GroupStub: Transport, Sendable {
    typealias Input = TransportRequest
    typealias Output = TransportResponse

    fileprivate struct State {
        var documents: [(id: String, json: JSON)] = []
        var log: [(number: Int, text: String)] = []
        var number = 0
        var listeners: [AsyncThrowingStream<[UInt8], any Error>.Continuation] = []
        var isAway = false
        var status: HTTPResponse.Status?
        var reportStatus: HTTPResponse.Status?
        var connections: [String] = []
        var reports: [JSON] = []
        var departures: [String] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Locked(State())

    /// The Last-Event-ID of each connection; empty for a connection without one.
    var connections: [String] { state.withLock { $0.connections } }
    var reports: [JSON] { state.withLock { $0.reports } }
    var departures: [String] { state.withLock { $0.departures } }

    /// Waits until so many reports have come.
    func waitForReports(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.reports.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Stores a document and tells the members.
    func put(_ id: String, _ revision: Int, _ text: String, name: String? = nil, isReference: Bool = false) {
        var object: JSON.Object = [
            "id": .string(id), "revision": JSON(revision), "text": .string(text), "isReference": .bool(isReference),
        ]
        object["name"] = name.map(JSON.string)
        let json = JSON.object(object)
        state.withLock { state in
            if let index = state.documents.firstIndex(where: { $0.id == id }) {
                state.documents[index].json = json
            } else {
                state.documents.append((id, json))
            }
            state.tell("put", json)
        }
    }

    /// Removes a document and tells the members.
    func remove(_ id: String) {
        state.withLock { state in
            state.documents.removeAll { $0.id == id }
            state.tell("remove", ["id": .string(id)])
        }
    }

    /// Tells the members what no hub of today would.
    func tell(_ event: String, _ data: JSON) { state.withLock { $0.tell(event, data) } }

    /// Breaks all connections, and refuses new ones until it is back.
    func goAway() {
        let listeners = state.withLock { state in
            state.isAway = true
            defer { state.listeners = [] }
            return state.listeners
        }
        for listener in listeners { listener.finish(throwing: Self.unreachable) }
    }

    func comeBack() { state.withLock { $0.isAway = false } }

    /// Removes the log of events, so that a returning member receives the whole set.
    func forgetLog() { state.withLock { $0.log = [] } }

    /// Answers every request with a status.
    func answer(_ status: HTTPResponse.Status?) { state.withLock { $0.status = status } }

    /// Answers reports with a status.
    func answerReports(_ status: HTTPResponse.Status?) { state.withLock { $0.reportStatus = status } }

    private static let unreachable = HTTPError(.unreachable, "the connection was refused", request: nil)

    func process(_ request: TransportRequest) async throws -> TransportResponse {
        let body = request.body?.bytes.flatMap { try? JSON(parsing: $0) }
        return try state.withLock { state in
            if state.isAway { throw Self.unreachable }
            if let status = state.status { return TransportResponse(status: status) }
            let path = request.url.path.split(separator: "/").map(String.init)
            switch (request.method, path.dropFirst(2).first) {
            case (.get, "events"): return state.connect(request)
            case (.put, "members"):
                if let status = state.reportStatus { return TransportResponse(status: status) }
                state.reports.append(body ?? .null)
                let count = state.reports.count
                for watcher in state.watchers where watcher.count <= count { watcher.continuation.resume() }
                state.watchers.removeAll { $0.count <= count }
                return TransportResponse(status: .noContent)
            case (.delete, "members"):
                state.departures.append(path.last ?? "")
                return TransportResponse(status: .noContent)
            default: return TransportResponse(status: .notFound)
            }
        }
    }
}

extension GroupStub.State {
    fileprivate mutating func tell(_ event: String, _ data: JSON) {
        number += 1
        let text = "id: \(number)\nevent: \(event)\ndata: \(data)\n\n"
        log.append((number, text))
        for listener in listeners { listener.yield(Array(text.utf8)) }
    }

    fileprivate mutating func connect(_ request: TransportRequest) -> TransportResponse {
        let name = HTTPField.Name("Last-Event-ID")
        let last = name.flatMap { request.headers[$0] } ?? ""
        connections.append(last)
        let (stream, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let missed = log.filter { $0.number > Int(last) ?? .max }
        if missed.isEmpty, Int(last) != number {
            let set: JSON = ["group": "all", "documents": .array(documents.map(\.json))]
            continuation.yield(Array("id: \(number)\nevent: set\ndata: \(set)\n\n".utf8))
        }
        for event in missed { continuation.yield(Array(event.text.utf8)) }
        listeners.append(continuation)
        return TransportResponse(
            status: .ok,
            headers: [.contentType: "text/event-stream"],
            body: ByteStream(stream)
        )
    }
}

/// Thrown by a test when it has seen all that it waits for.
struct Enough: Error {}
#endif
