import Sluice
import SluiceJSON
import SluiceStreams

/// The definition that a run has taken up, told apart by number; it changes only on the run's actor.
final class TakenMark: Sendable {
    private let state = Locked((number: 0, revision: 0))

    var number: Int { state.withLock { $0.number } }
    var revision: Int { state.withLock { $0.revision } }

    func set(_ number: Int, _ revision: Int) { state.withLock { $0 = (number, revision) } }
}

extension LiveRun {
    /// Puts the events of the run into a queue, each with the revision that gave it, until the run ends.
    ///
    /// Events and edits come from this actor into one queue, so that their order there is that in the run.
    ///
    /// - Returns: the last event; `nil` where the run was closed.
    /// - Throws: `CancellationError`.
    func feed(_ queue: NoticeQueue, as stream: String, _ mark: TakenMark) async throws -> StreamEvent<JSON>? {
        while true {
            try await queue.room()
            guard let event = try await next() else { return nil }
            queue.push(.event(stream: stream, revision: mark.revision, event))
            if event.isLast { return event }
        }
    }

    /// Puts another definition in place of the one that runs, and tells it.
    ///
    /// - Returns: whether it did: a run that has ended is left as it is.
    /// - Throws: as ``edit(to:in:)``.
    func take(
        _ new: CheckedDefinition,
        number: Int,
        _ queue: NoticeQueue,
        as stream: String,
        _ mark: TakenMark
    ) throws -> Bool {
        if hasEnded() { return false }
        let plan = try edit(to: new.document, in: new.library)
        mark.set(number, new.revision)
        queue.push(.taken(stream: stream, revision: new.revision, name: new.name, how: .edited(plan)))
        return true
    }
}
