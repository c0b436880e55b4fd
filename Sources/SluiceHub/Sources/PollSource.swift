#if Hub
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceStreams

/// `poll`: requests an address at an interval. A server that knows conditional requests does not repeat an answer that has
/// not changed.
///
/// A server that can't be reached, or answers with a status that may pass (408, 425, 429, and 5xx), is asked again after 1 s
/// to 1 min with full jitter, and not before the time that its `Retry-After` names, up to an hour; the stream reports that
/// it waits. Any other failure fails the stream.
struct PollSource: Sendable {
    let egress: Egress
    let clock: any Clock<Duration>
    var random = RandomSource.system

    /// The waits after failures in a row.
    static let backoff = Backoff.exponential(from: .seconds(1), to: .seconds(60), jitter: .full)
    /// The longest wait that a server may ask for.
    private static let longestWait = Duration.seconds(3600)

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
            .andThen(CallTimeoutFilter(.seconds(30), of: .attempt, clock: clock))
            .andThen(egress)
        let timer = CallTimer.of(clock)
        let onlyChanges = arguments["changes"]?.bool ?? false
        var last: JSON?
        var (failures, lastWait): (Int, Duration?) = (0, nil)
        while true {
            let begun = timer.now
            let value: JSON
            do {
                value = try Self.value(of: try await node.process(request), to: request)
                (failures, lastWait) = (0, nil)
                inlet.report(waiting: nil)
            } catch {
                try Task.checkCancellation()
                guard let least = Self.wait(after: error) else { throw error }
                failures += 1
                let wait = max(least, Self.backoff.delay(after: failures, previous: lastWait, random: random))
                lastWait = wait
                inlet.report(waiting: Problem.shown("\(error)"))
                try await timer.sleep(for: wait)
                try Task.checkCancellation()
                continue
            }
            if !onlyChanges || value != last { try await inlet.send(value) }
            last = value
            let passed = Duration.nanoseconds(timer.now - begun)
            try await timer.sleep(for: max(.zero, .seconds(seconds) - passed))
            try Task.checkCancellation()
        }
    }

    /// Returns the least wait before the next attempt after an error; `nil` where another attempt would not help.
    private static func wait(after error: any Error) -> Duration? {
        if case .retryable(let hint) = HTTPClassifier().responseClass(of: error) {
            return min(hint ?? .zero, longestWait)
        }
        let status = (error as? HTTPError)?.response?.status
        return status?.kind == .serverError ? .zero : nil
    }

    /// Returns the value of an answer: JSON where it says that it is, or says nothing and is; else its text.
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
#endif
