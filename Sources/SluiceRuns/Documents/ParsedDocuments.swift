import Sluice
package import SluiceJSON
package import SluiceStreams

/// The documents that were parsed last, so that a text is parsed once while it is in use.
///
/// It holds a few hundred: the rest are kept as texts.
package final class ParsedDocuments: Sendable {
    private struct Key: Hashable {
        let id: String
        let revision: Int
    }

    private struct State {
        var documents: [Key: StreamDocument] = [:]
        /// The keys in the order in which they came.
        var order: [Key] = []
        /// The size of the texts, in bytes.
        var size = 0
    }

    private let limit: Int
    private let size: Int
    private let state = Locked(State())

    /// - Parameters:
    ///   - limit: the most documents that are held.
    ///   - size: the most bytes that their texts have in all.
    init(limit: Int = 512, size: Int = 4 << 20) { (self.limit, self.size) = (limit, size) }

    /// Returns a document, which is parsed unless it is held.
    ///
    /// - Throws: `JSONErrors` when the text isn't a JSON object.
    package func document(_ source: CompileJob.Source) throws(JSONErrors) -> StreamDocument {
        switch source {
        case .changed(let document): return document
        case .stored(let stored): return try document(stored)
        }
    }

    /// Returns a stored document, which is parsed unless it is held.
    ///
    /// - Throws: `JSONErrors` when the text isn't a JSON object.
    package func document(_ stored: StoredStream) throws(JSONErrors) -> StreamDocument {
        let key = Key(id: stored.id, revision: stored.revision)
        // Where the store of a hub was replaced, its followers see a revision again with another text.
        if let document = state.withLock({ $0.documents[key] }), document.text.hasBytes(of: stored.text) {
            return document
        }
        let document = try StreamDocument(reading: Array(stored.text.utf8))
        hold(document, as: stored)
        return document
    }

    /// Holds a document that was parsed.
    package func hold(_ document: StreamDocument, as stored: StoredStream) {
        let key = Key(id: stored.id, revision: stored.revision)
        let length = document.text.utf8.count
        guard length <= size else { return }
        state.withLock { state in
            state.size += length
            if let old = state.documents.updateValue(document, forKey: key) {
                state.size -= old.text.utf8.count
                return
            }
            state.order.append(key)
            var dropped = 0
            while state.documents.count > limit || state.size > size {
                if let old = state.documents.removeValue(forKey: state.order[dropped]) {
                    state.size -= old.text.utf8.count
                }
                dropped += 1
            }
            state.order.removeFirst(dropped)
        }
    }
}
