public import Sluice

/// A filter that lets a call pass, then another one after a delay, and rejects the calls in between.
///
/// ```swift
/// let save = ThrottleFilter(delay: .seconds(1)).andThen(users)
/// let user = try await save.process("ada")  // at once; a second call within the second waits, a third is refused
/// ```
///
/// A call is sent immediately if the last one was sent at least `delay` ago. Otherwise it waits for `delay`, unless
/// another call waits already; then it ends immediately with ``ThrottledError``.
public struct ThrottleFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let delay: Duration
    private let timer: CallTimer
    private let gate = Gate()

    private struct State {
        /// A Boolean value that indicates whether a call waits.
        var isTaken = false
        var lastSent: Int64?
    }

    private final class Gate: Sendable {
        let state = Locked(State())
    }

    /// Creates a filter of its own; copies share the time of the last call.
    ///
    /// - Parameters:
    ///   - delay: The delay of a call that comes too soon.
    ///   - clock: The clock that measures the delay.
    public init(delay: Duration, clock: any Clock<Duration> = .continuous) {
        self.delay = delay
        timer = .of(clock)
    }

    /// Calls `next`, now or later.
    ///
    /// - Throws: ``ThrottledError`` when another call waits; the error of `next`.
    /// - Cancellation: Ends the wait, so that another call may wait, or cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let now = timer.now
        switch gate.state.withLock({ Self.admit(&$0, now: now, delay: delay.nanoseconds) }) {
        case .sent: break
        case .refused:
            let error = ThrottledError()
            CallContext.note("ThrottleFilter", "refused: \(error)")
            throw error
        case .waits:
            CallContext.note("ThrottleFilter", "waits for \(delay)")
            defer { gate.state.withLock { $0.isTaken = false } }
            try await timer.sleep(for: delay)
            let now = timer.now
            gate.state.withLock { $0.lastSent = now }
        }
        return try await next.process(request)
    }

    private enum Admission { case sent, waits, refused }

    private static func admit(_ state: inout State, now: Int64, delay: Int64) -> Admission {
        guard !state.isTaken else { return .refused }
        if let last = state.lastSent, now - last < delay {
            state.isTaken = true
            return .waits
        }
        state.lastSent = now
        return .sent
    }

    /// A description such as `ThrottleFilter(delay: 1.0 seconds)`.
    public var description: String { "ThrottleFilter(delay: \(delay))" }
}

/// An error that indicates that a call came too soon after others.
public struct ThrottledError: ClassifiedError, Equatable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// The class ``ResponseClass/ignorable``, since it says nothing about the responder.
    public var responseClass: ResponseClass { .ignorable }

    /// The text `too soon: another call waits already`.
    public var description: String { "too soon: another call waits already" }
}

extension ThrottleFilter: StackStage {
    /// The role ``StackRole/throttle``.
    public var stackRole: StackRole { .throttle }
}

/// A throttle in a document: `{"throttle": {"seconds": 0.3}}`.
enum ThrottleKind: FilterKind {
    static let name = "throttle"
    static let summary = "Lets one call pass in a period, and rejects others that come while one waits"
    static let seconds = StackKey("seconds", .positiveSeconds, "the period")
    static let keys: [any FilterKey] = [seconds]
    static let examples = [
        FilterExample(#"{"throttle": {"seconds": 0.3}}"#, "ThrottleFilter(delay: 0.3 seconds)")
    ]

    static func role(_ settings: StackSettings) -> StackRole { .throttle }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) -> any SimpleFilter<Request, Response> {
        ThrottleFilter<Request, Response>(delay: settings[seconds], clock: builder.bindings.clock)
    }
}
