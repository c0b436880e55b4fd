import SluiceJSON
import SluiceStreams

/// All that the hub tells of a run but its values.
struct RunStatus: Sendable {
    let stream: String
    /// How often the stream has been begun.
    var run = 0
    /// The revision that runs.
    var revision = 0
    var state = RunState.idle
    var pace: Pace
    /// Why it failed.
    var error: String?
    /// What is wrong around it, while it runs on.
    var warning: String?
    var stages: [StageWatch.Stage] = []

    /// The status as JSON, at `now`.
    func json(at now: Int64) -> JSON {
        var object = JSON.Object()
        object["stream"] = .string(stream)
        object["run"] = .int(Int64(run))
        object["revision"] = .int(Int64(revision))
        object["state"] = .string(state.rawValue)
        object["time"] = .number(pace.time(at: now))
        object["speed"] = .number(pace.speed)
        object["error"] = error.map(JSON.string)
        object["warning"] = warning.map(JSON.string)
        object["stages"] = .array(stages.map(\.json))
        return .object(object)
    }
}

extension StageWatch.Stage {
    var json: JSON {
        var object = JSON.Object()
        object["name"] = .string(name)
        object["id"] = id.map(JSON.string)
        object["path"] = .string(path)
        object["expression"] = expression.map(JSON.string)
        object["inputs"] = .array(inputs.map { .int(Int64($0)) })
        return .object(object)
    }
}

extension JSON {
    /// A number, whole where it is.
    static func number(_ value: Double) -> JSON { Int64(exactly: value).map { .int($0) } ?? .double(value) }

    /// A time as seconds.
    static func number(_ time: StreamTime) -> JSON {
        time.nanoseconds.isMultiple(of: 1_000_000_000)
            ? .int(time.nanoseconds / 1_000_000_000) : .double(time.seconds)
    }
}
