public import Sluice
public import SluiceJSON

/// A likely mistake in the order of a stack: see ``Sluice/Filter/lint()``.
public struct StackFinding: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of mistakes.
    public enum Rule: String, Sendable, CaseIterable {
        /// A retry with a timeout for each attempt, but none for all of them together.
        case retryWithoutTotalTimeout
        /// A retry within a retry.
        case retryInRetry
        /// Two budgets for the further calls of one call.
        case twoBudgets
        /// A cache within a retry.
        case cacheInRetry
        /// A hedge around a breaker.
        case hedgeAroundBreaker
        /// A breaker around a retry.
        case breakerAroundRetry
        /// A rate limit around a retry.
        case rateAroundRetry
        /// A concurrency limit around a retry.
        case concurrencyAroundRetry
        /// Shedding around a retry.
        case sheddingAroundRetry
        /// A single flight within a retry.
        case singleFlightInRetry
        /// A fallback within something that counts failures.
        case fallbackHidesFailures
        /// A timeout within a shorter one.
        case timeoutNeverEnds
        /// A debounce or throttle within a retry or a hedge.
        case delayInRetry
        /// A retry or a hedge within a balancer.
        case retryInBalancer
        /// Chaos around a filter that handles failures.
        case chaosAroundRemedy
        /// Stats that do not see timeouts.
        case statsBlindToTimeouts
        /// A cache that does not see the fields that identify the user.
        case cacheAroundCredentials
        /// A single flight that does not see the fields that identify the user.
        case singleFlightAroundCredentials
        /// A cache or a single flight around a signature, without an identity of the user for the call.
        case signatureWithoutIdentity
        /// A cache around redirects.
        case cacheAroundRedirects
        /// A single flight around redirects.
        case singleFlightAroundRedirects
        /// A retry around redirects.
        case retryAroundRedirects
        /// Fields that are added once for all hops.
        case fieldsAroundRedirects
        /// A cache that does not see fields that the response may depend on.
        case cacheAroundAnswerFields
        /// Credentials within a retry.
        case credentialsInRetry
        /// A refresh within the credentials that it renews.
        case refreshInCredentials
        /// A refresh within a retry.
        case refreshInRetry
        /// A cache or a single flight around a refresh.
        case cacheAroundRefresh
        /// Fields of one attempt around a retry.
        case attemptFieldsAroundRetry
        /// Fields of one attempt around a cache or a single flight.
        case attemptFieldsAroundCache
        /// Measurements of the wire around a cache or a single flight.
        case wireStatsAroundCache
        /// Measurements of the wire around a retry or redirects.
        case wireStatsAroundRetry

        /// A Boolean value that indicates whether a request chain with this finding is rejected, since it would leak
        /// data, store what must not be stored, or send stale fields.
        package var isContradiction: Bool {
            switch self {
            case .cacheAroundCredentials, .singleFlightAroundCredentials, .signatureWithoutIdentity,
                .cacheAroundRedirects, .singleFlightAroundRedirects, .retryAroundRedirects, .fieldsAroundRedirects,
                .cacheAroundAnswerFields, .credentialsInRetry, .attemptFieldsAroundRetry, .attemptFieldsAroundCache,
                .wireStatsAroundCache, .wireStatsAroundRetry, .cacheInRetry, .singleFlightInRetry,
                .refreshInCredentials, .refreshInRetry, .cacheAroundRefresh:
                true
            default: false
            }
        }
    }

    /// The kind of the mistake.
    public let rule: Rule
    /// The outer stage.
    public let outer: String
    /// The inner stage.
    public let inner: String
    /// The reason why the order is wrong, and the remedy.
    public let reason: String
    /// The place of the misplaced stage in the document, if the stack is a document.
    public let position: JSONPosition?

    /// The finding as text: `RetryFilter(maxAttempts: 3) around CacheFilter: …`, after the position in a document:
    /// `4:5: retry around cache: …`.
    public var description: String {
        let place = position.map { "\($0): " } ?? ""
        return "\(place)\(outer) around \(inner): \(reason)"
    }
}

extension LintStage {
    /// Returns the findings about stages, which are given outermost first.
    package static func findings(about stages: [LintStage]) -> [StackFinding] { StackLint(stages).findings }
}

extension Filter {
    /// Returns the likely mistakes in the order of this stack, each with its reason.
    ///
    /// ```swift
    /// let stack = RetryFilter<String, Person>(maxAttempts: 3).andThen(TimeoutFilter(.seconds(2)))
    /// for finding in stack.lint() { print(finding) }
    /// // RetryFilter(maxAttempts: 3) around TimeoutFilter(2.0 seconds): each try ends in time, but not all of them
    /// // together: put a TimeoutFilter around the retry
    /// ```
    ///
    /// Nothing is called. Type-erased filters are recognized by their names.
    /// - Complexity: O(*n*²) in the number of filters.
    public func lint() -> [StackFinding] { StackLint(LintStage.stages(of: self)).findings }
}

extension Node {
    /// Returns the likely mistakes in the order of the filters around this node: see ``Filter/lint()``.
    public func lint() -> [StackFinding] { StackLint(LintStage.stages(of: self)).findings }
}

extension StackDocument {
    /// Returns the likely mistakes in the order of the filters, each with its position in the text: see
    /// ``Sluice/Filter/lint()``.
    ///
    /// ```swift
    /// let document = try StackDocument(parsing: #"{"filters": [{"retry": {}}, {"retry": {}}]}"#)
    /// print(document.lint().map(\.rule))  // [retryInRetry]
    /// ```
    public func lint() -> [StackFinding] { StackLint(lintStages).findings }
}
