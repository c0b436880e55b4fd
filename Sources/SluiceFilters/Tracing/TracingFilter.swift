#if Instruments
public import Sluice
public import Tracing

/// A filter that creates a span for each call, in the program's tracer.
///
/// ```swift
/// let node = RetryFilter(maxAttempts: 3).andThen(TracingFilter("find user")).andThen(users)
/// let user = try await node.process("ada")  // a span for each try
/// ```
///
/// Inside of a ``RetryFilter`` or a ``HedgeFilter`` it creates a span for each attempt, with the number of the attempt
/// as the attribute `sluice.attempt`; outside of it, one span for all attempts. Inner spans are its children, and the
/// fields that the tracer propagates are in ``Sluice/CallContext/trace`` for the code that sends the call.
///
/// If no span is running, its parent is that of the call's ``Sluice/CallContext/trace``, as on a server that has read
/// it from headers.
public struct TracingFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let name: String
    private let kind: SpanKind
    private let tracer: (any Tracer)?
    private let attributes: @Sendable (Request) -> SpanAttributes
    private let protocolNames: ProtocolNames?

    /// The names of spans and attributes of a protocol.
    private struct ProtocolNames: Sendable {
        let name: @Sendable (Request) -> String
        let conclude: @Sendable (Result<Response, any Error>, inout SpanAttributes) -> SpanStatus?
    }

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - name: The name of the spans.
    ///   - kind: The kind of the spans: client or server.
    ///   - tracer: The tracer; `nil`, the default, is the one that the program has set up.
    ///   - attributes: A closure that returns further attributes of the span; it is called once for each call, where
    ///     the filter runs.
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

    /// Creates the filter on which that of a protocol is built.
    ///
    /// - Parameters:
    ///   - name: The name of the span of a request.
    ///   - conclude: A closure that is called with the result of each call except cancellation; it adds attributes, and
    ///     sets the status of the span.
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
    /// - Throws: The error of `next`, which the span records. Cancellation is not an error; the span has
    ///   `sluice.canceled` then.
    /// - Cancellation: Cancels `next`.
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

    /// A description such as `TracingFilter(find user)`.
    public var description: String { "TracingFilter(\(name))" }
}

/// A carrier of a trace in the fields of a call context.
private struct TraceCarrier: Injector, Extractor {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}
#endif
