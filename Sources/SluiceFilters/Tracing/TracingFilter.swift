public import Sluice
public import Tracing

/// Makes a span of each call, in the program's tracer.
///
/// ```swift
/// let node = RetryFilter(attempt: 3).andThen(TracingFilter("find user")).andThen(users)
/// let user = try await node.process("ada")  // a span for each try
/// ```
///
/// Inside of a ``RetryFilter`` or a ``HedgeFilter`` it is a span a try, with the number of the try as the attribute
/// `sluice.attempt`; outside of it a span for all of them. The spans of what is called inside are its children, and what
/// the tracer wants carried on is in ``Sluice/CallContext/trace`` for whoever sends the call.
///
/// Where no span is running, its parent is what the ``Sluice/CallContext/trace`` of the call says, as on a server that has
/// read it from headers.
public struct TracingFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let name: String
    private let kind: SpanKind
    private let tracer: (any Tracer)?
    private let attributes: @Sendable (Request) -> SpanAttributes
    private let protocolNames: ProtocolNames?

    /// How the filter of a protocol words its spans.
    private struct ProtocolNames: Sendable {
        let name: @Sendable (Request) -> String
        let conclude: @Sendable (Result<Response, any Error>, inout SpanAttributes) -> SpanStatus?
    }

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - name: the name of the spans.
    ///   - kind: whether this side calls or is called.
    ///   - tracer: makes the spans; `nil`, the default, is the one that the program has set up.
    ///   - attributes: called once for each call, where the filter runs: what the span bears besides.
    public init(
        _ name: String,
        kind: SpanKind = .client,
        tracer: (any Tracer)? = nil,
        attributes: @escaping @Sendable (Request) -> SpanAttributes = { _ in [:] }
    ) {
        self.name = name
        self.kind = kind
        self.tracer = tracer
        self.attributes = attributes
        protocolNames = nil
    }

    /// Makes the filter that one of a protocol is built on.
    ///
    /// - Parameters:
    ///   - name: the name of the span of a request.
    ///   - conclude: told how each call ended, but for cancel: adds attributes, and says the status of the span.
    package init(
        kind: SpanKind,
        tracer: (any Tracer)?,
        name: @escaping @Sendable (Request) -> String,
        attributes: @escaping @Sendable (Request) -> SpanAttributes,
        conclude: @escaping @Sendable (Result<Response, any Error>, inout SpanAttributes) -> SpanStatus?
    ) {
        self.name = ""
        self.kind = kind
        self.tracer = tracer
        self.attributes = attributes
        protocolNames = ProtocolNames(name: name, conclude: conclude)
    }

    /// Calls `next` within a span.
    ///
    /// - Throws: the error of `next`, which the span records; cancel is no error, the span has `sluice.canceled` then.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let tracer = self.tracer ?? InstrumentationSystem.tracer
        var call = CallContext.current
        var parent = InstrumentationContext.current ?? .topLevel
        if InstrumentationContext.current == nil, !call.trace.isEmpty {
            tracer.extract(call.trace, into: &parent, using: TraceCarrier())
        }
        let span = tracer.startAnySpan(protocolNames?.name(request) ?? name, context: parent, ofKind: kind)
        defer { span.end() }
        span.attributes = attributes(request)
        span.attributes["sluice.attempt"] = call.attempt
        tracer.inject(span.context, into: &call.trace, using: TraceCarrier())
        do {
            let response = try await InstrumentationContext.$current.withValue(span.context) {
                try await withCallContext(call) { try await next.process(request) }
            }
            if let protocolNames {
                if let status = protocolNames.conclude(.success(response), &span.attributes) { span.setStatus(status) }
            }
            return response
        } catch {
            if error is CancellationError {
                span.attributes["sluice.canceled"] = true
            } else if let protocolNames {
                span.recordError(error)
                if let status = protocolNames.conclude(.failure(error), &span.attributes) { span.setStatus(status) }
            } else {
                span.recordError(error)
                span.setStatus(SpanStatus(code: .error, message: "\(error)"))
            }
            throw error
        }
    }

    /// `TracingFilter(find user)`.
    public var description: String { "TracingFilter(\(name))" }
}

/// Carries a trace in the fields of a call context.
private struct TraceCarrier: Injector, Extractor {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}
