/// The values that travel with a call beside its input: deadline, attempt, idempotency key, trace, log metadata, log
/// hook.
///
/// The context is a task-local value. An ``Observer`` captures it when it is created (a derived observer that is
/// created outside of any context takes the one of its parent) and restores it around its listeners and over
/// ``Observer/dispatch(on:)``. A raw `queue.async` loses it; use `withCallContext(_:_:)` there.
///
/// ```swift
/// var context = CallContext.current
/// context.attempt = 2
/// let attempt = withCallContext(context) { CallContext.current.attempt }  // 2
/// ```
///
/// An empty context is one word and allocates nothing.
public struct CallContext: Sendable {
    /// The context of the running call; an empty context outside of any call.
    public static var current: CallContext { local }

    /// A Boolean value that indicates whether the running call has an empty context.
    @usableFromInline package static var isCurrentEmpty: Bool { local.isEmpty }

    @TaskLocal static var local = CallContext()

    /// The fields behind a copy-on-write reference; `nil` while all fields have their defaults.
    private var storage: Storage?

    /// Creates an empty context: no deadline, attempt 1, no idempotency key, no trace, no metadata, no log.
    public init() {}

    /// The time after which the caller has no more use for the answer; `nil` means that there is no deadline.
    public var deadline: ContinuousClock.Instant? {
        get { storage?.fields.deadline }
        set { update { $0.deadline = newValue } }
    }

    /// A Boolean value that indicates whether a filter ends the call at its deadline, so that what is further inside may
    /// leave the end to it.
    package var isDeadlineWatched: Bool {
        guard let fields = storage?.fields, let deadline = fields.deadline else { return false }
        return fields.watchedDeadline == deadline
    }

    /// Sets the deadline to one at which the caller ends the call.
    package mutating func watchDeadline(_ deadline: ContinuousClock.Instant) {
        guard storage?.fields.deadline != deadline || storage?.fields.watchedDeadline != deadline else { return }
        update {
            $0.deadline = deadline
            $0.watchedDeadline = deadline
        }
    }

    /// Which try of the call this is, from 1.
    public var attempt: Int {
        get { storage?.fields.attempt ?? 1 }
        set { if newValue != attempt { update { $0.attempt = newValue } } }
    }

    /// A key by which a server recognizes attempts at the same call. With `nil`, the call may be sent twice only if its
    /// kind allows it.
    public var idempotencyKey: String? {
        get { storage?.fields.idempotencyKey }
        set { update { $0.idempotencyKey = newValue } }
    }

    /// The fields that a tracer carries to the next system, such as `traceparent`.
    public var trace: [String: String] {
        get { storage?.fields.trace ?? [:] }
        set { update { $0.trace = newValue } }
    }

    /// The metadata of every log record of the call.
    public var metadata: [String: String] {
        get { storage?.fields.metadata ?? [:] }
        set { update { $0.metadata = newValue } }
    }

    /// The destination of the call's log records. With `nil`, the default, no records are made.
    public var log: LogHook? {
        get { storage?.fields.log }
        set { update { $0.log = newValue } }
    }

    /// The object that records what the stages of the call do, for `explain`; `nil`, the default, records nothing.
    package var recorder: (any AnyObject & Sendable)? {
        get { storage?.fields.recorder }
        set { update { $0.recorder = newValue } }
    }

    /// The endpoints that attempts of the call were sent to, so that further attempts prefer others; `nil`, the default,
    /// outside of a filter that makes further attempts.
    package var tried: (any AnyObject & Sendable)? {
        get { storage?.fields.tried }
        set { update { $0.tried = newValue } }
    }

    /// A Boolean value that indicates whether all fields are at their defaults.
    var isEmpty: Bool { storage == nil }

    /// Returns a Boolean value that indicates whether both are the same context, not merely equal ones.
    func isSame(as other: CallContext) -> Bool { storage === other.storage }

    private mutating func update(_ change: (inout Fields) -> Void) {
        var fields = storage?.fields ?? Fields()
        change(&fields)
        storage = Storage(fields)
    }

    private struct Fields: Sendable {
        var deadline: ContinuousClock.Instant?
        var watchedDeadline: ContinuousClock.Instant?
        var attempt = 1
        var idempotencyKey: String?
        var trace: [String: String] = [:]
        var metadata: [String: String] = [:]
        var log: LogHook?
        var recorder: (any AnyObject & Sendable)?
        var tried: (any AnyObject & Sendable)?
    }

    private final class Storage: Sendable {
        let fields: Fields
        init(_ fields: Fields) { self.fields = fields }
    }
}

/// Runs `body` with `context` as the current one.
///
/// ```swift
/// let context = CallContext.current  // before the hop
/// DispatchQueue.global().async {
///     withCallContext(context) { print(CallContext.current.attempt) }  // prints 1
/// }
/// ```
///
/// - Returns: The value that `body` returns; rethrows its error. `body` is called once, immediately, on this thread.
public func withCallContext<Result>(_ context: CallContext, _ body: () throws -> Result) rethrows -> Result {
    if context.isSame(as: CallContext.local) { return try body() }
    return try CallContext.$local.withValue(context, operation: body)
}

/// Runs an async `body` with `context` as the current one.
///
/// ```swift
/// var context = CallContext.current
/// context.deadline = .now + .seconds(2)
/// let user = try await withCallContext(context) { try await users.process("ada") }
/// ```
///
/// - Returns: The value that `body` returns; throws its error. `body` is called once, on the caller's executor, and is
///   canceled with the calling task.
nonisolated(nonsending) public func withCallContext<Result>(
    _ context: CallContext,
    _ body: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
    if context.isSame(as: CallContext.local) { return try await body() }
    return try await CallContext.$local.withValue(context, operation: body)
}
