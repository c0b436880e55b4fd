internal import Sluice

extension TimeoutFilter: StackStage {
    /// The role ``StackRole/timeout(_:)``.
    public var stackRole: StackRole { .timeout(duration) }
}

extension DeadlineFilter: StackStage {
    /// The role ``StackRole/deadline``.
    public var stackRole: StackRole { .deadline }
}

extension RetryFilter: StackStage {
    /// The role ``StackRole/retry(maxAttempts:)``.
    public var stackRole: StackRole { .retry(maxAttempts: maxAttempts) }
}

extension HedgeFilter: StackStage {
    /// The role ``StackRole/hedge``.
    public var stackRole: StackRole { .hedge }
}

extension BreakerFilter: StackStage {
    /// The role ``StackRole/breaker``.
    public var stackRole: StackRole { .breaker }
}

extension ConcurrencyFilter: StackStage {
    /// The role ``StackRole/concurrency``.
    public var stackRole: StackRole { .concurrency }
}

extension RateFilter: StackStage {
    /// The role ``StackRole/rate``.
    public var stackRole: StackRole { .rate }
}

extension SheddingFilter: StackStage {
    /// The role ``StackRole/shedding``.
    public var stackRole: StackRole { .shedding }
}

extension SingleFlightFilter: StackStage {
    /// The role ``StackRole/singleFlight``.
    public var stackRole: StackRole { .singleFlight }
}

extension AuthFilter: StackStage {
    /// ``StackRole/refresh``.
    public var stackRole: StackRole { .refresh }
}

extension FallbackFilter: StackStage {
    /// The role ``StackRole/fallback``.
    public var stackRole: StackRole { .fallback }
}

extension DebounceFilter: StackStage {
    /// The role ``StackRole/debounce``.
    public var stackRole: StackRole { .debounce }
}

extension ThrottleFilter: StackStage {
    /// The role ``StackRole/throttle``.
    public var stackRole: StackRole { .throttle }
}

extension Balancer: StackStage {
    /// The role ``StackRole/balancer``.
    public var stackRole: StackRole { .balancer }
}

extension ChaosFilter: StackStage {
    /// The role ``StackRole/chaos``.
    public var stackRole: StackRole { .chaos }
}
