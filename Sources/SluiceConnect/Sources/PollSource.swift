#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceStreams

/// The source `poll`, which requests an address at an interval. A server that knows conditional requests does not repeat a
/// response that has not changed.
struct PollSource: Sendable {
    let egress: Egress
    let clock: any Clock<Duration>
    var secrets = Secrets()
    var random = RandomSource.system
    let stacks: SourceStacks

    /// The longest response, in bytes.
    static let longest = 1 << 20

    @Sendable func feed(_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws {
        let request = try TransportRequest(ofDocument: arguments)
        let seconds = arguments["seconds"]?.double ?? 0
        guard seconds >= StreamPolling.shortestInterval, seconds <= StreamTime.maximumSeconds else {
            throw StreamError(message: "seconds: the shortest interval is \(StreamPolling.shortestInterval) seconds")
        }
        let stack = try SourceStack(of: arguments, .source, for: inlet) { try stacks.stack($0) }
        let exchange = SourceExchange(
            of: request,
            isWhole: arguments["as"]?.string == "response",
            // Of this stream alone: it may not see what another is allowed to read.
            cache: HTTPCache(bytes: 4 << 20),
            stack: stack,
            filters: { try stacks.filters($0, for: request.url, of: inlet.stream, in: inlet.stacks) },
            over: SecretTransport(secrets, for: inlet.stream, over: egress, fields: request.headers),
            clock: clock,
            random: random
        )
        let timer = CallTimer.of(clock)
        let onlyChanges = arguments["changes"]?.bool ?? false
        let paging = try PollPaging(arguments, request)
        // A run that resumes within the pages of a poll continues with the next one.
        var place = paging == nil ? nil : inlet.position.map(PollPaging.Place.init)
        var last: JSON?
        while true {
            // The interval begins with the request that succeeds.
            var begun = timer.now
            if let paging {
                begun = try await poll(paging, from: place ?? .init(), exchange, timer, inlet)
                place = nil
            } else {
                let value = try await exchange.answer(to: request, reporting: inlet) { begun = timer.now }.value
                if !onlyChanges || value != last { try await inlet.send(value) }
                last = value
            }
            let passed = Duration.nanoseconds(timer.now - begun)
            try await timer.sleep(for: max(.zero, .seconds(seconds) - passed))
            try Task.checkCancellation()
        }
    }

    /// Sends the pages of a poll from a place, each with the place after it; returns when the first of them was requested.
    private func poll(
        _ paging: PollPaging,
        from place: PollPaging.Place,
        _ exchange: SourceExchange,
        _ timer: CallTimer,
        _ inlet: StreamInlet<JSON>
    ) async throws -> Int64 {
        var (place, begun) = (Optional(place), Int64?.none)
        while let before = place {
            let request = try paging.request(after: before)
            var attempt = timer.now
            let answer = try await exchange.answer(to: request, reporting: inlet) { attempt = timer.now }
            begun = begun ?? attempt
            do { place = try paging.place(after: before, answer.received, answer.response, to: request) } catch {
                throw secrets.redacted(error)
            }
            let text = (place ?? .init()).text
            guard secrets.redacted(text) == text else {
                throw StreamError(message: "the place of the next page contains a secret: it would be stored")
            }
            try await inlet.send(answer.value, at: text)
        }
        return begun ?? timer.now
    }
}
#endif
