public import SluiceJSON

/// An item that a run took from the outside world, with its time. With a journal of these inputs since a checkpoint, a
/// run that resumes from the checkpoint gives the same events as the first run, whatever its timing.
public struct StreamInput: Sendable, Hashable, Codable {
    /// The path of the source in the run.
    public let source: String
    /// The time of the run, in nanoseconds.
    public let nanoseconds: Int64
    /// The item, in the format of checkpoints.
    public let item: JSON

    /// The name that is used instead of a source's if the run has left out ticks; no source has it.
    static let skipping = ""

    package init(source: String, time: StreamTime, item: JSON) {
        self.source = source
        nanoseconds = time.nanoseconds
        self.item = item
    }

    /// A Boolean value that indicates whether the item is the failure of its source.
    package var isFailure: Bool { item[0]?.string == "failed" }

    /// The position of the item in its source; `nil` for one without.
    package var position: String? {
        switch item[0]?.string {
        case "value": item[2]?.string
        case "position": item[1]?.string
        default: nil
        }
    }

    /// The time of the run.
    var time: StreamTime { StreamTime(nanoseconds: max(0, nanoseconds)) }
}

extension SourceBufferState.Step where Value: Savable {
    init(saved json: JSON) throws {
        guard case .array(let parts) = json, parts.count == 2 || parts.count == 3 else {
            throw StreamError.unreadable("an input", json)
        }
        switch parts[0].string {
        case "value":
            self = .value(try Value(saved: parts[1]), at: parts.count == 3 ? try String(saved: parts[2]) : nil)
        case "position": self = .position(try String(saved: parts[1]))
        case "completed": self = .end(.completed)
        case "failed": self = .end(.failed(try StreamError(saved: parts[1])))
        default: throw StreamError.unreadable("an input", json)
        }
    }

    var saved: JSON {
        switch self {
        case .value(let value, nil): ["value", value.saved]
        case .value(let value, let position?): ["value", value.saved, .string(position)]
        case .position(let position): ["position", .string(position)]
        case .end(.completed): ["completed", nil]
        case .end(.failed(let error)): ["failed", StreamError(error).saved]
        }
    }
}
