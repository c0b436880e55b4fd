#if HTTP
import Foundation
import HTTPTypes
public import Sluice
public import SluiceFilters
public import Tracing

/// A filter that makes a span for each request, with the names of OpenTelemetry, and sends its trace along.
///
/// ```swift
/// let node = RetryFilter.http().andThen(HTTPTracingFilter()).andThen(HTTPTransport())
/// // spans "GET /users/{id}", one for each try, the second with http.request.resend_count 1
/// ```
///
/// Inside a retry and a redirect filter, it makes a span for each request on the wire. The name is the method with
/// ``TransportRequest/template``. A span has `http.request.method`, `server.address`, `server.port`, `url.full` without
/// secrets, `url.template`, `http.response.status_code`, `error.type`, and `http.request.resend_count`; an answer from
/// 400 or an error marks it as failed. Fields such as `traceparent`, which the program's tracer provides, are added to
/// the request.
public struct HTTPTracingFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let spans: TracingFilter<TransportRequest, TransportResponse>

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - tracer: the tracer of the spans; `nil`, the default, is the one that the program has set up.
    ///   - redaction: the data that `url.full` does not contain.
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
                // The code is enough; a message would add nothing.
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
    /// - Throws: the error of `next`, which the span records; cancellation is not an error; the span then has
    ///   `sluice.canceled`.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        try await spans.process(request, next: TraceSender(next: next))
    }

    /// A node that writes the trace of the call into the request.
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

    /// The description `HTTPTracingFilter`.
    public var description: String { "HTTPTracingFilter" }
}

extension HTTPTracingFilter: ChainStage {
    /// The declaration: per attempt; adds the fields of the program's tracer.
    public var declaration: StageDeclaration { StageDeclaration(.attempt, adds: .named(Self.fields)) }
    /// The role ``StackRole/other``: a span around a whole call does no harm.
    public var stackRole: StackRole { .other }

    private static let fields: Set<HTTPField.Name> = [.name("traceparent"), .name("tracestate"), .name("baggage")]
}

extension StageName {
    /// A span for each attempt.
    public static let tracing = StageName("tracing", .attempt)
}

extension Filter where Self == HTTPTracingFilter {
    /// A filter that makes a span for each attempt, for the stage `tracing`; see `HTTPTracingFilter`.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(.tracing, .tracing)
    /// ```
    public static var tracing: Self { HTTPTracingFilter() }
}
#endif
