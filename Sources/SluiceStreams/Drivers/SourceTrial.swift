import Sluice
import SluiceFilters
package import SluiceJSON

/// A trial of a document's source: the first item that it gives, for an author who edits it. Nothing is stored.
package struct SourceTrial: Sendable {
    /// The outcome of a trial.
    package enum Outcome: Sendable, Hashable {
        /// The first item.
        case item(JSON)
        /// The source has completed without an item.
        case completed
        /// The source has failed.
        case failed(String)
        /// No item came in time; with the reason if the source has reported one.
        case late(String?)
    }

    /// The last reason for which a source has reported that it waits.
    private final class Wait: Sendable {
        let reason = Locked<String?>(nil)
    }

    /// The sources that can be tried: they read the outside world, and reading once takes nothing away.
    package static let kinds = ["poll", "request", "events", "lines"]

    private let flow: Flow<JSON>
    private let host: StreamHost

    /// Creates the trial of a document's source; `nil` for a source that can't be tried.
    ///
    /// - Throws: `JSONErrors` with the errors of the source; those of operators, sinks, and tests don't count.
    package init?(_ document: StreamDocument, in library: StreamLibrary, host: StreamHost) throws(JSONErrors) {
        let alone = document.sourceAlone
        if let errors = alone.errors { throw errors }
        guard case .named(let source) = document.pipeline.source, Self.kinds.contains(source.name) else { return nil }
        flow = try alone.flow(in: library)
        self.host = host
    }

    /// Reads the source until its first item.
    ///
    /// - Parameters:
    ///   - limit: The longest time.
    ///   - limits: The bounds of the item.
    ///   - clock: The clock that measures the time.
    /// - Throws: `CancellationError` if the task is canceled; the source is canceled too.
    package func outcome(
        within limit: Duration,
        limits: StreamLimits = StreamLimits(),
        clock: any Clock<Duration> = .continuous
    ) async throws -> Outcome {
        let wait = Wait()
        let events = flow.events(
            taking: 1,
            host: host.reporting { reason in wait.reason.withLock { $0 = reason } },
            limits: limits
        )
        let first = TimeoutFilter<Void, Outcome>(limit, clock: clock)
            .andThen(
                AnyNode { (_: Void) in
                    for try await event in events {
                        switch event.kind {
                        case .value(let item): return .item(item)
                        case .completed: return .completed
                        case .failed(let error): return .failed(error.description)
                        case .reported: continue
                        }
                    }
                    return .completed
                }
            )
        do { return try await first.process(()) } catch is TimeoutError {
            return .late(wait.reason.withLock { $0 })
        }
    }
}
