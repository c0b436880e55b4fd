import Foundation
import SluiceJSON

extension StreamStore {
    /// All documents as one JSON array, each as its author wrote it, apart from the `id`: that is added where it is
    /// missing, so that an import finds the stream again.
    ///
    /// - Throws: ``StoreError``, also when a text that was stored is not a JSON object; `CancellationError`.
    public func export() async throws -> String {
        let texts = try await list().map { stream in
            do throws(JSONError) {
                var text = try JSONText(object: stream.text)
                text.setID(stream.id)
                return text.text
            } catch {
                throw StoreError(.notJSON(id: stream.id, reason: error.description))
            }
        }
        return texts.isEmpty ? "[]\n" : "[\n" + texts.joined(separator: ",\n") + "\n]\n"
    }

    /// Adds documents, all or none, and gives them as they are stored now.
    ///
    /// ```swift
    /// let store = MemoryStreamStore()
    /// let drafts = try StreamDraft.list(parsing: #"[{"id": "a", "stream": []}]"#)
    /// try await store.importDrafts(drafts, whereTaken: .replace, by: "me")
    /// let text = try await store.export()  // [\n{"id": "a", "stream": []}\n]\n
    /// ```
    ///
    /// - Parameters:
    ///   - drafts: the documents, no two with one id unless new ones are given.
    ///   - policy: what is done about an id that is there already.
    ///   - author: who writes, for the history.
    /// - Throws: as ``DefinitionStore/create(_:replacing:by:)``; ``StoreError/Kind/notJSON(id:reason:)`` where a new id
    ///   cannot be written into a text.
    @discardableResult
    public func importDrafts(
        _ drafts: [StreamDraft],
        whereTaken policy: ImportConflictPolicy,
        by author: String?
    ) async throws -> [StoredStream] {
        guard policy == .newIDs else { return try await create(drafts, replacing: policy == .replace, by: author) }
        while true {
            let taken = Set(try await list().map(\.id))
            do {
                return try await create(drafts.withNewIDs(taken), by: author)
            } catch let error as StoreError {
                // Another has taken one in between: they are looked up again.
                guard case .taken = error.kind else { throw error }
            }
        }
    }
}

extension [StreamDraft] {
    /// The drafts with new ids where theirs are taken or come twice; references follow to the first with an id.
    func withNewIDs(_ taken: Set<String>) throws -> [StreamDraft] {
        var seen: Set<String> = []
        var renamed: [String: String] = [:]
        let ids = map { draft -> String in
            let isFirst = seen.insert(draft.id).inserted
            if isFirst, !taken.contains(draft.id) { return draft.id }
            let id = UUID().uuidString
            if isFirst { renamed[draft.id] = id }
            return id
        }
        return try zip(self, ids).map { draft, id in
            if id == draft.id, renamed.isEmpty { return draft }
            do throws(JSONError) {
                var text = try JSONText(object: draft.text)
                if id != draft.id { text.setID(id) }
                text.rename(renamed)
                return StreamDraft(id: id, name: draft.name, text: text.text)
            } catch {
                throw StoreError(.notJSON(id: draft.id, reason: error.description))
            }
        }
    }
}
