public import Sluice

/// Calls only when nobody has called for a while: the last of a burst counts.
///
/// ```swift
/// let search = DebounceFilter(delay: .milliseconds(300)).andThen(users)
/// let user = try await search.process("ada")  // sent when nothing was typed for 0.3 seconds
/// ```
///
/// A newer call takes the place of the one before it, whether that still waits or runs already: it ends at once with
/// ``SupersededError``, and its work is cancelled.
public struct DebounceFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let delay: Duration
    private let timer: CallTimer
    private let latest = Latest()

    private final class Latest: Sendable {
        let call = Locked<PendingCall<Response>?>(nil)
    }

    /// Makes a filter of its own; copies share which call is the latest.
    ///
    /// - Parameters:
    ///   - delay: how long nobody may have called before a call is sent.
    ///   - clock: measures it.
    public init(delay: Duration, clock: any Clock<Duration> = .continuous) {
        self.delay = delay
        timer = .of(clock)
    }

    /// Waits, and calls `next`.
    ///
    /// - Throws: ``SupersededError`` when a newer call comes before this one has ended; the error of `next`.
    /// - Cancellation: ends the wait, or cancels `next`; no other call is touched.
    /// - Executor: `next` runs in a task of its own, on the global executor.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let call = PendingCall<Response>()
        let superseded = latest.call.withLock { latest in
            let last = latest
            latest = call
            return last
        }
        superseded?.end(.failure(SupersededError()))
        CallContext.note("DebounceFilter", "waits for \(delay)")
        call.attach(
            startNow { [timer, delay] in
                call.finish(
                    await Result.of {
                        try await timer.sleep(for: delay)
                        return try await next.process(request)
                    }
                )
            }
        )
        defer { latest.call.withLock { if $0 === call { $0 = nil } } }
        do { return try await call.value() } catch let error as SupersededError {
            CallContext.note("DebounceFilter", "\(error)")
            throw error
        }
    }

    /// `DebounceFilter(delay: 0.3 seconds)`.
    public var description: String { "DebounceFilter(delay: \(delay))" }
}

/// A newer call took the place of this one.
public struct SupersededError: ClassifiedError, Equatable, CustomStringConvertible {
    /// Makes the error.
    public init() {}

    /// ``ResponseClass/ignorable``: it says nothing about the one who answers.
    public var responseClass: ResponseClass { .ignorable }

    /// `a newer call took the place of this one`.
    public var description: String { "a newer call took the place of this one" }
}
