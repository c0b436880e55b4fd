import Sluice
import SluiceJSON

/// The saved state of a run between two items.
struct SavedRun {
    var clock: SavedClock
    /// A Boolean value that indicates whether the run has subscribed to anything yet.
    var hasBegun: Bool
    var isEnded: Bool
    /// The events that have been delivered but not read.
    var pending: [StreamEvent<JSON>]
    var root: SavedStateNode?
    /// The paths of states that could not be saved.
    var unsaved: [String]
}

extension Engine<JSON> {
    /// The state of the run for saving, which leaves the run unchanged.
    var saved: SavedRun {
        var unsaved: [String] = []
        let root = isEnded ? nil : run.save(&unsaved)
        return SavedRun(
            clock: run.clock,
            hasBegun: hasBegun,
            isEnded: isEnded,
            pending: events.all,
            root: root,
            unsaved: unsaved.sorted()
        )
    }

    /// Makes the run one that can be saved; called before it begins.
    func keepParts(_ starts: [String: @Sendable (Scope) -> Void]) { run.keepParts(starts, restoring: nil, nil) }

    /// Restores a saved state; called before the run begins.
    ///
    /// - Throws: ``StreamError`` with the path of the first node that cannot resume.
    func restore(_ saved: SavedRun, _ starts: [String: @Sendable (Scope) -> Void]) throws(StreamError) {
        run.keepParts(starts, restoring: saved.clock, saved.hasBegun ? saved.root ?? SavedStateNode() : nil)
        for event in saved.pending { events.append(event) }
        if saved.isEnded {
            (hasBegun, isEnded) = (true, true)
        } else if saved.hasBegun {
            run.restoring {
                begin()
                run.claimShared()
            }
        }
        if let failure = run.restoringFailures.first { throw failure }
    }

    /// Begins the parts that an edit adds or resets, at the instant of the edit. Events that are due now follow with
    /// the next step in time.
    func beginEdited() {
        run.beginEdited()
        if isEnded { run.close() }
    }
}

extension StreamEvent<JSON>: Savable {
    init(saved json: JSON) throws {
        guard case .array(let parts) = json, parts.count == 3, case .string(let kind) = parts[1] else {
            throw StreamError.unreadable("an event", json)
        }
        let time = try StreamTime(saved: parts[0])
        switch kind {
        case "value": self.init(time: time, kind: .value(parts[2]))
        case "reported": self.init(time: time, kind: .reported(try StreamError(saved: parts[2])))
        case "completed": self.init(time: time, kind: .completed)
        case "failed": self.init(time: time, kind: .failed(try StreamError(saved: parts[2])))
        default: throw StreamError.unreadable("an event", json)
        }
    }

    var saved: JSON {
        let (kind, content): (JSON, JSON) =
            switch self.kind {
            case .value(let value): ("value", value)
            case .reported(let error): ("reported", error.saved)
            case .completed: ("completed", nil)
            case .failed(let error): ("failed", error.saved)
            }
        return [time.saved, kind, content]
    }
}
