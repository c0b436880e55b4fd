public import SluiceJSON
public import SluiceStreams

/// What a ``GroupFollower`` tells.
public enum FollowerNotice: Sendable {
    /// A run has taken up a revision of a stream.
    case taken(stream: String, revision: Int, name: String?, how: Taking)
    /// A revision does not check, or cannot be put in place: what ran before runs on.
    case refused(stream: String, revision: Int, errors: JSONErrors)
    /// What a stream did.
    case event(stream: String, revision: Int, StreamEvent<JSON>)
    /// A stream is not the group's any more, and has ended here.
    case removed(stream: String)
    /// The hub cannot be reached: what runs runs on.
    case hubIsAway(reason: String)
    /// The hub has answered, after it was away.
    case hubIsBack
    /// The hub could not be asked: so many documents come from the file.
    case restored(documents: Int)
    /// Something that does not keep streams from running: a file that cannot be written, a set that is too large.
    case problem(String)

    /// How a revision was taken up.
    public enum Taking: Sendable {
        /// A run has begun.
        case started
        /// A run goes on with it.
        case edited(StreamPlan)
        /// A run has begun again, after a failure.
        case restarted
    }

    /// The notice as one line of JSON, for those that are of a stream:
    ///
    /// ```text
    /// {"stream": "6C2A", "revision": 4, "taken": "started", "name": "Ticks"}
    /// {"stream": "6C2A", "revision": 4, "time": 1, "value": 1}
    /// {"stream": "6C2A", "revision": 5, "taken": "edited", "plan": ["keep   source.interval: seconds 1 → 2"]}
    /// {"stream": "6C2A", "revision": 6, "taken": false, "errors": ["1:12: source: …"]}
    /// {"stream": "6C2A", "removed": true}
    /// ```
    public var line: String? {
        switch self {
        case .event(let stream, let revision, let event):
            return Self.head(stream, revision) + ", " + event.line.dropFirst()
        case .taken(let stream, let revision, let name, let how):
            let tail =
                switch how {
                case .started: #""started""#
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
        case .hubIsAway, .hubIsBack, .restored, .problem: return nil
        }
    }

    private static func head(_ stream: String, _ revision: Int) -> String {
        #"{"stream": \#(JSON.string(stream)), "revision": \#(revision)"#
    }
}

extension GroupFollower {
    /// What ``run(_:)`` tells.
    public typealias Notice = FollowerNotice
}
