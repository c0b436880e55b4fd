#if HTTP
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceStreams

/// `events`: reads server-sent events. The data of an event is a value where it is JSON, else a text.
///
/// A connection that breaks, or can't be made, is made again after 1 s to 1 min with full jitter, beside the time that the
/// server asks for, and continues after the last event (`Last-Event-ID`); the stream reports that it waits. The identifier
/// of the last event is in the checkpoint, so that a run that resumes continues after it too.
struct EventsSource: Sendable {
    let egress: Egress
    let clock: any Clock<Duration>
    var secrets = Secrets()

    @Sendable func feed(_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws {
        let request = try TransportRequest(ofDocument: arguments)
        let name = arguments["event"]?.string
        let redirects = RedirectFilter(.follow(atMost: 10), privateFields: request.headers.map(\.name))
        let stack = try SourceStack(of: arguments, .connection, for: inlet) { json in
            try ConnectorStack(json, of: .connection)
        }
        let node = ReportingNode(
            next: redirects.andThen(SecretTransport(secrets, for: inlet.stream, over: egress, fields: request.headers)),
            inlet: inlet,
            secrets: secrets
        )
        let events = EventSource(
            request,
            over: node,
            lastEventID: inlet.position ?? "",
            reconnecting: HTTPClassifier.passingStatuses,
            retry: .seconds(1),
            backoff: stack?.now.retry?.backoff ?? SourceExchange.backoff,
            clock: clock
        )
        do {
            for try await event in events where name == nil || event.name == name {
                guard secrets.redacted(event.id) == event.id else {
                    throw StreamError(message: "the id of an event contains a secret: it would be stored")
                }
                let value = (try? JSON(parsing: event.data)) ?? .string(event.data)
                try await inlet.send(secrets.redacted(value), at: event.id)
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw secrets.redacted(error)
        }
    }
}

/// Reports that a source waits, where its server can't be reached.
private struct ReportingNode<Next: Node<TransportRequest, TransportResponse>>: Node {
    let next: Next
    let inlet: StreamInlet<JSON>
    let secrets: Secrets

    nonisolated(nonsending) func process(_ request: TransportRequest) async throws -> TransportResponse {
        do {
            let response = try await next.process(request)
            let isFailure = HTTPClassifier().responseClass(of: response).isFailure
            inlet.report(waiting: isFailure ? secrets.redacted("\(response.status)") : nil)
            return response
        } catch {
            inlet.report(waiting: secrets.redacted("\(error)").shortened)
            throw secrets.redacted(error)
        }
    }
}
#endif
