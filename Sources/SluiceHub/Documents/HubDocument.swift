#if Hub
import SluiceJSON
import SluiceRuns

/// A stored document of the hub.
typealias HubDocument = SetDocument

extension SetDocument {
    /// Returns the entry of the document in a list.
    func head(_ status: RunStatus?) -> JSON {
        var head = JSON.Object()
        head["id"] = .string(id)
        head["name"] = stored.name.map(JSON.string)
        head["description"] = description.map(JSON.string)
        head["isDefault"] = .bool(isDefault)
        head["revision"] = .int(Int64(stored.revision))
        let state = status?.state ?? .idle
        if let status, status.run > 0 { head["runs"] = .int(Int64(status.revision)) }
        // A run that has ended keeps its state: the errors say that no other can begin.
        head["state"] = .string((isBlocked && state == .idle ? .blocked : state).rawValue)
        head["error"] = status?.error.map(JSON.string)
        let errors = errors + referenceErrors
        if !errors.isEmpty { head["errors"] = .array(errors.map(\.json)) }
        return .object(head)
    }

    /// Returns a Boolean value that indicates whether a search finds it: its id, name, or description contains the text,
    /// whatever the case.
    func isFound(by search: String) -> Bool {
        [id, stored.name, description].contains { $0?.lowercased().contains(search) ?? false }
    }
}

extension JSONError {
    /// The error as the hub's answers have it.
    var json: JSON {
        var object = JSON.Object()
        object["path"] = .string(path.description)
        object["line"] = .int(Int64(line))
        object["column"] = .int(Int64(column))
        object["message"] = .string(message)
        object["hint"] = hint.map(JSON.string)
        return .object(object)
    }
}
#endif
