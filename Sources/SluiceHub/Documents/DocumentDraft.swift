#if Hub
import Foundation
import HTTPTypes
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams

/// The kinds of documents of a hub.
enum DocumentKind: Sendable {
    case stream, stack
}

/// A document that an author has sent: parsed once, and with its ids.
struct DocumentDraft: Sendable {
    /// The document as its author wrote it.
    let original: StreamDocument
    /// The document as it is to be stored.
    let document: StreamDocument
    let id: String

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - id: its id, where the request names one.
    ///   - kind: the kind that is expected; `nil` for any.
    /// - Throws: `JSONErrors` for a text that isn't a JSON object, and with all errors of a stack; ``Problem`` for an id that
    ///   can't be one, and for a document of another kind.
    init(_ bytes: [UInt8], id: String?, _ limits: HubLimits, as kind: DocumentKind? = .stream) throws {
        guard bytes.count <= limits.bodySize else { throw Problem.tooLong(limits.bodySize) }
        original = try StreamDocument(reading: bytes)
        if let kind, original.isStack != (kind == .stack) { throw Problem.otherKind(original) }
        let given = original.id
        if let given, let id, given != id {
            throw Problem(.unprocessableContent, "the document has the id '\(given)', the request has '\(id)'")
        }
        self.id = id ?? given ?? UUID().uuidString
        guard Self.isName(self.id, upTo: 200) else {
            let text = "an id has 1 to 200 bytes and no control characters, and isn't '.' or '..'"
            throw Problem(.unprocessableContent, text)
        }
        document = original.isStack ? try Self.stack(original, id: self.id) : original.identified(as: self.id)
    }

    /// The longest text of a stack with its white space, in bytes.
    private static let longestStack = 16 << 10

    /// Returns a filter stack as it is to be stored: as its author wrote it, unless it lacks its id.
    private static func stack(_ original: StreamDocument, id: String) throws -> StreamDocument {
        guard original.text.utf8.count <= longestStack else { throw Problem.tooLong(longestStack) }
        let stack = try original.connectorStack()
        if original.id == id { return original }
        return try StreamDocument(reading: Array(stack.identified(as: id).canonicalText.utf8))
    }

    /// Takes a document that the hub has changed itself.
    init(_ document: StreamDocument, id: String) { (original, self.document, self.id) = (document, document, id) }

    /// Refuses a document with errors that no other hub or version would accept, or with too many parts.
    ///
    /// - Throws: `JSONErrors` with all errors of the document alone; ``Problem``.
    func checkShape(_ limits: HubLimits) throws {
        if document.isStack { return }
        // A name that is unknown here may be known elsewhere: it is kept, and shared. Everything else is a mistake.
        if let errors = original.errors, !errors.errors.allSatisfy({ $0.code == .unknownKey }) {
            throw JSONErrors(ownErrors([:]), omittedCount: errors.omittedCount)
        }
        var count = document.sinks.count
        document.pipeline.forEachStage { count += 1 }
        guard count <= limits.operators else {
            throw Problem(
                .unprocessableContent,
                "the document has \(count) operators, sources, and sinks; this hub takes \(limits.operators)"
            )
        }
    }

    /// Refuses a document whose arguments or expressions are wrong.
    ///
    /// - Throws: `JSONErrors` with all errors of the document alone.
    func check(_ result: DocumentCheck?) throws {
        guard let result, !result.own.allSatisfy({ $0.code == .unknownKey }) else { return }
        throw JSONErrors(ownErrors(result.cycles))
    }

    /// The errors of the document alone, at their places in the text that its author wrote.
    ///
    /// - Parameter cycles: the cycles that its subscriptions close.
    private func ownErrors(_ cycles: [String: String]) -> [JSONError] {
        original.isStack ? original.stackErrors : CompiledDocument.ownErrors(original, cycles: cycles)
    }

    var draft: StreamDraft { StreamDraft(id: id, name: document.name, text: document.text) }

    var change: DocumentChange { .put(id, document) }

    /// Returns a Boolean value that indicates whether a text can be a part of a path, up to a length in bytes. Clients
    /// take `.` and `..` for steps in a path, also where they are percent-encoded.
    static func isName(_ text: String, upTo length: Int) -> Bool {
        !text.isEmpty && text.utf8.count <= length && text != "." && text != ".."
            && !text.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
    }
}

extension Problem {
    /// The refusal of a document that is not of the kind that a route takes.
    fileprivate static func otherKind(_ document: StreamDocument) -> Problem {
        let text =
            document.isStack
            ? "the document is a filter stack: /stacks takes it" : "a stack needs \"filters\", and has no \"source\""
        return Problem(.unprocessableContent, text)
    }
}
#endif
