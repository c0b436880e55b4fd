import Foundation
public import SluiceJSON

extension StreamDraft {
    /// Reads one document, or an array of them, as ``StreamStore/export()`` writes it; one without an id gets one.
    ///
    /// ```swift
    /// let drafts = try StreamDraft.list(parsing: #"[{"id": "a", "stream": []}]"#)
    /// let text = drafts[0].text  // {"id": "a", "stream": []}
    /// ```
    ///
    /// What the documents say is not looked at, apart from `id` and `name`.
    ///
    /// - Throws: `JSONErrors` when it is not JSON, or when what should be a document is no object or has an id that is no
    ///   text, with the line and column of each.
    /// - Complexity: O(*n*) in the length of the text.
    public static func list(parsing text: String, limits: JSONLimits = .default) throws(JSONErrors) -> [StreamDraft] {
        let root: JSONNode
        do {
            root = try JSONDocument(parsing: text, limits: limits).root
        } catch {
            throw JSONErrors([error])
        }
        var errors: [JSONError] = []
        var drafts: [StreamDraft] = []
        for node in root.kind == .array ? Array(root.elements) : [root] {
            if node.kind != .object {
                errors.append(JSONError(.wrongType, "expected a document: an object", at: node))
            } else if let id = node["id"], id.kind != .string {
                errors.append(JSONError(.wrongType, "expected a text as id", at: id))
            } else {
                let id = node["id"]?.string ?? UUID().uuidString
                drafts.append(StreamDraft(id: id, name: node["name"]?.string, text: node.sourceText))
            }
        }
        if !errors.isEmpty { throw JSONErrors(Array(errors.prefix(100)), omittedCount: max(0, errors.count - 100)) }
        return drafts
    }
}
