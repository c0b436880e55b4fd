package import SluiceJSON
package import SluiceStreams

/// The state of a sink, as it is shown.
package struct SinkStatus: Sendable {
    /// The id.
    package let id: String
    /// The name of its kind.
    package let kind: String
    /// `idle` where nothing waits, `delivering`, `waiting` for the next attempt, `blocked`, or `disabled`.
    package let state: String
    /// The number of outputs that were delivered.
    package let delivered: Int
    /// The number of outputs that wait.
    package let waiting: Int
    /// The number of outputs that went to the dead letters.
    package let failed: Int
    /// The number of dead letters.
    package let deadLetters: Int
    /// The place up to which all is delivered.
    package let cursor: OutputPlace
    /// The error of the last attempt.
    package let error: String?
    /// The seconds until the next attempt.
    package let retryIn: Double?
    /// The delivery that is blocked or was not delivered at its last attempt.
    package let troubled: Outbox.Attempt?

    /// The state as JSON.
    package var json: JSON {
        var object: JSON.Object = [
            "id": .string(id), "kind": .string(kind), "state": .string(state), "delivered": .int(Int64(delivered)),
            "waiting": .int(Int64(waiting)), "failed": .int(Int64(failed)), "deadLetters": .int(Int64(deadLetters)),
            "cursor": .string(cursor == .start ? "start" : cursor.description),
        ]
        object["error"] = error.map(JSON.string)
        object["retryIn"] = retryIn.map(JSON.number)
        if let troubled {
            object["output"] = .string(troubled.place.description)
            if !troubled.key.isEmpty {
                object["key"] = .string(troubled.key)
                object["request"] = (try? JSON(parsing: troubled.request)) ?? .string(troubled.request)
            }
        }
        return .object(object)
    }
}

extension SinkStatus {
    /// Creates the state of a sink that delivers nothing now.
    package init(idle sink: StreamSink, _ stored: StoredSink?, deadLetters: Int) {
        self.init(
            id: sink.id ?? sink.name,
            kind: sink.name,
            state: sink.isDisabled ? "disabled" : "idle",
            delivered: stored?.delivered ?? 0,
            waiting: 0,
            failed: stored?.failed ?? 0,
            deadLetters: deadLetters,
            cursor: stored?.cursor ?? .start,
            error: nil,
            retryIn: nil,
            troubled: nil
        )
    }
}
