import SluiceJSON
import SluiceStore
import SluiceStreams

/// A stored document, with what the hub has to know of it at once.
struct HubDocument: Sendable {
    let stored: StoredStream
    let description: String?
    let isDefault: Bool
    /// What its pipeline refers to, by id or name.
    let references: [String]
    /// What is wrong with it alone.
    let errors: [JSONError]
    /// What is wrong with where its references lead.
    var referenceErrors: [JSONError] = []

    init(_ stored: StoredStream) {
        self.stored = stored
        do throws(JSONErrors) {
            let document = try StreamDocument(preserving: Array(stored.text.utf8))
            description = document.description
            isDefault = document.isDefault
            references = document.pipeline.references
            errors = document.errors?.errors ?? []
        } catch {
            (description, isDefault, references, errors) = (nil, false, [], error.errors)
        }
    }

    var id: String { stored.id }
    /// Whether it cannot run.
    var isBlocked: Bool { !errors.isEmpty || !referenceErrors.isEmpty }

    /// The document whole.
    func document() throws(JSONErrors) -> StreamDocument { try StreamDocument(preserving: Array(stored.text.utf8)) }

    /// What a list says of it.
    func head(_ status: RunStatus?) -> JSON {
        var head = JSON.Object()
        head["id"] = .string(id)
        head["name"] = stored.name.map(JSON.string)
        head["description"] = description.map(JSON.string)
        head["isDefault"] = .bool(isDefault)
        head["revision"] = .int(Int64(stored.revision))
        let state = status?.state ?? .idle
        if let status, status.run > 0 { head["runs"] = .int(Int64(status.revision)) }
        head["state"] = .string((isBlocked && !state.goesOn ? .blocked : state).rawValue)
        head["error"] = status?.error.map(JSON.string)
        let errors = errors + referenceErrors
        if !errors.isEmpty { head["errors"] = .array(errors.map(\.json)) }
        return .object(head)
    }

    /// Whether a search finds it: its id, name or description contains the text, whatever the case.
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
