#if HTTP
import NIOCore
import Sluice
import SluiceFilters

/// The deadline of a call for its whole exchange: AsyncHTTPClient's own deadline ends with the head of an answer.
struct BodyDeadline: Sendable {
    /// The time after a watched deadline at which the exchange ends by itself: the watching filter ends it earlier,
    /// with its own error.
    private static let grace = Duration.milliseconds(100)

    private let deadline: ContinuousClock.Instant
    private let isWatched: Bool

    /// Makes the deadline of the current call; returns `nil` if the call has no deadline.
    init?() {
        let context = CallContext.current
        guard let deadline = context.deadline else { return nil }
        self.deadline = deadline
        isWatched = context.isDeadlineWatched
    }

    private init(_ deadline: ContinuousClock.Instant, isWatched: Bool) {
        self.deadline = deadline
        self.isWatched = isWatched
    }

    /// The same deadline for a body that is read after the call, when no filter watches it anymore.
    var unwatched: BodyDeadline { BodyDeadline(deadline, isWatched: false) }

    /// A Boolean value that indicates whether there is no time left.
    var hasPassed: Bool { deadline <= .now }

    /// The deadline in the form of NIO.
    var networkDeadline: NIODeadline {
        .now() + TimeAmount(ContinuousClock.now.duration(to: deadline) + (isWatched ? Self.grace : .zero))
    }

    /// Calls `body`, in a task that is canceled at the deadline, and waits for it until then.
    ///
    /// - Throws: `DeadlineError` when the deadline has passed; the error of `body`.
    nonisolated(nonsending) func limit<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let timer = CallTimer.of(.continuous)
        return try await callUntil(timer.time(of: deadline + (isWatched ? Self.grace : .zero)), timer, body)
    }
}
#endif
