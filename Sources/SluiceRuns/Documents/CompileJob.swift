package import SluiceJSON
package import SluiceStreams

/// The result of compiling a document.
package struct DocumentCheck: Sendable {
    /// The errors of the document alone.
    package let own: [JSONError]
    /// All its errors, those of its references included, in the order of its text.
    package let all: [JSONError]
    /// The document ready to run; `nil` where it can't.
    package let compiled: CompiledDocument?
    /// The ids of the documents that it was compiled from besides itself.
    package let references: [String]
    /// The cycles that its subscriptions close, by the id of the stream that is subscribed to.
    package let cycles: [String: String]
    /// A Boolean value that indicates whether the document is stored only if its tests pass.
    package internal(set) var isGated = false

    /// Makes a result.
    package init(
        own: [JSONError],
        all: [JSONError],
        compiled: CompiledDocument?,
        references: [String],
        cycles: [String: String] = [:]
    ) {
        (self.own, self.all, self.compiled, self.references) = (own, all, compiled, references)
        self.cycles = cycles
    }

    /// A Boolean value that indicates whether the document can't run.
    package var isBlocked: Bool { !all.isEmpty }
}

/// The documents that are to be compiled and all that they refer to, taken from a ``DocumentSet`` at one moment.
package struct CompileJob: Sendable {
    /// A document to compile, or one that it refers to.
    package enum Source: Sendable {
        /// A document that is stored.
        case stored(StoredStream)
        /// A document that is not stored yet.
        case changed(StreamDocument)
    }

    /// The number of changes that the documents had seen.
    package let changes: Int
    /// The ids of the documents to compile.
    package var targets: [String] = []
    package var sources: [String: Source] = [:]
    /// The references of each document.
    var nodes: [String: [String]] = [:]
    /// The documents that each reference leads to.
    var resolved: [String: [String]] = [:]
    /// The cycles that subscriptions close, by the id of the document that is compiled and that of the stream that is
    /// subscribed to.
    var cycles: [String: [String: String]] = [:]

    init(changes: Int) { self.changes = changes }

    /// Returns a Boolean value that indicates whether another job finds the same: the references lead to the same
    /// revisions of the same documents. Documents that change are taken to be the same.
    package func matches(_ other: CompileJob) -> Bool {
        guard resolved == other.resolved, cycles == other.cycles, sources.count == other.sources.count else {
            return false
        }
        return sources.allSatisfy { id, source in
            switch (source, other.sources[id]) {
            case (.stored(let one), .stored(let two)?): DocumentVersion(one) == DocumentVersion(two)
            case (_, let source): source != nil
            }
        }
    }

    /// Compiles the documents.
    ///
    /// - Parameters:
    ///   - parsed: the documents that were parsed already.
    ///   - kept: the ids of those whose compiled form is wanted; that of others takes memory for nothing.
    func run(_ parsed: ParsedDocuments, keeping kept: Set<String>) -> [String: DocumentCheck] {
        var checks: [String: DocumentCheck] = [:]
        for id in targets {
            if let check = check(id, parsed, isKept: kept.contains(id)) { checks[id] = check }
        }
        return checks
    }

    private func check(_ id: String, _ parsed: ParsedDocuments, isKept: Bool) -> DocumentCheck? {
        guard let source = sources[id] else { return nil }
        let document: StreamDocument
        do throws(JSONErrors) { document = try parsed.document(source) } catch {
            return DocumentCheck(own: error.errors, all: error.errors, compiled: nil, references: [])
        }
        if document.isStack {
            let errors = document.stackErrors
            return DocumentCheck(own: errors, all: errors, compiled: nil, references: [])
        }
        var check = compiled(id, document, parsed, isKept: isKept)
        check.isGated = document.isGated
        return check
    }

    private func compiled(
        _ id: String,
        _ document: StreamDocument,
        _ parsed: ParsedDocuments,
        isKept: Bool
    ) -> DocumentCheck {
        let references = references(of: document, id)
        let library = library(of: document, id, references, parsed)
        do throws(JSONErrors) {
            let compiled = try CompiledDocument(document, in: library)
            return DocumentCheck(own: [], all: [], compiled: isKept ? compiled : nil, references: references)
        } catch {
            // The errors of references are those that remain where references may lead anywhere.
            let cycles = cycles[id] ?? [:]
            let own =
                document.dependencies.isEmpty
                ? error.errors : CompiledDocument.ownErrors(document, cycles: cycles)
            let all = error.errors.map(\.withoutKnownStreams)
            return DocumentCheck(own: own, all: all, compiled: nil, references: references, cycles: cycles)
        }
    }

    /// Returns a document and where its references lead; `nil` where its text isn't a JSON object.
    package func document(
        _ id: String,
        _ parsed: ParsedDocuments
    ) -> (document: StreamDocument, library: StreamLibrary)? {
        guard let source = sources[id], let document = try? parsed.document(source) else { return nil }
        return (document, library(of: document, id, references(of: document, id), parsed))
    }

    private func library(
        of document: StreamDocument,
        _ id: String,
        _ references: [String],
        _ parsed: ParsedDocuments
    ) -> StreamLibrary {
        var library = StreamLibrary([document])
        library.cycles = cycles[id] ?? [:]
        if document.id != id { library.add(document, as: id) }
        for id in references {
            guard let source = sources[id], let document = try? parsed.document(source) else { continue }
            library.add(document)
            if document.id != id { library.add(document, as: id) }
        }
        return library
    }

    /// Returns the ids of all documents that a document refers to, and so on.
    private func references(of document: StreamDocument, _ id: String) -> [String] {
        var found: [String] = []
        var seen: Set<String> = [id]
        var open = document.dependencies
        while let reference = open.popLast() {
            for other in resolved[reference] ?? [] where seen.insert(other).inserted {
                found.append(other)
                open += nodes[other] ?? []
            }
        }
        return found
    }
}

extension JSONError {
    /// The error without a hint about the streams that are known: those that the document refers to are not all that
    /// there are.
    fileprivate var withoutKnownStreams: JSONError {
        guard message.hasPrefix("there is no stream"), hint?.hasPrefix("known: ") ?? false else { return self }
        var error = self
        error.hint = nil
        return error
    }
}
