public import Sluice

/// A filter that delays a call until there have been no further calls for a while, so that only the last of a burst is
/// sent.
///
/// ```swift
/// let search = DebounceFilter(delay: .milliseconds(300)).andThen(users)
/// let user = try await search.process("ada")  // sent when nothing was typed for 0.3 seconds
/// ```
///
/// A new call replaces the previous one, whether that one waits or is running: it ends immediately with
/// ``SupersededError``, and its work is canceled.
public struct DebounceFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let delay: Duration
    private let timer: CallTimer
    private let latest = Latest()

    private final class Latest: Sendable {
        let call = Locked<PendingCall<Response>?>(nil)
    }

    /// Creates a filter of its own; copies share the latest call.
    ///
    /// - Parameters:
    ///   - delay: The time without further calls after which a call is sent.
    ///   - clock: The clock that measures the delay.
    public init(delay: Duration, clock: any Clock<Duration> = .continuous) {
        self.delay = delay
        timer = .of(clock)
    }

    /// Waits, and calls `next`.
    ///
    /// - Throws: ``SupersededError`` when a newer call comes before this one has ended; the error of `next`.
    /// - Cancellation: Ends the wait, or cancels `next`; other calls are not affected.
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

    /// A description such as `DebounceFilter(delay: 0.3 seconds)`.
    public var description: String { "DebounceFilter(delay: \(delay))" }
}

/// An error that indicates that a newer call replaced this one.
public struct SupersededError: ClassifiedError, Equatable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// The class ``ResponseClass/ignorable``, since it says nothing about the responder.
    public var responseClass: ResponseClass { .ignorable }

    /// The text `a newer call took the place of this one`.
    public var description: String { "a newer call took the place of this one" }
}

extension DebounceFilter: StackStage {
    /// The role ``StackRole/debounce``.
    public var stackRole: StackRole { .debounce }
}

/// A debounce in a document: `{"debounce": {"seconds": 0.3}}`.
enum DebounceKind: FilterKind {
    static let name = "debounce"
    static let summary = "Waits until there are no further calls for a time"
    static let seconds = StackKey("seconds", .positiveSeconds, "the time without further calls")
    static let keys: [any FilterKey] = [seconds]
    static let examples = [
        FilterExample(#"{"debounce": {"seconds": 0.3}}"#, "DebounceFilter(delay: 0.3 seconds)")
    ]

    static func role(_ settings: StackSettings) -> StackRole { .debounce }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) -> any SimpleFilter<Request, Response> {
        DebounceFilter<Request, Response>(delay: settings[seconds], clock: builder.bindings.clock)
    }
}
