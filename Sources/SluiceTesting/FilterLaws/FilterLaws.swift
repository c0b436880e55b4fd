public import Sluice
public import SluiceFilters

/// The laws of all filters, with which you can check your own.
///
/// ```swift
/// let clock = TestClock()
/// try await FilterLaws(request: 1, answer: 2, clock: clock) {
///     TimeoutFilter<Int, Int>(.seconds(2), clock: clock)
/// }.check()
/// ```
///
/// - **identity**: a filter that does nothing changes nothing, outside or inside.
/// - **associativity**: `(a.b).c` does what `a.(b.c)` does.
/// - **errors**: an error that the filter doesn't handle passes unchanged: an ``UnrelatedError``.
/// - **cancel**: cancellation reaches the work and ends the call with `CancellationError`, and nothing is called after
///   it.
/// - **others**: canceling one caller never affects another's call.
/// - **ends**: every call ends, also with many at once.
/// - **timeout**: a call that times out around the filter leaves nothing behind, no work and no wait, and the filter
///   serves the next call.
public struct FilterLaws<F: Filter>: Sendable where F.ResponseOut: Equatable {
    let request: F.RequestIn
    let answer: F.ResponseIn
    let clock: TestClock
    let patience: Duration
    let filter: @Sendable () -> F

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - request: The request of each call.
    ///   - answer: The response of the next stage.
    ///   - clock: The clock of the filter, if it has one; it is advanced whenever all tasks wait for it.
    ///   - patience: The time after which an event is assumed never to happen. It passes only if a law is broken, and
    ///     more slowly on a loaded machine.
    ///   - filter: A closure that is called for each law and returns an unused filter.
    public init(
        request: F.RequestIn,
        answer: F.ResponseIn,
        clock: TestClock = TestClock(),
        patience: Duration = .seconds(120),
        _ filter: @escaping @Sendable () -> F
    ) {
        self.request = request
        self.answer = answer
        self.clock = clock
        self.patience = patience
        self.filter = filter
    }

    /// Checks all laws.
    ///
    /// - Throws: ``BrokenLawsError`` with a description of each broken law.
    public func check() async throws {
        let laws: [(String, @Sendable () async -> String?)] = [
            ("identity", identity), ("associativity", associativity), ("errors", errors), ("cancel", cancel),
            ("others", others), ("ends", ends), ("timeout", timeout),
        ]
        var broken: [String] = []
        for (name, law) in laws {
            if let complaint = await law() { broken.append("\(name): \(complaint)") }
        }
        if !broken.isEmpty { throw BrokenLawsError(laws: broken) }
    }
}

/// An error that no filter handles: a failure that must not be retried.
public struct UnrelatedError: Error, Equatable, ClassifiedError {
    /// Creates the error.
    public init() {}

    /// The class ``SluiceFilters/ResponseClass/failure``.
    public var responseClass: ResponseClass { .failure }
}

/// The laws that a filter breaks.
public struct BrokenLawsError: Error, Equatable, CustomStringConvertible {
    /// The name of each broken law, with a description of the violation.
    public let laws: [String]

    /// Creates the error.
    public init(laws: [String]) { self.laws = laws }

    /// The laws, one on each line.
    public var description: String { laws.joined(separator: "\n") }
}
