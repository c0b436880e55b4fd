import Sluice
import SluiceJSON
import SluiceStreams

/// The definition that a run applied last, and the end of the run. It changes only on the run's actor.
final class TakenMark: Sendable {
    private struct State {
        var number = 0
        var revision = 0
        var end: StreamEvent<JSON>?
    }
    private let state = Locked(State())

    /// The number of the definition.
    var number: Int { state.withLock { $0.number } }
    /// The revision that runs.
    var revision: Int { state.withLock { $0.revision } }
    /// The last event of the run.
    var end: StreamEvent<JSON>? { state.withLock { $0.end } }

    /// Records the begin of a run.
    func begin(_ number: Int, _ revision: Int) { state.withLock { $0 = State(number: number, revision: revision) } }

    fileprivate func take(_ number: Int, _ revision: Int) {
        state.withLock { ($0.number, $0.revision) = (number, revision) }
    }

    fileprivate func finish(_ event: StreamEvent<JSON>) { state.withLock { $0.end = event } }
}

extension LiveRun {
    /// Puts the events of the run into a queue, each with its revision, until the run ends.
    ///
    /// Events and edits are added by this actor, so their order in the queue is that of the run.
    ///
    /// - Returns: the last event; `nil` if the run was closed.
    /// - Throws: `CancellationError`.
    func feed(_ queue: NoticeQueue, as stream: String, _ mark: TakenMark) async throws -> StreamEvent<JSON>? {
        while true {
            try await queue.room()
            guard let event = try await next() else { return mark.end }
            if tell(event, queue, stream, mark) { return event }
        }
    }

    /// Replaces the definition of the run, and adds a notice of that after the events of the old one.
    ///
    /// - Returns: whether it was replaced; a run that has ended is left unchanged.
    /// - Throws: as ``edit(to:in:giving:)``.
    func take(
        _ new: CheckedDefinition,
        number: Int,
        _ queue: NoticeQueue,
        as stream: String,
        _ mark: TakenMark
    ) throws -> Bool {
        if mark.end != nil { return false }
        do {
            let plan = try edit(to: new.document, in: new.library) { event in
                if self.tell(event, queue, stream, mark) { throw RunHasEnded() }
            }
            mark.take(number, new.revision)
            queue.push(.taken(stream: stream, revision: new.revision, name: new.name, how: .edited(plan)))
            return true
        } catch is RunHasEnded {
            return false
        }
    }

    /// Adds an event to the queue. Returns a Boolean value that indicates whether it is the last one.
    private func tell(_ event: StreamEvent<JSON>, _ queue: NoticeQueue, _ stream: String, _ mark: TakenMark) -> Bool {
        queue.push(.event(stream: stream, revision: mark.revision, event))
        if event.isLast { mark.finish(event) }
        return event.isLast
    }
}

/// An error that indicates that the old definition ended the run first.
private struct RunHasEnded: Error {}
