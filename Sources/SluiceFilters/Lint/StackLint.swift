internal import Sluice

/// Looks at the order of stages. Every rule is about a stage and one further inside, or about what is nowhere.
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
        // One finding for a stage says enough: of three retries within one there is one to begin with.
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
            note(.retryInRetry, outer, inner, "one call becomes \(total) tries: leave one of them out")
        case (.retry, .cache):
            note(.cacheInRetry, outer, inner, "each try looks in the cache again: put the cache around the retry")
        case (.retry, .singleFlight):
            let reason =
                "each caller tries again for itself: put the single flight around the retry, for one row of tries"
            note(.singleFlightInRetry, outer, inner, reason)
        case (.retry, .fallback):
            let reason = "a call that fails is answered before it is tried again: put the fallback around the retry"
            note(.fallbackHidesFailures, outer, inner, reason)
        case (.breaker, .fallback):
            let reason = "the breaker counts no failure that was answered: put the fallback around the breaker"
            note(.fallbackHidesFailures, outer, inner, reason)
        case (.hedge, .breaker):
            let reason =
                "the breaker does not count the slow call, which the hedge gives up: put the hedge inside of the breaker"
            note(.hedgeAroundBreaker, outer, inner, reason)
        case (.breaker, .retry(let attempts)) where attempts > 1:
            let reason =
                "the breaker counts one failure for all tries, and does not stop those: put it inside of the retry"
            note(.breakerAroundRetry, outer, inner, reason)
        case (.rate, .retry(let attempts)) where attempts > 1:
            note(.rateAroundRetry, outer, inner, "further tries are not counted: put the limit inside of the retry")
        case (.concurrency, .retry(let attempts)) where attempts > 1:
            let reason = "a call keeps its place while it waits for the next try: put the limit inside of the retry"
            note(.concurrencyAroundRetry, outer, inner, reason)
        case (.shedding, .retry(let attempts)) where attempts > 1:
            let reason = "it sees one refusal for all tries, and does not drop those: put it inside of the retry"
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
    }

    /// What depends on where the timeouts are.
    private mutating func lookForEnds() {
        for (index, stage) in stages.enumerated() {
            let outer = stages[..<index].last { $0.endsCalls }
            let inner = stages[(index + 1)...].first { $0.endsCalls }
            switch stage.role {
            case .retry(let attempts) where attempts > 1:
                guard outer == nil, let inner else { break }
                let reason = "each try ends in time, but not all of them together: put a TimeoutFilter around the retry"
                note(.retryWithoutTotalTimeout, stage, inner, reason)
            case .breaker:
                guard inner == nil, let outer, case .timeout = outer.role else { break }
                let reason =
                    "a call that takes too long is canceled, which the breaker does not count: put a TimeoutFilter inside"
                note(.breakerBlindToTimeouts, outer, stage, reason)
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
