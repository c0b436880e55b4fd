package import SluiceJSON
package import SluiceStreams

/// All that is published of a run but its values.
package struct RunStatus: Sendable {
    /// The id of the stream.
    package let stream: String
    /// The number of the run, from 1.
    package var run = 0
    /// The revision that runs.
    package var revision = 0
    /// The state of the run.
    package var state = RunState.idle
    /// The pace of the run's time.
    package var pace: Pace
    /// The time by which the run is late, where it is behind.
    package var lag: StreamTime?
    /// The number of overdue ticks that were left out.
    package var skipped = 0
    /// The error that ended the run.
    package var error: String?
    /// The sources that wait for a server that can't be reached, and why.
    package var waiting: String?
    /// A problem of the surroundings, while the run continues.
    package var warning: String?
    /// The stages of the pipeline.
    package var stages: [StageWatch.Stage] = []

    /// Makes the status of a stream that does not run.
    package init(stream: String, pace: Pace) { (self.stream, self.pace) = (stream, pace) }

    /// The seconds of the clock by which the run is late, where it is behind.
    package var lagSeconds: Double? { lag.map { $0.seconds / pace.speed } }

    /// Returns the time that the run has reached at `now`.
    package func time(at now: Int64) -> StreamTime {
        StreamTime(pace.time(at: now).duration - (lag ?? .zero).duration)
    }

    /// Returns the status as JSON, at `now`.
    package func json(at now: Int64) -> JSON {
        var object = fieldsBeforeTime
        object["time"] = .number(time(at: now))
        for (key, value) in fieldsAfterTime { object[key] = value }
        return .object(object)
    }

    fileprivate var fieldsBeforeTime: JSON.Object {
        [
            "stream": .string(stream), "run": .int(Int64(run)), "revision": .int(Int64(revision)),
            "state": .string(state.rawValue),
        ]
    }

    fileprivate var fieldsAfterTime: JSON.Object {
        var object: JSON.Object = ["speed": .number(pace.speed)]
        object["lag"] = lagSeconds.map(JSON.number)
        object["skipped"] = skipped > 0 ? .int(Int64(skipped)) : nil
        object["error"] = error.map(JSON.string)
        object["waiting"] = waiting.map(JSON.string)
        object["warning"] = warning.map(JSON.string)
        object["stages"] = .array(stages.map(\.json))
        return object
    }
}

/// An encoded run status without its time, which is the only part that changes as time passes.
package struct StatusText: Sendable {
    private let beforeTime: String
    private let afterTime: String

    /// Encodes a status.
    package init(_ status: RunStatus) {
        beforeTime = JSON.object(status.fieldsBeforeTime).description.dropLast() + #","time":"#
        afterTime = "," + JSON.object(status.fieldsAfterTime).description.dropFirst()
    }

    /// Returns the JSON text of the status with the given time of its run.
    package func text(at time: StreamTime) -> String { beforeTime + JSON.number(time).description + afterTime }
}

extension StageWatch.Stage {
    /// The stage as JSON.
    package var json: JSON {
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
    /// Returns a number as an integer where it is whole.
    package static func number(_ value: Double) -> JSON { Int64(exactly: value).map { .int($0) } ?? .double(value) }

    /// Returns a time as seconds.
    package static func number(_ time: StreamTime) -> JSON {
        time.nanoseconds.isMultiple(of: 1_000_000_000)
            ? .int(time.nanoseconds / 1_000_000_000) : .double(time.seconds)
    }
}
