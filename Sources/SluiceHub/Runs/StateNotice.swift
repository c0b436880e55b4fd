#if Hub
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// A state of a stream, as subscribers see it.
struct StateNotice: Sendable {
    let stream: String
    let run: Int
    let state: String
    let reason: String?
    /// The most characters of a reason.
    private static let longestReason = 500

    init(stream: String, run: Int, state: String, reason: String?) {
        (self.stream, self.run, self.state) = (stream, run, state)
        self.reason = reason.map { String($0.prefix(Self.longestReason)) }
    }

    /// The state of a run that is stored, and was not opened.
    init(stored run: StoredRun?, of stream: String) {
        self.init(stream: stream, run: run?.run ?? 0, state: run?.state ?? "idle", reason: run?.error)
    }

    /// A Boolean value that indicates whether somebody may have to do something.
    var needsAttention: Bool { ["failed", "restarting", "blocked", "waiting", "behind"].contains(state) }

    init?(_ status: RunStatus?, blocked sinks: [String]) {
        guard let status else { return nil }
        let (state, reason): (String, String?) =
            switch status.state {
            case .running where !sinks.isEmpty: ("blocked", "blocked sinks: \(sinks.joined(separator: ", "))")
            case .running where status.waiting != nil: ("waiting", status.waiting)
            case .running where status.lag != nil: ("behind", nil)
            default: (status.state.rawValue, status.error)
            }
        self.init(stream: status.stream, run: status.run, state: state, reason: reason)
    }

    var json: JSON {
        var object: JSON.Object = ["stream": .string(stream), "run": .int(Int64(run)), "state": .string(state)]
        object["reason"] = reason.map(JSON.string)
        return .object(object)
    }
}
#endif
