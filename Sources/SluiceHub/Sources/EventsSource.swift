import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceStreams

/// `events`: reads server-sent events; a connection that breaks is made anew and goes on after the last event
/// (`Last-Event-ID`). The data of an event is a value where it is JSON, else a text.
struct EventsSource: Sendable {
    let egress: Egress
    let clock: any Clock<Duration>

    @Sendable func feed(_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws {
        let request = try TransportRequest(ofDocument: arguments)
        let name = arguments["event"]?.string
        let redirects = RedirectFilter(.follow(atMost: 10), privateFields: request.headers.map(\.name))
        for try await event in EventSource(request, over: redirects.andThen(egress), clock: clock)
        where name == nil || event.name == name {
            try await inlet.send((try? JSON(parsing: event.data)) ?? .string(event.data))
        }
    }
}
