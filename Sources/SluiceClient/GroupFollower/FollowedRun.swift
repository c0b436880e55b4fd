import Sluice
import SluiceJSON
import SluiceStreams

/// What a run has taken up, and how it ended; it changes only on the run's actor.
final class TakenMark: Sendable {
    private struct State {
        var number = 0
        var revision = 0
        var end: StreamEvent<JSON>?
    }
    private let state = Locked(State())

    /// Tells definitions apart.
    var number: Int { state.withLock { $0.number } }
    /// The revision that runs.
    var revision: Int { state.withLock { $0.revision } }
    /// The last event of the run.
    var end: StreamEvent<JSON>? { state.withLock { $0.end } }

    /// A run has begun.
    func begin(_ number: Int, _ revision: Int) { state.withLock { $0 = State(number: number, revision: revision) } }

    fileprivate func take(_ number: Int, _ revision: Int) {
        state.withLock { ($0.number, $0.revision) = (number, revision) }
    }

    fileprivate func finish(_ event: StreamEvent<JSON>) { state.withLock { $0.end = event } }
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
            guard let event = try await next() else { return mark.end }
            if tell(event, queue, stream, mark) { return event }
        }
    }

    /// Puts another definition in place of the one that runs, and tells it, after what the old one has given.
    ///
    /// - Returns: whether it did: a run that has ended is left as it is.
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

    /// Puts an event into the queue; answers whether it is the last.
    private func tell(_ event: StreamEvent<JSON>, _ queue: NoticeQueue, _ stream: String, _ mark: TakenMark) -> Bool {
        queue.push(.event(stream: stream, revision: mark.revision, event))
        if event.isLast { mark.finish(event) }
        return event.isLast
    }
}

/// What the old document gave first was its end.
private struct RunHasEnded: Error {}
