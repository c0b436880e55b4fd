#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
public import SluiceStreams

extension StreamHost {
    /// Registers the source `subscribe`, which reads the streams of a hub, unless the host has a source of that name.
    ///
    /// ```swift
    /// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
    /// var host = StreamHost()
    /// host.registerSubscriptions(of: hub)
    /// print(host.names)  // ["subscribe"]
    /// ```
    ///
    /// It reads what the streams put out in the hub, and continues after the last item when the run resumes, as the hub's own
    /// streams do. Where the hub can't be reached the stream waits, and tries again.
    ///
    /// - Parameters:
    ///   - hub: The hub.
    ///   - clock: The clock of the waits for the hub.
    public mutating func registerSubscriptions(of hub: HubClient, clock: any Clock<Duration> = .continuous) {
        guard !names.contains("subscribe") else { return }
        register("subscribe", hasPositions: true, HubSubscriptions(hub: hub, clock: clock).feed)
    }
}

/// `subscribe`: reads a stream of a hub over HTTP.
private struct HubSubscriptions: Sendable {
    let hub: HubClient
    let clock: any Clock<Duration>

    private static let backoff = Backoff.exponential(from: .milliseconds(500), to: .seconds(30), jitter: .full)

    @Sendable func feed(_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws {
        let subscription = try StreamSubscription(arguments)
        var query: [URLQueryItem] = []
        for name in ["of", "from", "missing"] {
            if let text = arguments[name]?.string { query.append(URLQueryItem(name: name, value: text)) }
        }
        let request =
            if let stream = subscription.stream {
                try hub.request(.get, ["streams", stream, "items"], query: query)
            } else {
                try hub.request(.get, ["states"])
            }
        let events = EventSource(
            request,
            over: WaitingNode(next: hub.events, inlet: inlet),
            lastEventID: inlet.position ?? "",
            upTo: HubClient.maximumAnswerBytes,
            reconnecting: HTTPClassifier.passingStatuses,
            retry: .milliseconds(250),
            backoff: Self.backoff,
            clock: clock
        )
        do {
            for try await event in events { try await take(event, inlet) }
        } catch let error as HTTPError {
            throw StreamError(message: "the hub does not give what is subscribed to: \(error.reason)")
        }
        try Task.checkCancellation()
    }

    private func take(_ event: ServerSentEvent, _ inlet: StreamInlet<JSON>) async throws {
        switch event.name {
        case "item": try await inlet.send(try JSON(parsing: event.data), at: event.id)
        case "mark": try await inlet.mark(at: event.id)
        case "waiting": inlet.report(waiting: try JSON(parsing: event.data).string)
        case "failed": throw StreamError(message: try JSON(parsing: event.data).string ?? event.data)
        default: break
        }
    }
}

/// A node that reports that a stream waits, where the hub can't be reached.
private struct WaitingNode: Node {
    let next: AnyNode<TransportRequest, TransportResponse>
    let inlet: StreamInlet<JSON>

    nonisolated(nonsending) func process(_ request: TransportRequest) async throws -> TransportResponse {
        do {
            let response = try await next.process(request)
            inlet.report(waiting: nil)
            return response
        } catch let error as HTTPError {
            if error.isPassing { inlet.report(waiting: "the hub can't be reached: \(error.message)") }
            throw error
        }
    }
}
#endif
