public import Sluice

/// Lets a call pass, then one more after a delay, and refuses what comes in between.
///
/// ```swift
/// let save = ThrottleFilter(delay: .seconds(1)).andThen(users)
/// let user = try await save.process("ada")  // at once; a second call within the second waits, a third is refused
/// ```
///
/// A call is sent at once if the last one was sent at least `delay` ago. Otherwise it waits for `delay`, if no other
/// waits; if one does, it ends at once with ``ThrottledError``.
public struct ThrottleFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let delay: Duration
    private let timer: CallTimer
    private let gate = Gate()

    private struct State {
        /// Whether a call waits.
        var isTaken = false
        var lastSent: Int64?
    }

    private final class Gate: Sendable {
        let state = Locked(State())
    }

    /// Makes a filter of its own; copies share when a call was sent last.
    ///
    /// - Parameters:
    ///   - delay: how long a call waits that comes too soon.
    ///   - clock: measures it.
    public init(delay: Duration, clock: any Clock<Duration> = .continuous) {
        self.delay = delay
        timer = .of(clock)
    }

    /// Calls `next`, now or later.
    ///
    /// - Throws: ``ThrottledError`` when another call waits; the error of `next`.
    /// - Cancellation: ends the wait, and another may wait; or cancels `next`.
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

    /// `ThrottleFilter(delay: 1.0 seconds)`.
    public var description: String { "ThrottleFilter(delay: \(delay))" }
}

/// A call came too soon after others.
public struct ThrottledError: ClassifiedError, Equatable, CustomStringConvertible {
    /// Makes the error.
    public init() {}

    /// ``ResponseClass/ignorable``: it says nothing about the one who answers.
    public var responseClass: ResponseClass { .ignorable }

    /// `too soon: another call waits already`.
    public var description: String { "too soon: another call waits already" }
}
