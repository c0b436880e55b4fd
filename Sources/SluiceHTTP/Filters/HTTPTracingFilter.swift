import Foundation
import HTTPTypes
public import Sluice
public import SluiceFilters
public import Tracing

/// Makes a span of each request, as OpenTelemetry words it, and sends its trace along.
///
/// ```swift
/// let node = RetryFilter.http().andThen(HTTPTracingFilter()).andThen(HTTPTransport())
/// // spans "GET /users/{id}", one for each try, the second with http.request.resend_count 1
/// ```
///
/// Inside of a retry and a redirect filter it is a span for each request that goes out. The name is the method with
/// ``TransportRequest/template``. A span bears `http.request.method`, `server.address`, `server.port`, `url.full`
/// without what is secret, `url.template`, `http.response.status_code`, `error.type` and `http.request.resend_count`; an
/// answer from 400 and an error make it one that failed. Fields like `traceparent`, which the program's tracer gives, go
/// with the request.
public struct HTTPTracingFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let spans: TracingFilter<TransportRequest, TransportResponse>

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - tracer: makes the spans; `nil`, the default, is the one that the program has set up.
    ///   - redaction: what `url.full` does not tell.
    public init(tracer: (any Tracer)? = nil, redaction: LogRedaction = LogRedaction()) {
        spans = TracingFilter(
            kind: .client,
            tracer: tracer,
            name: { request in
                let method = HTTPSemantics.isKnown(request.method) ? request.method.rawValue : "HTTP"
                return request.template.map { "\(method) \($0)" } ?? method
            },
            attributes: { request in Self.attributes(request, redaction) },
            conclude: { result, attributes in
                if let status = HTTPSemantics.status(result) { attributes[HTTPSemantics.status] = status }
                guard let type = HTTPSemantics.errorType(result) else { return nil }
                attributes[HTTPSemantics.errorType] = type
                // The code says what a message would.
                return SpanStatus(code: .error)
            }
        )
    }

    private static func attributes(_ request: TransportRequest, _ redaction: LogRedaction) -> SpanAttributes {
        var attributes: SpanAttributes = [:]
        if HTTPSemantics.isKnown(request.method) {
            attributes[HTTPSemantics.method] = request.method.rawValue
        } else {
            attributes[HTTPSemantics.method] = HTTPSemantics.other
            attributes[HTTPSemantics.originalMethod] = request.method.rawValue
        }
        attributes[HTTPSemantics.fullURL] = redaction.text(of: request.url)
        if let host = request.url.host { attributes[HTTPSemantics.serverAddress] = host }
        if let port = HTTPSemantics.port(request.url) { attributes[HTTPSemantics.serverPort] = port }
        if let template = request.template { attributes[HTTPSemantics.template] = template }
        let attempt = CallContext.current.attempt
        if attempt > 1 { attributes[HTTPSemantics.resendCount] = attempt - 1 }
        return attributes
    }

    /// Calls `next` within a span.
    ///
    /// - Throws: the error of `next`, which the span records; cancel is no error, the span has `sluice.canceled` then.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        try await spans.process(request, next: TraceSender(next: next))
    }

    /// Writes the trace of the call into the request.
    private struct TraceSender<Next: Node<TransportRequest, TransportResponse>>: Node {
        let next: Next

        nonisolated(nonsending) func process(_ request: TransportRequest) async throws -> TransportResponse {
            var request = request
            for (name, value) in CallContext.current.trace {
                if let name = HTTPField.Name(name), HTTPField.isValidValue(value) { request.headers[name] = value }
            }
            return try await next.process(request)
        }
    }

    /// `HTTPTracingFilter`.
    public var description: String { "HTTPTracingFilter" }
}

extension HTTPTracingFilter: ChainStage {
    /// Per attempt; it adds the fields of the program's tracer.
    public var declaration: StageDeclaration { StageDeclaration(.attempt, adds: .named(Self.fields)) }
    /// ``StackRole/other``: a span around a whole call does no harm.
    public var stackRole: StackRole { .other }

    private static let fields: Set<HTTPField.Name> = [.name("traceparent"), .name("tracestate"), .name("baggage")]
}
