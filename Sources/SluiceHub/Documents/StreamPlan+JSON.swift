#if Hub
import SluiceJSON
import SluiceStreams

extension StreamPlan {
    /// The plan as the hub's answers have it.
    var json: JSON {
        ["keepsAll": .bool(keepsAll), "isEnded": .bool(isEnded), "steps": .array(steps.map(\.json))]
    }
}

extension StreamPlan.Step {
    fileprivate var json: JSON {
        var step = JSON.Object()
        step["action"] = .string(action.rawValue)
        step["name"] = .string(name)
        step["id"] = id.map(JSON.string)
        step["oldPath"] = oldPath.map(JSON.string)
        step["newPath"] = newPath.map(JSON.string)
        step["isMoved"] = .bool(isMoved)
        step["changes"] = .array(
            changes.map { change in
                var object: JSON.Object = ["parameter": .string(change.parameter)]
                object["old"] = change.old
                object["new"] = change.new
                return .object(object)
            }
        )
        step["reason"] = reason.map(JSON.string)
        if !notes.isEmpty { step["notes"] = .array(notes.map { .string($0.rawValue) }) }
        step["text"] = .string(description)
        return .object(step)
    }
}
#endif
