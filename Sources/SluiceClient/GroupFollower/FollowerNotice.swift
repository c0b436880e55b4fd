public import SluiceJSON
public import SluiceStreams

/// A notice of a ``GroupFollower``.
public enum FollowerNotice: Sendable {
    /// A run has applied a revision of a stream.
    case taken(stream: String, revision: Int, name: String?, how: Taking)
    /// A revision is invalid or can't be applied. The previous revision continues to run.
    case refused(stream: String, revision: Int, errors: JSONErrors)
    /// An event of a stream.
    case event(stream: String, revision: Int, StreamEvent<JSON>)
    /// A stream was removed from the group, and its run has ended.
    case removed(stream: String)
    /// The hub is unavailable. The runs continue.
    case hubIsAway(reason: String)
    /// The hub is available again.
    case hubIsBack
    /// The hub is unavailable at the start. The documents were restored from the state file.
    case restored(documents: Int)
    /// A problem that does not stop streams: for example, a file that can't be written, or a group with too many
    /// documents.
    case problem(String)

    /// The way in which a revision was applied.
    public enum Taking: Sendable {
        /// A new run began with it.
        case started
        /// The run continues with it.
        case edited(StreamPlan)
        /// A failed run was restarted with it.
        case restarted
    }

    /// The notice as one line of JSON, if it is about a stream:
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
    /// The notices of ``run(_:)``.
    public typealias Notice = FollowerNotice
}
