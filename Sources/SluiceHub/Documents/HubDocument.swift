import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams

/// A stored document, with what the hub has to know of it at once.
struct HubDocument: Sendable {
    let stored: StoredStream
    let description: String?
    let isDefault: Bool
    /// The ids and names that its pipeline refers to.
    let references: [String]
    /// The errors of the document alone.
    private(set) var errors: [JSONError]
    /// The errors of what its references lead to.
    private(set) var referenceErrors: [JSONError] = []
    /// A Boolean value that indicates whether it was compiled since it, or what it refers to, has changed.
    private(set) var isChecked = false

    init(_ stored: StoredStream, _ document: StreamDocument) {
        self.init(stored, document, document.errors?.errors ?? [])
    }

    /// Reads a document, and doesn't compile it.
    init(reading stored: StoredStream) {
        do throws(JSONErrors) {
            self.init(stored, try StreamDocument(reading: Array(stored.text.utf8)))
        } catch {
            self.init(stored, nil, error.errors)
        }
    }

    private init(_ stored: StoredStream, _ document: StreamDocument?, _ errors: [JSONError]) {
        (self.stored, self.errors) = (stored, errors)
        (description, isDefault) = (document?.description, document?.isDefault ?? false)
        references = document?.pipeline.references ?? []
    }

    var id: String { stored.id }
    /// A Boolean value that indicates whether it can't run, as far as that is known.
    var isBlocked: Bool { !errors.isEmpty || !referenceErrors.isEmpty }

    /// Takes over the errors that a compiler has found.
    mutating func note(_ check: DocumentCheck) {
        errors = check.own
        referenceErrors = check.own.isEmpty ? check.all : []
        isChecked = true
    }

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
        head["state"] = .string((isBlocked && !state.goesOn ? .blocked : state).rawValue)
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
