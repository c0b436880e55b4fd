internal import Sluice

extension TimeoutFilter: StackStage {
    /// ``StackRole/timeout(_:)``.
    public var stackRole: StackRole { .timeout(duration) }
}

extension DeadlineFilter: StackStage {
    /// ``StackRole/deadline``.
    public var stackRole: StackRole { .deadline }
}

extension RetryFilter: StackStage {
    /// ``StackRole/retry(attempts:)``.
    public var stackRole: StackRole { .retry(attempts: attempts) }
}

extension HedgeFilter: StackStage {
    /// ``StackRole/hedge``.
    public var stackRole: StackRole { .hedge }
}

extension BreakerFilter: StackStage {
    /// ``StackRole/breaker``.
    public var stackRole: StackRole { .breaker }
}

extension ConcurrencyFilter: StackStage {
    /// ``StackRole/concurrency``.
    public var stackRole: StackRole { .concurrency }
}

extension RateFilter: StackStage {
    /// ``StackRole/rate``.
    public var stackRole: StackRole { .rate }
}

extension SheddingFilter: StackStage {
    /// ``StackRole/shedding``.
    public var stackRole: StackRole { .shedding }
}

extension SingleFlightFilter: StackStage {
    /// ``StackRole/singleFlight``.
    public var stackRole: StackRole { .singleFlight }
}

extension AuthFilter: StackStage {
    /// ``StackRole/refresh``.
    public var stackRole: StackRole { .refresh }
}

extension FallbackFilter: StackStage {
    /// ``StackRole/fallback``.
    public var stackRole: StackRole { .fallback }
}

extension DebounceFilter: StackStage {
    /// ``StackRole/debounce``.
    public var stackRole: StackRole { .debounce }
}

extension ThrottleFilter: StackStage {
    /// ``StackRole/throttle``.
    public var stackRole: StackRole { .throttle }
}

extension ChaosFilter: StackStage {
    /// ``StackRole/chaos``.
    public var stackRole: StackRole { .chaos }
}
