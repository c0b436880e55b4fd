/// The role of a filter in a stack, as far as its position matters to others: see ``Sluice/Filter/lint()``.
public enum StackRole: Sendable, Equatable {
    /// Ends a call after a time.
    case timeout(Duration)
    /// Ends a call at a deadline that was set elsewhere.
    case deadline
    /// Calls again after a failure, up to a total number of attempts.
    case retry(maxAttempts: Int)
    /// Calls a second time when the first takes long.
    case hedge
    /// Counts failures, and rejects calls when there are too many.
    case breaker
    /// Limits the number of concurrent calls.
    case concurrency
    /// Limits the number of calls in a period.
    case rate
    /// Drops calls when the peer rejects many.
    case shedding
    /// Combines equal concurrent calls.
    case singleFlight
    /// Returns stored responses.
    case cache
    /// Responds when the call fails.
    case fallback
    /// Waits until there are no further calls.
    case debounce
    /// Lets one call pass in a period, and rejects others.
    case throttle
    /// Injects faults.
    case chaos
    /// Chooses an endpoint for each call.
    case balancer
    /// Measures calls.
    case stats
    /// Follows redirects: everything inside is repeated for each hop.
    case redirects
    /// Logs in again when a call is refused, and repeats it.
    case refresh
    /// Adds fields that identify the user: a token, a cookie, an API key.
    case credentials
    /// Adds fields that the response may depend on, but that don't identify the user: a language.
    case answerFields
    /// Adds fields that differ for each attempt and don't identify the user: a nonce, a date.
    case attemptFields
    /// Signs each attempt. `hasIdentity` is true if the filter also sets an identity of the user for the whole call.
    case signature(hasIdentity: Bool)
    /// Measures the requests that go over the wire, one at a time.
    case wireStats
    /// Anything else.
    case other
}

/// A filter that declares its role in a stack to the lint. Your own filters may conform too:
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
/// A filter that doesn't conform is recognized by the name of its type: `RedisCacheFilter` is a cache.
public protocol StackStage {
    /// The role of the filter.
    var stackRole: StackRole { get }
}
