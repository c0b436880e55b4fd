#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceStreams

/// `post`: sends outputs to an HTTP address, with the key of the delivery as `Idempotency-Key`.
///
/// The answer acknowledges the outputs with a status of 2xx, as soon as its head has arrived, which takes 30 s at most. After a
/// status of 408, 425, 429, or 5xx, and where no answer arrives, the request is sent again, after `Retry-After` at the earliest;
/// any other answer is final.
struct PostSink: Sendable {
    let egress: Egress
    let clock: any Clock<Duration>
    /// The secrets of the host. A stored request has their names; their values are put in when it is sent.
    var secrets = Secrets()

    /// The most bytes of an answer that are read: the rest of a longer one doesn't count, and its connection is closed.
    private static let mostRead = 64 << 10
    /// The longest time of an attempt, redirects included, up to the head of the answer.
    private static let longestAttempt = Duration.seconds(30)
    /// The longest time in which the bytes are read.
    private static let longestRead = Duration.seconds(5)
    /// The most characters of an answer that an error shows.
    private static let shown = 1000

    @Sendable func deliver(_ delivery: SinkDelivery) async throws {
        let request: TransportRequest
        do throws(StreamError) { request = try Self.request(delivery) } catch {
            throw SinkRefusalError(error.message)
        }
        let fields = (delivery.request["headers"]?.object ?? [:]).compactMap { HTTPField.Name($0.key) }
        let method = request.method
        // A redirect that turns the request into a GET would deliver nothing, and its answer acknowledges nothing.
        let redirects = RedirectPolicy.ask(atMost: 10) { _, next in next.method == method ? next : nil }
        let answers = RedirectFilter(redirects, privateFields: fields)
            .andThen(SecretTransport(secrets, for: delivery.stream, over: egress))
        let deadline = CancelingDeadline(clock, delivery.cancel)
        defer { deadline.end() }
        do {
            deadline.set(after: Self.longestAttempt)
            let response = try await answers.process(request)
            deadline.set(after: Self.longestRead)
            let answer = await beginning(of: response)
            guard (200..<300).contains(answer.status.code) else {
                throw HTTPError(.badStatus, answer.status.summary, request: request, response: answer)
            }
        } catch let error as HTTPError {
            throw failure(error)
        } catch {
            if deadline.hasPassed { throw SinkRetryError("no answer within \(Self.longestAttempt)") }
            if error is CancellationError { throw error }
            throw SinkRetryError(secrets.redacted("\(error)"))
        }
    }

    /// Returns an answer with the beginning of its body in memory. Nothing is an error that happens after the head.
    private func beginning(of response: TransportResponse) async -> TransportResponse {
        var bytes: [UInt8] = []
        do {
            for try await chunk in response.body {
                bytes += chunk.prefix(Self.mostRead - bytes.count)
                if bytes.count >= Self.mostRead { break }
            }
        } catch {}
        var response = response
        response.body = ByteStream(bytes)
        return response
    }

    /// Returns the request of a delivery, which is the same for each attempt.
    static func request(_ delivery: SinkDelivery) throws(StreamError) -> TransportRequest {
        var request = try TransportRequest(ofDocument: delivery.request)
        // A key has no quotation marks and no backslashes.
        request.headers[.idempotencyKey] = "\"\(delivery.key)\""
        return request
    }

    /// Returns the failure of an attempt: a refusal where repeating the request can't mend it.
    private func failure(_ error: HTTPError) -> any Error {
        let text = description(of: error)
        guard let response = error.response else {
            // A request that the egress rules refuse is not repeated.
            return error.code == .badRequest ? SinkRefusalError(text) : SinkRetryError(text)
        }
        if case .retryable(let wait) = HTTPClassifier().responseClass(of: response) {
            return SinkRetryError(text, after: wait)
        }
        return response.status.kind == .serverError ? SinkRetryError(text) : SinkRefusalError(text)
    }

    /// Returns the text of an error, with the beginning of the answer, and without values of secrets.
    private func description(of error: HTTPError) -> String {
        let text = secrets.redacted("\(error)")
        guard let bytes = error.response?.body.bytes, !bytes.isEmpty else { return text }
        // Before it is cut, so that no part of a value remains.
        let answer = secrets.redacted(String(decoding: bytes, as: UTF8.self))
        return "\(text), with the answer: \(answer.prefix(Self.shown))\(answer.count > Self.shown ? "…" : "")"
    }
}
#endif
