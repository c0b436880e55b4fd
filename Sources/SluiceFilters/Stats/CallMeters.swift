#if Instruments
internal import CoreMetrics
internal import Sluice

/// The metrics of a ``StatsFilter``.
///
/// `@unchecked Sendable`: the metrics are safe from any thread, although their declaration does not say so; `failures`
/// is behind its lock.
final class CallMeters: @unchecked Sendable {
    /// The maximum number of error types with a counter of their own, since a metric has to have few dimensions.
    private static let mostErrors = 50

    private let name: String
    private let dimensions: [(String, String)]
    private let factory: any MetricsFactory
    private let requests: Counter
    private let successes: Counter
    private let canceled: Counter
    private let pending: Meter
    private let latency: CoreMetrics.Timer
    private let running = Locked(0)
    private let failures = Locked<[String: Counter]>([:])

    init(_ name: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory) {
        self.name = name
        self.dimensions = dimensions
        self.factory = factory
        requests = Counter(label: "\(name).requests", dimensions: dimensions, factory: factory)
        successes = Counter(label: "\(name).successes", dimensions: dimensions, factory: factory)
        canceled = Counter(label: "\(name).canceled", dimensions: dimensions, factory: factory)
        pending = Meter(label: "\(name).pending", dimensions: dimensions, factory: factory)
        latency = CoreMetrics.Timer(label: "\(name).latency", dimensions: dimensions, factory: factory)
    }

    func begin() {
        requests.increment()
        // Set instead of incremented, since not every backend supports increments. Under the lock, so that the last one
        // is right.
        running.withLock { running in
            running += 1
            pending.set(running)
        }
    }

    func end(_ verdict: ResponseClass, _ error: (any Error)?, duration: Int64) {
        running.withLock { running in
            running -= 1
            pending.set(running)
        }
        switch verdict {
        case .success: successes.increment()
        case .ignorable: canceled.increment()
        case .failure, .retryable: failure(error.map { "\(type(of: $0))" } ?? "answer").increment()
        }
        if verdict != .ignorable { latency.recordNanoseconds(duration) }
    }

    private func failure(_ type: String) -> Counter {
        failures.withLock { failures in
            let type = failures[type] != nil || failures.count < Self.mostErrors ? type : "other"
            if let counter = failures[type] { return counter }
            let counter = Counter(
                label: "\(name).failures",
                dimensions: dimensions + [("error", type)],
                factory: factory
            )
            failures[type] = counter
            return counter
        }
    }
}
#endif
