import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceStreams

/// `poll`: asks an address again and again. An answer that has not changed is not sent again by a server that knows
/// conditional requests; one that fails in passing is tried again, and after three tries fails the stream.
struct PollSource: Sendable {
    let egress: Egress
    let clock: any Clock<Duration>

    /// The longest answer, in bytes.
    static let longest = 1 << 20
    /// The shortest time between two requests, in seconds.
    static let shortest = 0.1

    @Sendable func feed(_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws {
        let request = try TransportRequest(ofDocument: arguments)
        let seconds = arguments["seconds"]?.double ?? 0
        guard seconds >= Self.shortest, seconds <= 1e9 else {
            throw StreamError(message: "seconds: a hub asks every \(Self.shortest) seconds at most")
        }
        let node = StatusFilter()
            .andThen(RedirectFilter(.follow(atMost: 10), privateFields: request.headers.map(\.name)))
            // Of this stream alone: it may not see what another is allowed to read.
            .andThen(CacheFilter(HTTPCache(bytes: 4 << 20)))
            .andThen(RetryFilter.http(attempts: 3, clock: clock))
            .andThen(CallTimeoutFilter(.seconds(30), of: .attempt, clock: clock))
            .andThen(egress)
        let timer = CallTimer.of(clock)
        let onlyChanges = arguments["changes"]?.bool ?? false
        var last: JSON?
        while true {
            let begun = timer.now
            let value = try Self.value(of: try await node.process(request), to: request)
            if !onlyChanges || value != last { try await inlet.send(value) }
            last = value
            let passed = Duration.nanoseconds(timer.now - begun)
            try await timer.sleep(for: max(.zero, .seconds(seconds) - passed))
            try Task.checkCancellation()
        }
    }

    /// What an answer says: JSON where it says that it is, or says nothing and is; else its text.
    private static func value(of response: TransportResponse, to request: TransportRequest) throws -> JSON {
        guard let bytes = response.body.bytes else {
            throw HTTPError(.badBody, "the answer is not whole", request: request, response: response)
        }
        let type = response.headers[.contentType]?.prefix { $0 != ";" }.lowercased() ?? ""
        let essence = type.filter { $0 != " " }
        if essence.hasSuffix("/json") || essence.hasSuffix("+json") {
            do { return try JSON(parsing: bytes) } catch {
                throw HTTPError(.badBody, "the answer is no JSON: \(error)", request: request, response: response)
            }
        }
        if essence.isEmpty, let json = try? JSON(parsing: bytes) { return json }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HTTPError(.badBody, "the answer is not UTF-8", request: request, response: response)
        }
        return .string(text)
    }
}
