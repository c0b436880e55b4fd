#if HTTP
import SluiceHTTP
import SluiceJSON
import SluiceStreams

/// The source `request`, which sends one request and completes. The position is stored with the response, so that a run that
/// resumes between the response and the completion does not repeat the request.
struct RequestSource: Sendable {
    let egress: Egress
    let clock: any Clock<Duration>
    var secrets = Secrets()
    let stacks: SourceStacks

    @Sendable func feed(_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws {
        if inlet.position != nil { return }
        let request = try TransportRequest(ofDocument: arguments)
        let stack = try SourceStack(of: arguments, .source, for: inlet) { try stacks.stack($0) }
        let exchange = SourceExchange(
            of: request,
            isWhole: arguments["as"]?.string == "response",
            stack: stack,
            filters: { try stacks.filters($0, for: request.url, of: inlet.stream, in: inlet.stacks) },
            over: SecretTransport(secrets, for: inlet.stream, over: egress, fields: request.headers),
            clock: clock
        )
        let answer = try await exchange.answer(to: request, reporting: inlet, givesUp: true)
        try await inlet.send(answer.value, at: "1")
    }
}
#endif
