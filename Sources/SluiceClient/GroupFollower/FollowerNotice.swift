#if HTTP
public import SluiceJSON
public import SluiceStreams

/// A notice of a ``GroupFollower``.
public enum FollowerNotice: Sendable {
    /// A run has applied a revision of a stream.
    case taken(stream: String, revision: Int, name: String?, how: Taking)
    /// A revision is invalid; the one before keeps running.
    case refused(stream: String, revision: Int, errors: JSONErrors)
    /// An event of a run.
    case event(stream: String, at: Place, StreamEvent<JSON>)
    /// A stream was taken from the group, and has ended here.
    case removed(stream: String)
    /// A stream with sinks does not run here: another member holds its lease, or the hub can't be asked for it.
    case waiting(stream: String, reason: String)
    /// The hub can't be reached; the runs continue.
    case hubIsAway(reason: String)
    /// The hub has answered, after it could not be reached.
    case hubIsBack
    /// The stored runs were resumed without the hub, by that number of documents.
    case restored(documents: Int)
    /// A problem that doesn't keep streams from running, such as a store that can't be written.
    case problem(String)

    /// The way in which a run has applied a revision.
    public enum Taking: Sendable {
        /// A new run began with it.
        case started
        /// A run continues from its last checkpoint, after this program was ended or killed.
        case resumed
        /// A run continues with the revision, between two items.
        case edited(StreamPlan)
        /// A run continues after a failure: from its last checkpoint, or, without a store, from its beginning.
        case restarted
    }

    /// The place of an event: one that is reported again after a crash has the same run and sequence.
    public struct Place: Sendable, Hashable {
        /// The revision that ran.
        public let revision: Int
        /// The number of the run, from 1.
        public let run: Int
        /// The number of the output in the run, from 1. The failure of a run has the number of the output after it.
        public let sequence: Int

        /// Makes a place.
        public init(revision: Int, run: Int, sequence: Int) {
            (self.revision, self.run, self.sequence) = (revision, run, sequence)
        }
    }

    /// The notice as one line of JSON; `nil` for one that is not of a stream:
    ///
    /// ```text
    /// {"stream": "6C2A", "revision": 4, "taken": "started", "name": "Ticks"}
    /// {"stream": "6C2A", "revision": 4, "run": 1, "sequence": 1, "time": 1, "value": 1}
    /// {"stream": "6C2A", "revision": 5, "taken": "edited", "plan": ["keep   source.interval: seconds 1 → 2"]}
    /// {"stream": "6C2A", "revision": 6, "taken": false, "errors": ["1:12: source: …"]}
    /// {"stream": "6C2A", "waiting": "it runs on the member 'b' of the group 'all'"}
    /// {"stream": "6C2A", "removed": true}
    /// ```
    public var line: String? {
        switch self {
        case .event(let stream, let place, let event):
            let sequence = if case .failed = event.kind { "" } else { #", "sequence": \#(place.sequence)"# }
            return Self.head(stream, place.revision) + #", "run": \#(place.run)\#(sequence), "# + event.line.dropFirst()
        case .taken(let stream, let revision, let name, let how):
            let tail =
                switch how {
                case .started: #""started""#
                case .resumed: #""resumed""#
                case .restarted: #""restarted""#
                case .edited(let plan):
                    #""edited", "plan": \#(JSON.array(plan.steps.map { .string($0.description) }))"#
                }
            let title = if case .started = how, let name { #", "name": \#(JSON.string(name))"# } else { "" }
            return Self.head(stream, revision) + #", "taken": \#(tail)\#(title)}"#
        case .refused(let stream, let revision, let errors):
            let texts = JSON.array(errors.errors.map { .string($0.description) })
            return Self.head(stream, revision) + #", "taken": false, "errors": \#(texts)}"#
        case .removed(let stream): return #"{"stream": \#(JSON.string(stream)), "removed": true}"#
        case .waiting(let stream, let reason):
            return #"{"stream": \#(JSON.string(stream)), "waiting": \#(JSON.string(reason))}"#
        case .hubIsAway, .hubIsBack, .restored, .problem: return nil
        }
    }

    private static func head(_ stream: String, _ revision: Int) -> String {
        #"{"stream": \#(JSON.string(stream)), "revision": \#(revision)"#
    }
}

extension GroupFollower {
    /// A notice of ``run(_:)``.
    public typealias Notice = FollowerNotice
}
#endif
