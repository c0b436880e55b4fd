package import SluiceFilters
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
    /// The document as a filter stack; `nil` for a stream, and for a stack with errors.
    package let stack: StackDocument?
    /// The ids and names of the streams and filter stacks that it refers to.
    package let references: [String]
    /// The ids of the streams that its pipeline subscribes to.
    package let subscriptions: [String]
    /// The name of the source; `nil` where it is a stream within the stream.
    package let source: String?
    /// The ids, where they have one, and the names of the sinks that are on.
    package let sinks: [(id: String?, name: String)]
    /// The errors of the document alone.
    package private(set) var errors: [JSONError]
    /// The errors of what its references lead to.
    package private(set) var referenceErrors: [JSONError] = []
    /// A Boolean value that indicates whether it was compiled since it, or what it refers to, has changed.
    package private(set) var isChecked = false

    /// Makes an entry of a document that was parsed.
    package init(_ stored: StoredStream, _ document: StreamDocument) {
        self.init(stored, document, document.errors?.errors ?? [])
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
        self.stored = stored
        (description, isDefault) = (document?.description, document?.isDefault ?? false)
        isStack = document?.isStack ?? false
        var (stack, errors) = (StackDocument?.none, errors)
        if let document, document.isStack {
            do throws(JSONErrors) {
                stack = try document.connectorStack()
                errors = []
            } catch {
                errors = error.errors
            }
        }
        (self.stack, self.errors) = (stack, errors)
        references = document?.dependencies ?? []
        subscriptions = document?.pipeline.subscriptions ?? []
        source = document.flatMap { if case .named(let source) = $0.pipeline.source { source.name } else { nil } }
        sinks = document?.sinks.filter { !$0.isDisabled }.map { ($0.id, $0.name) } ?? []
    }

    /// The id of the document.
    package var id: String { stored.id }
    /// The name under which references find it, besides its id.
    package var referenceName: String? { isStack ? StreamDocument.stackReference(id) : stored.name }
    /// A Boolean value that indicates whether it can't run, as far as that is known.
    package var isBlocked: Bool { !errors.isEmpty || !referenceErrors.isEmpty }

    /// Takes over the errors that a compiler has found.
    package mutating func note(_ check: DocumentCheck) {
        errors = check.own
        referenceErrors = check.own.isEmpty ? check.all : []
        isChecked = true
    }
}
