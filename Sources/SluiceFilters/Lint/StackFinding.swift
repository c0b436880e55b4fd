public import Sluice
public import SluiceJSON

/// Something about the order of a stack that is most likely not meant: see ``Sluice/Filter/lint()``.
public struct StackFinding: Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Rule: String, Sendable, CaseIterable {
        /// A retry with timeouts for each try, and none for all of them.
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
        /// A breaker that does not see that calls take too long.
        case breakerBlindToTimeouts
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
        /// Chaos around what is there for failures.
        case chaosAroundRemedy
        /// Stats that do not see that calls take too long.
        case statsBlindToTimeouts
    }

    /// What is wrong.
    public let rule: Rule
    /// The stage outside.
    public let outer: String
    /// The stage inside.
    public let inner: String
    /// Why it is wrong, and what to do.
    public let reason: String
    /// Where the stage that is out of place stands in the document, if it is one.
    public let position: JSONPosition?

    /// `RetryFilter(attempt: 3) around CacheFilter: …`, after the place in a document: `4:5: retry around cache: …`.
    public var description: String {
        let place = position.map { "\($0): " } ?? ""
        return "\(place)\(outer) around \(inner): \(reason)"
    }
}

extension Filter {
    /// What is most likely wrong with the order of this stack, each with the reason.
    ///
    /// ```swift
    /// let stack = RetryFilter<String, Person>(attempt: 3).andThen(TimeoutFilter(.seconds(2)))
    /// for finding in stack.lint() { print(finding) }
    /// // RetryFilter(attempt: 3) around TimeoutFilter(2.0 seconds): each try ends in time, but not all of them
    /// // together: put a TimeoutFilter around the retry
    /// ```
    ///
    /// Nothing is called. Filters whose type was erased are known by their names.
    /// - Complexity: O(*n*²) in the number of filters.
    public func lint() -> [StackFinding] { StackLint(LintStage.stages(of: self)).findings }
}

extension Node {
    /// What is most likely wrong with the order of the filters around this node: see ``Filter/lint()``.
    public func lint() -> [StackFinding] { StackLint(LintStage.stages(of: self)).findings }
}

extension StackDocument {
    /// What is most likely wrong with the order of the filters, each with its place in the text: see
    /// ``Sluice/Filter/lint()``.
    ///
    /// ```swift
    /// let document = try StackDocument(parsing: #"{"filters": [{"retry": {}}, {"retry": {}}]}"#)
    /// print(document.lint().map(\.rule))  // [retryInRetry]
    /// ```
    public func lint() -> [StackFinding] { StackLint(lintStages).findings }
}
