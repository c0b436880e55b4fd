/// The kinds of filters that a document can name.
enum FilterKinds {
    /// All kinds, in the order of the documentation.
    static let all: [any FilterKind.Type] = [
        TimeoutKind.self, DeadlineKind.self, RetryKind.self, HedgeKind.self, BreakerKind.self, ConcurrencyKind.self,
        RateKind.self, SheddingKind.self, SingleFlightKind.self, FallbackKind.self, DebounceKind.self,
        ThrottleKind.self, ChaosKind.self, UseKind.self,
    ]
}
