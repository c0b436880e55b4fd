#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceStreams

/// The exchange of a request and its response for a source, repeated while the server can't be reached.
///
/// A server that can't be reached, or answers with a status that may pass (408, 425, 429, and 5xx), is asked again after 1 s
/// to 1 min with full jitter, and not before the time that its `Retry-After` names, up to an hour; the stream reports that
/// it waits. Any other failure fails the stream.
struct SourceExchange: Sendable {
    /// The waits after failures in a row.
    static let backoff = Backoff.exponential(from: .seconds(1), to: .seconds(60), jitter: .full)
    /// The longest wait that a server may ask for.
    private static let longestWait = Duration.seconds(3600)

    /// A response and its value.
    struct Answer: Sendable {
        let response: TransportResponse
        /// The value as it was received, which may contain secrets.
        let received: JSON
        /// The value without secrets.
        let value: JSON
    }

    /// A Boolean value that indicates whether the value has the status and the header fields, also of statuses from 400.
    private let isWhole: Bool
    private let node: AnyNode<TransportRequest, TransportResponse>
    private let timer: CallTimer
    private let random: RandomSource
    private let secrets: Secrets
    private let stack: SourceStack?

    /// - Parameters:
    ///   - request: The first request, whose header fields are for its origin alone.
    ///   - stack: The stack of the source.
    ///   - filters: A closure that returns the filters of the stack as it is at an attempt.
    init(
        of request: TransportRequest,
        isWhole: Bool,
        cache: HTTPCache? = nil,
        stack: SourceStack? = nil,
        filters: @escaping @Sendable (ConnectorStack) throws -> SourceStacks.Filters? = { _ in nil },
        over transport: SecretTransport,
        clock: any Clock<Duration>,
        random: RandomSource = .system
    ) {
        (self.isWhole, self.random, self.stack) = (isWhole, random, stack)
        timer = CallTimer.of(clock)
        secrets = transport.secrets
        let statuses = isWhole ? StatusFilter(where: Self.isPassing) : StatusFilter()
        let limited = CallTimeoutFilter(.seconds(30), of: .attempt, clock: clock)
            .andThen(transport)
        let redirects = RedirectFilter(.follow(atMost: 10), privateFields: request.headers.map(\.name))
        // A response of the cache takes nothing from a limit.
        let attempts =
            stack.map { stack in
                AnyNode { (request: TransportRequest) in
                    guard let filters = try filters(stack.now) else { return try await limited.process(request) }
                    return try await TimeoutFilter(ConnectorStack.longestAttempt, clock: clock).andThen(filters)
                        .process(request, next: limited)
                }
            } ?? AnyNode(limited)
        let cached = cache.map { AnyNode(CacheFilter($0).andThen(attempts)) } ?? attempts
        node = AnyNode(statuses.andThen(redirects).andThen(cached))
    }

    /// Returns the response to a request, and its value.
    ///
    /// - Parameters:
    ///   - givesUp: A Boolean value that indicates whether the last attempt of the stack's `retry` throws its error.
    ///   - beginAttempt: A closure that is called before each attempt.
    /// - Throws: An error for which a further attempt would not help.
    func answer(
        to request: TransportRequest,
        reporting inlet: StreamInlet<JSON>,
        givesUp: Bool = false,
        beginAttempt: () -> Void = {}
    ) async throws -> Answer {
        var (failures, lastWait): (Int, Duration?) = (0, nil)
        while true {
            beginAttempt()
            do {
                let response = try await node.process(request)
                let received = try value(of: response, to: request)
                inlet.report(waiting: nil)
                return Answer(response: response, received: received, value: secrets.redacted(received))
            } catch {
                try Task.checkCancellation()
                guard let least = Self.wait(after: error) else { throw secrets.redacted(error) }
                failures += 1
                let retry = stack?.now.retry
                let limit = givesUp ? retry : retry.map { .init(maxAttempts: .max, backoff: $0.backoff) }
                let next = ConnectorStack.wait(
                    after: failures,
                    previous: lastWait,
                    by: limit,
                    standard: Self.backoff,
                    random: random
                )
                guard let next else { throw secrets.redacted(error) }
                let wait = max(least, next)
                lastWait = next
                inlet.report(waiting: secrets.redacted("\(error)").shortened)
                try await timer.sleep(for: wait)
                try Task.checkCancellation()
            }
        }
    }

    @Sendable private static func isPassing(_ status: HTTPResponse.Status) -> Bool {
        HTTPClassifier.passingStatuses.contains(status.code) || status.kind == .serverError || status.kind == .invalid
    }

    /// Returns the least wait before the next attempt after an error; `nil` where another attempt would not help.
    private static func wait(after error: any Error) -> Duration? {
        if case .retryable(let hint) = HTTPClassifier().responseClass(of: error) {
            return min(hint ?? .zero, longestWait)
        }
        // A filter of the stack has kept the request back.
        if !(error is HTTPError), error is any ClassifiedError { return min(error.wantedWait ?? .zero, longestWait) }
        // Whichever limit has ended the attempt.
        if (error as? HTTPError)?.code == .timedOut { return .zero }
        let status = (error as? HTTPError)?.response?.status
        return status?.kind == .serverError ? .zero : nil
    }

    private func value(of response: TransportResponse, to request: TransportRequest) throws -> JSON {
        let body = try body(of: response, to: request)
        guard isWhole else { return body }
        var headers = JSON.Object()
        for field in response.headers {
            let name = field.name.canonicalName
            headers[name] = .string(headers[name]?.string.map { $0 + ", " + field.value } ?? field.value)
        }
        return ["status": .int(Int64(response.status.code)), "headers": .object(headers), "body": body]
    }

    /// Returns the value of a body: JSON where the response says that it is, or says nothing and is; otherwise its text.
    private func body(of response: TransportResponse, to request: TransportRequest) throws -> JSON {
        guard let bytes = response.body.bytes else {
            throw HTTPError(.badBody, "the response is not whole", request: request, response: response)
        }
        let type = response.headers[.contentType]?.prefix { $0 != ";" }.lowercased() ?? ""
        let essence = type.filter { $0 != " " }
        if essence.hasSuffix("/json") || essence.hasSuffix("+json") {
            do { return try JSON(parsing: bytes) } catch {
                throw HTTPError(.badBody, "the response is not JSON: \(error)", request: request, response: response)
            }
        }
        if essence.isEmpty, let json = try? JSON(parsing: bytes) { return json }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HTTPError(.badBody, "the response is not UTF-8", request: request, response: response)
        }
        return .string(text)
    }
}
#endif
