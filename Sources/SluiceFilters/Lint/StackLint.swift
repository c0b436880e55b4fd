internal import Sluice

/// A check of the order of stages. Every rule is about a stage and one further inside, or about a missing stage.
struct StackLint {
    private let stages: [LintStage]
    private(set) var findings: [StackFinding] = []

    init(_ stages: [LintStage]) {
        self.stages = stages
        for (index, outer) in stages.enumerated() {
            for inner in stages[(index + 1)...] { look(at: outer, around: inner) }
        }
        lookForEnds()
    }

    private mutating func note(_ rule: StackFinding.Rule, _ outer: LintStage, _ inner: LintStage, _ reason: String) {
        // One finding for a stage is enough: of three nested retries, there is one to begin with.
        guard !findings.contains(where: { $0.rule == rule && ($0.inner == inner.name || $0.outer == outer.name) })
        else { return }
        findings.append(
            StackFinding(
                rule: rule,
                outer: outer.name,
                inner: inner.name,
                reason: reason,
                position: inner.position ?? outer.position
            )
        )
    }

    private mutating func look(at outer: LintStage, around inner: LintStage) {
        if let one = outer.budget, let other = inner.budget, one != other {
            note(.twoBudgets, outer, inner, "their extra load adds up: let both take from one RetryBudget")
        }
        switch (outer.role, inner.role) {
        case (.retry(let one), .retry(let other)) where one > 1 && other > 1:
            let product = one.multipliedReportingOverflow(by: other)
            let total = product.overflow ? "any number of" : "up to \(product.partialValue)"
            note(.retryInRetry, outer, inner, "one call becomes \(total) attempts: leave one of them out")
        case (.retry, .cache):
            note(.cacheInRetry, outer, inner, "each try looks in the cache again: put the cache around the retry")
        case (.retry, .singleFlight):
            let reason =
                "each caller retries for itself: put the single flight around the retry, so that callers share its attempts"
            note(.singleFlightInRetry, outer, inner, reason)
        case (.hedge, .cache):
            let reason = "the second call looks in the cache again: put the cache around the hedge"
            note(.cacheInRetry, outer, inner, reason)
        case (.hedge, .singleFlight):
            let reason = "the second call joins the first: put the single flight around the hedge"
            note(.singleFlightInRetry, outer, inner, reason)
        case (.retry, .fallback):
            let reason = "a call that fails is answered before it is tried again: put the fallback around the retry"
            note(.fallbackHidesFailures, outer, inner, reason)
        case (.breaker, .fallback):
            let reason = "the breaker counts no failure that was answered: put the fallback around the breaker"
            note(.fallbackHidesFailures, outer, inner, reason)
        case (.balancer, .fallback):
            let reason = "the balancer counts no failure that was answered: put the fallback around the balancer"
            note(.fallbackHidesFailures, outer, inner, reason)
        case (.balancer, .retry(let attempts)) where attempts > 1:
            note(.retryInBalancer, outer, inner, "all tries go to the same endpoint: put the retry around the balancer")
        case (.balancer, .hedge):
            let reason = "both calls go to the same endpoint: put the hedge around the balancer"
            note(.retryInBalancer, outer, inner, reason)
        case (.hedge, .breaker):
            let reason =
                "the breaker does not count the slow call, which the hedge gives up: put the hedge inside of the breaker"
            note(.hedgeAroundBreaker, outer, inner, reason)
        case (.breaker, .retry(let attempts)) where attempts > 1:
            let reason =
                "the breaker counts one failure for all attempts, and does not stop them: put it inside of the retry"
            note(.breakerAroundRetry, outer, inner, reason)
        case (.rate, .retry(let attempts)) where attempts > 1:
            note(.rateAroundRetry, outer, inner, "further attempts are not counted: put the limit inside of the retry")
        case (.concurrency, .retry(let attempts)) where attempts > 1:
            let reason = "a call keeps its place while it waits for the next try: put the limit inside of the retry"
            note(.concurrencyAroundRetry, outer, inner, reason)
        case (.shedding, .retry(let attempts)) where attempts > 1:
            let reason = "it sees one refusal for all attempts, and does not drop them: put it inside of the retry"
            note(.sheddingAroundRetry, outer, inner, reason)
        case (.timeout(let one), .timeout(let other)) where other >= one:
            let reason = "the outer one always ends the call first: make the inner one shorter, or leave it out"
            note(.timeoutNeverEnds, outer, inner, reason)
        case (.retry, .debounce), (.retry, .throttle), (.hedge, .debounce), (.hedge, .throttle):
            let reason = "a further call waits again, and pushes out newer ones: put the delay outside"
            note(.delayInRetry, outer, inner, reason)
        case (.chaos, .retry), (.chaos, .hedge), (.chaos, .breaker), (.chaos, .fallback):
            let reason = "its faults never reach what is there for faults: put the chaos inside"
            note(.chaosAroundRemedy, outer, inner, reason)
        default: break
        }
        lookAtFields(of: outer, around: inner)
    }

