#if Hub
import SluiceJSON
import SluiceStreams

extension StreamPlan {
    /// The plan as the hub's answers have it.
    var json: JSON {
        var plan: JSON.Object = [
            "keepsAll": .bool(keepsAll), "isEnded": .bool(isEnded), "steps": .array(steps.map(\.json)),
        ]
        plan["division"] = division?.json
        return .object(plan)
    }
}

extension StreamPlan.Change {
    fileprivate var json: JSON {
        var object: JSON.Object = ["parameter": .string(parameter)]
        object["old"] = old
        object["new"] = new
        return .object(object)
    }
}

extension StreamPlan.Division {
    fileprivate var json: JSON {
        ["changes": .array(changes.map(\.json)), "stages": .array(stages.map(\.json))]
    }
}

extension StreamPlan.Division.Stage {
    fileprivate var json: JSON {
        var stage = JSON.Object()
        stage["name"] = .string(name)
        stage["id"] = id.map(JSON.string)
        stage["path"] = .string(path)
        stage["isMoved"] = .bool(isMoved)
        stage["reason"] = reason.map(JSON.string)
        stage["text"] = .string(description)
        return .object(stage)
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
        step["changes"] = .array(changes.map(\.json))
        step["reason"] = reason.map(JSON.string)
        if !notes.isEmpty { step["notes"] = .array(notes.map { .string($0.rawValue) }) }
        step["text"] = .string(description)
        return .object(step)
    }
}
#endif
