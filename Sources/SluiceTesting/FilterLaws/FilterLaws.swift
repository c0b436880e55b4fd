public import Sluice
public import SluiceFilters

/// The laws that every filter obeys, as a check for yours.
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
/// - **errors**: an error that the filter has no part in passes untouched: an ``UnrelatedError``.
/// - **cancel**: it reaches the work, ends the call with `CancellationError`, and nothing is called after it.
/// - **others**: one caller's cancel never touches another's call.
/// - **ends**: every call ends, also of many at once.
/// - **timeout**: a call that times out around the filter leaves nothing behind, no work and no wait, and the filter
///   serves the next call.
public struct FilterLaws<F: Filter>: Sendable where F.ResponseOut: Equatable {
    let request: F.RequestIn
    let answer: F.ResponseIn
    let clock: TestClock
    let patience: Duration
    let filter: @Sendable () -> F

    /// Says what to check.
    ///
    /// - Parameters:
    ///   - request: what the filter is called with.
    ///   - answer: what the stage behind it answers.
    ///   - clock: the clock of the filter, if it has one; it is moved whenever all wait for it.
    ///   - patience: the time after which something is taken to never happen. It passes only where a law is broken, and
    ///     more slowly on a loaded machine.
    ///   - filter: called for each law, for a filter that nobody has called.
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
    /// - Throws: a ``BrokenLaws`` that names each law that is broken, and how.
    public func check() async throws {
        let laws: [(String, @Sendable () async -> String?)] = [
            ("identity", identity), ("associativity", associativity), ("errors", errors), ("cancel", cancel),
            ("others", others), ("ends", ends), ("timeout", timeout),
        ]
        var broken: [String] = []
        for (name, law) in laws {
            if let complaint = await law() { broken.append("\(name): \(complaint)") }
        }
        if !broken.isEmpty { throw BrokenLaws(laws: broken) }
    }
}

/// An error that no filter has a part in: a failure that is not to be tried again.
public struct UnrelatedError: Error, Equatable, ClassifiedError {
    /// Makes the error.
    public init() {}

    /// ``SluiceFilters/ResponseClass/failure``.
    public var responseClass: ResponseClass { .failure }
}

/// The laws that a filter breaks.
public struct BrokenLaws: Error, Equatable, CustomStringConvertible {
    /// The name of each, and how it is broken.
    public let laws: [String]

    /// Makes the error.
    public init(laws: [String]) { self.laws = laws }

    /// One line for each law.
    public var description: String { laws.joined(separator: "\n") }
}
