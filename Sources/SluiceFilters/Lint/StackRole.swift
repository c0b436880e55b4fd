/// The task of a filter in a stack, as far as its place matters to others: see ``Sluice/Filter/lint()``.
public enum StackRole: Sendable, Equatable {
    /// Ends a call after a time.
    case timeout(Duration)
    /// Ends a call at a deadline that was set elsewhere.
    case deadline
    /// Calls again after a failure, so many times in all.
    case retry(attempts: Int)
    /// Calls a second time when the first takes long.
    case hedge
    /// Counts failures, and refuses calls when there are too many.
    case breaker
    /// Limits how many calls run at the same time.
    case concurrency
    /// Limits how many calls pass in a time.
    case rate
    /// Drops calls when the other side refuses many.
    case shedding
    /// Makes one call out of equal ones.
    case singleFlight
    /// Answers what was answered before.
    case cache
    /// Answers when the call fails.
    case fallback
    /// Waits until nobody calls any more.
    case debounce
    /// Lets one call pass in a time, and refuses others.
    case throttle
    /// Injects faults.
    case chaos
    /// Measures calls.
    case stats
    /// Follows redirects: everything inside is repeated for each hop.
    case redirects
    /// Logs in again when a call is refused, and repeats it.
    case refresh
    /// Adds fields that identify the user: a token, a cookie, an API key.
    case credentials
    /// Adds fields that the answer may depend on, but that don't identify the user: a language.
    case answerFields
    /// Adds fields that differ for each attempt and don't identify the user: a nonce, a date.
    case attemptFields
    /// Signs each attempt. `hasIdentity` is true if the filter also gives an identity of the user for the whole call.
    case signature(hasIdentity: Bool)
    /// Measures the requests that go over the wire, one at a time.
    case wireStats
    /// Anything else.
    case other
}

/// A filter that tells the lint what it does in a stack. Filters of your own may, too:
///
/// ```swift
/// struct PageCache: SimpleFilter<String, String>, StackStage {
///     var stackRole: StackRole { .cache }
///     func process(_ page: String, next: some Node<String, String>) async throws -> String {
///         try await next.process(page)
///     }
/// }
/// ```
///
/// One that does not is taken by the name of its type: `RedisCacheFilter` for a cache.
public protocol StackStage {
    /// What it does.
    var stackRole: StackRole { get }
}
