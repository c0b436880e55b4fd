public import Sluice

extension CallContext {
    /// Sets the deadline to `limit` unless it is earlier already.
    ///
    /// ```swift
    /// var context = CallContext()
    /// context.deadline = .now + .seconds(2)
    /// context.limitDeadline(to: .now + .seconds(9))  // still two seconds
    /// ```
    public mutating func limitDeadline(to limit: ContinuousClock.Instant) {
        if let deadline, deadline <= limit { return }
        deadline = limit
    }
}

extension CallTimer {
    /// Returns whether an error is a cancellation of the current call because its deadline has passed: the one who was called
    /// took too long.
    func isLate(_ error: any Error) -> Bool {
        guard error is CancellationError, let deadline = CallContext.current.deadline else { return false }
        return time(of: deadline) <= now
    }
}

/// The deadline that travels with a call has passed.
public struct DeadlineError: ClassifiedError, Equatable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// The class ``ResponseClass/failure``, since there is no time for another attempt.
    public var responseClass: ResponseClass { .failure }

    /// The text `the deadline of the call has passed`.
    public var description: String { "the deadline of the call has passed" }
}
