package import SluiceJSON
package import SluiceStreams

/// A stored document of a ``DocumentSet``, with what has to be known of it at once.
package struct SetDocument: Sendable {
    /// The document as it is stored.
    package let stored: StoredStream
    /// The description of the stream.
    package let description: String?
    /// A Boolean value that indicates whether the document came with the program.
    package let isDefault: Bool
    /// A Boolean value that indicates whether the document is a filter stack.
    package let isStack: Bool
    /// The ids and names of the streams and filter stacks that it refers to.
    package let references: [String]
    /// The ids of the streams that its pipeline subscribes to.
    package let subscriptions: [String]
    /// The errors of the document alone.
    package private(set) var errors: [JSONError]
    /// The errors of what its references lead to.
    package private(set) var referenceErrors: [JSONError] = []
    /// A Boolean value that indicates whether it was compiled since it, or what it refers to, has changed.
    package private(set) var isChecked = false

    /// Makes an entry of a document that was parsed.
    package init(_ stored: StoredStream, _ document: StreamDocument) {
        self.init(stored, document, document.isStack ? document.stackErrors : document.errors?.errors ?? [])
    }

    /// Reads a document, and doesn't compile it.
    package init(reading stored: StoredStream) {
        do throws(JSONErrors) {
            self.init(stored, try StreamDocument(reading: Array(stored.text.utf8)))
        } catch {
            self.init(stored, nil, error.errors)
        }
    }

    private init(_ stored: StoredStream, _ document: StreamDocument?, _ errors: [JSONError]) {
        (self.stored, self.errors) = (stored, errors)
        (description, isDefault) = (document?.description, document?.isDefault ?? false)
        isStack = document?.isStack ?? false
        references = document?.dependencies ?? []
        subscriptions = document?.pipeline.subscriptions ?? []
    }

    /// The id of the document.
    package var id: String { stored.id }
    /// A Boolean value that indicates whether it can't run, as far as that is known.
    package var isBlocked: Bool { !errors.isEmpty || !referenceErrors.isEmpty }

    /// Takes over the errors that a compiler has found.
    package mutating func note(_ check: DocumentCheck) {
        errors = check.own
        referenceErrors = check.own.isEmpty ? check.all : []
        isChecked = true
    }
}
