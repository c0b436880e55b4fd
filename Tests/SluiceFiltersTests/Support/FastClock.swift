/// The real clock, a thousand times as fast: for what has to meet real threads and real timers.
struct FastClock: Clock {
    private let origin = ContinuousClock.now

    var now: ContinuousClock.Instant { origin + origin.duration(to: .now) * 1000 }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: origin + origin.duration(to: deadline) / 1000)
    }
}