    /// Applies the rules about the fields of requests and about redirects.
    private mutating func lookAtFields(of outer: LintStage, around inner: LintStage) {
        switch (outer.role, inner.role) {
        case (.cache, .credentials):
            let reason = "one user's answer may go to another: put the cache inside of the credentials"
            note(.cacheAroundCredentials, outer, inner, reason)
        case (.singleFlight, .credentials):
            let reason = "two users may share one answer: put the single flight inside of the credentials"
            note(.singleFlightAroundCredentials, outer, inner, reason)
        case (.cache, .signature(hasIdentity: false)), (.singleFlight, .signature(hasIdentity: false)):
            let reason = "it does not know whose request it is: give the signature an identity of the user"
            note(.signatureWithoutIdentity, outer, inner, reason)
        case (.cache, .answerFields), (.singleFlight, .answerFields):
            let reason = "it does not see fields that the answer may depend on: put it inside of them"
            note(.cacheAroundAnswerFields, outer, inner, reason)
        case (.cache, .redirects):
            let reason = "a redirect is stored as the answer that it leads to: put the redirects around the cache"
            note(.cacheAroundRedirects, outer, inner, reason)
        case (.singleFlight, .redirects):
            let reason = "it does not see the fields of each hop: put the redirects around the single flight"
            note(.singleFlightAroundRedirects, outer, inner, reason)
        case (.retry(let attempts), .redirects) where attempts > 1:
            let reason = "each attempt follows all redirects again: put the redirects around the retry"
            note(.retryAroundRedirects, outer, inner, reason)
        case (.credentials, .redirects), (.answerFields, .redirects), (.attemptFields, .redirects),
            (.signature, .redirects):
            let reason = "the fields are made for the first hop only: put the redirects around them"
            note(.fieldsAroundRedirects, outer, inner, reason)
        case (.retry(let attempts), .credentials) where attempts > 1:
            let reason = "each attempt may refresh them again: put the credentials around the retry"
            note(.credentialsInRetry, outer, inner, reason)
        case (.hedge, .credentials):
            let reason = "the second call may refresh them again: put the credentials around the hedge"
            note(.credentialsInRetry, outer, inner, reason)
        case (.hedge, .refresh):
            note(.refreshInRetry, outer, inner, "the second call may log in again: put the refresh around the hedge")
        case (.hedge, .redirects):
            let reason = "the second call follows all redirects again: put the redirects around the hedge"
            note(.retryAroundRedirects, outer, inner, reason)
        case (.credentials, .refresh), (.signature, .refresh):
            let reason = "the call is repeated with the old credentials: put the refresh around them"
            note(.refreshInCredentials, outer, inner, reason)
        case (.retry(let attempts), .refresh) where attempts > 1:
            note(.refreshInRetry, outer, inner, "each attempt may log in again: put the refresh around the retry")
        case (.cache, .refresh), (.singleFlight, .refresh):
            let reason = "a refused call is repeated with fields that it has not seen: put the refresh around it"
            note(.cacheAroundRefresh, outer, inner, reason)
        case (.attemptFields, .retry(let attempts)) where attempts > 1,
            (.signature, .retry(let attempts)) where attempts > 1:
            note(
                .attemptFieldsAroundRetry,
                outer,
                inner,
                "further attempts send stale fields: put the retry around them"
            )
        case (.attemptFields, .hedge), (.signature, .hedge):
            let reason = "the second call sends the fields of the first: put the hedge around them"
            note(.attemptFieldsAroundRetry, outer, inner, reason)
        case (.attemptFields, .cache), (.attemptFields, .singleFlight), (.signature, .cache),
            (.signature, .singleFlight):
            let reason = "no two requests are equal, so nothing is shared: put the fields of an attempt inside"
            note(.attemptFieldsAroundCache, outer, inner, reason)
        case (.wireStats, .cache), (.wireStats, .singleFlight):
            let reason = "answers that never went over the wire are measured: put the measurements inside"
            note(.wireStatsAroundCache, outer, inner, reason)
        case (.wireStats, .retry(let attempts)) where attempts > 1:
            note(.wireStatsAroundRetry, outer, inner, "failed attempts are not measured: put the measurements inside")
        case (.wireStats, .hedge):
            note(.wireStatsAroundRetry, outer, inner, "the second call is not measured: put the measurements inside")
        case (.wireStats, .redirects):
            note(.wireStatsAroundRetry, outer, inner, "the hops are not measured: put the measurements inside")
        case (.cache, .fallback):
            let reason = "the answer of the fallback is stored: put the fallback around the cache"
            note(.fallbackHidesFailures, outer, inner, reason)
        default: break
        }
    }

    /// Applies the rules that depend on the positions of timeouts.
    private mutating func lookForEnds() {
        for (index, stage) in stages.enumerated() {
            let outer = stages[..<index].last { $0.endsCalls }
            let inner = stages[(index + 1)...].first { $0.endsCalls }
            switch stage.role {
            case .retry(let attempts) where attempts > 1:
                guard outer == nil, let inner else { break }
                let reason = "each try ends in time, but not all of them together: put a TimeoutFilter around the retry"
                note(.retryWithoutTotalTimeout, stage, inner, reason)
            case .stats:
                guard inner == nil, let outer, case .timeout = outer.role else { break }
                let reason =
                    "a call that takes too long counts as canceled, not as failed: put the stats around the timeout"
                note(.statsBlindToTimeouts, outer, stage, reason)
            default: break
            }
        }
    }
}

extension LintStage {
    fileprivate var endsCalls: Bool {
        switch role {
        case .timeout, .deadline: true
        default: false
        }
    }
}
