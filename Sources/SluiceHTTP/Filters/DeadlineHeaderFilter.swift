#if HTTP
public import HTTPTypes
public import Sluice
public import SluiceFilters

/// A filter that sends with each attempt the time left until the deadline of the call, so that a server starts no work
/// whose answer comes too late.
///
/// ```swift
/// var context = CallContext.current
/// context.deadline = .now + .seconds(2)
/// let node = DeadlineHeaderFilter().andThen(HTTPTransport())
/// let response = try await withCallContext(context) { try await node.process(request) }  // Request-Timeout: 1.999
/// ```
///
/// It sends a duration rather than an instant, so that clocks don't have to agree: `DeadlineMiddleware` of SluiceServer
/// uses it as the deadline of the handler. ``HTTPTransport`` updates the field when it sends the request, so that waits
/// further inside count, and so do attempts that end earlier; only a signed field stays. A request without a deadline,
/// or that already has such a field, passes unchanged.
public struct DeadlineHeaderFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    /// A header field for the time that a client waits.
    public enum Form: Sendable, Hashable, CaseIterable {
        /// `Request-Timeout` in seconds, with a fraction: `1.5`.
        case requestTimeout
        /// `grpc-timeout`, up to eight digits and a unit: `1500000u`.
        case grpc
        /// `X-Envoy-Expected-Rq-Timeout-Ms` in milliseconds: `1500`.
        case envoy

        /// The name of the field.
        public var name: HTTPField.Name {
            switch self {
            case .requestTimeout: Self.requestTimeoutName
            case .grpc: Self.grpcName
            case .envoy: Self.envoyName
            }
        }

        private static let requestTimeoutName = HTTPField.Name.name("Request-Timeout")
        private static let grpcName = HTTPField.Name.name("grpc-timeout")
        private static let envoyName = HTTPField.Name.name("X-Envoy-Expected-Rq-Timeout-Ms")

        /// Returns the value for a duration, rounded down; zero and negative durations count as the shortest one that
        /// the form can express.
        public func value(of time: Duration) -> String {
            let (seconds, attoseconds) = min(max(time, .nanoseconds(1)), .seconds(360_000_000_000)).components
            let nanoseconds = attoseconds / 1_000_000_000
            switch self {
            case .requestTimeout:
                let digits = String(max(nanoseconds / 1_000_000, seconds == 0 ? 1 : 0))
                return "\(min(seconds, 999_999_999)).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
            case .envoy: return String(min(max(seconds * 1000 + nanoseconds / 1_000_000, 1), 999_999_999_999))
            case .grpc:
                if seconds == 0, nanoseconds < 100_000_000 { return "\(nanoseconds)n" }
                if seconds < 100 { return "\(seconds * 1_000_000 + nanoseconds / 1000)u" }
                if seconds < 100_000 { return "\(seconds * 1000 + nanoseconds / 1_000_000)m" }
                if seconds < 100_000_000 { return "\(seconds)S" }
                if seconds < 6_000_000_000 { return "\(seconds / 60)M" }
                return "\(min(seconds / 3600, 99_999_999))H"
            }
        }
    }

    private let form: Form
    private let timer: CallTimer
    /// A Boolean value that indicates whether the transport measures with the same clock.
    private let isRenewed: Bool

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - form: the header field and its form.
    ///   - clock: the clock with which the deadline was computed.
    public init(_ form: Form = .requestTimeout, clock: any Clock<Duration> = .continuous) {
        self.form = form
        timer = .of(clock)
        isRenewed = clock is ContinuousClock
    }

    /// Calls `next` with the field.
    ///
    /// - Throws: ``HTTPError`` with `timedOut`, without calling `next`, if the deadline has passed; the error of `next`.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        guard let deadline = CallContext.current.deadline, !request.headers.contains(form.name) else {
            return try await next.process(request)
        }
        let left = timer.time(of: deadline) - timer.now
        guard left > 0 else {
            let error = DeadlineError()
            throw HTTPError(.timedOut, "\(error)", request: request, timeout: .total, cause: error, isUnsent: true)
        }
        var request = request
        request.headers[form.name] = form.value(of: .nanoseconds(left))
        if isRenewed { request.note { $0.deadlineForm = form } }
        return try await next.process(request)
    }

    /// The description `DeadlineHeaderFilter`.
    public var description: String { "DeadlineHeaderFilter" }
}

extension DeadlineHeaderFilter: ChainStage {
    /// The declaration: per attempt; adds the field.
    public var declaration: StageDeclaration { StageDeclaration(.attempt, adds: .named([form.name])) }
    /// The role ``StackRole/attemptFields``.
    public var stackRole: StackRole { .attemptFields }
}

extension TransportRequest {
    /// Updates the field of a ``DeadlineHeaderFilter`` to the time that is left now.
    mutating func renewDeadline() {
        guard let form = box?.notes.deadlineForm, let deadline = CallContext.current.deadline else { return }
        headers[form.name] = form.value(of: ContinuousClock.now.duration(to: deadline))
    }
}

extension StageName {
    /// The header field with the deadline of the caller.
    public static let deadline = StageName("deadline", .attempt)
}
#endif
