import AsyncHTTPClient
import NIOCore
import Sluice
import SluiceFilters

/// The deadline of a call, for its exchange: AsyncHTTPClient's own ends with the head of an answer.
struct BodyDeadline: Sendable {
    /// How late it is kept, so that a filter that watches the deadline speaks first.
    private static let grace = Duration.milliseconds(100)

    private let deadline: ContinuousClock.Instant

    /// The current call's; `nil` if it has none.
    init?() {
        guard let deadline = CallContext.current.deadline else { return nil }
        self.deadline = deadline
    }

    /// Whether there is no time left.
    var hasPassed: Bool { deadline <= .now }

    /// As a deadline of NIO's.
    var networkDeadline: NIODeadline { .now() + TimeAmount(ContinuousClock.now.duration(to: deadline) + Self.grace) }

    /// Calls `body`, in a task of its own so that it can be cancelled, and waits for it.
    ///
    /// - Throws: `DeadlineExceeded` when the time was over; what `body` throws.
    nonisolated(nonsending) func limit<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let hasPassed = Flag()
        let task = Task { try await body() }
        let alarm = HTTPClient.defaultEventLoopGroup.any().scheduleTask(deadline: networkDeadline) {
            hasPassed.raise()
            task.cancel()
        }
        defer { alarm.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            throw hasPassed.isRaised ? DeadlineExceeded() : error
        }
    }

    private final class Flag: Sendable {
        private let value = Locked(false)
        var isRaised: Bool { value.withLock { $0 } }
        func raise() { value.withLock { $0 = true } }
    }
}
