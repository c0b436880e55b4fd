import SluiceJSON

/// The text of a JSON object that is changed at places: everything else stays as its author wrote it.
struct JSONText {
    private let document: JSONDocument
    private var edits: [(range: Range<Int>, text: String)] = []

    /// - Throws: `JSONError` when the text is not JSON, or no object.
    init(object text: String) throws(JSONError) {
        document = try JSONDocument(parsing: text)
        guard document.root.kind == .object else {
            throw JSONError(.wrongType, "expected an object", hint: nil, at: document.root)
        }
    }

    /// The text with its changes.
    var text: String {
        var bytes = document.bytes
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            bytes.replaceSubrange(edit.range, with: edit.text.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Sets the member `id`; one that is not there becomes the first.
    mutating func setID(_ id: String) {
        let root = document.root
        if let node = root["id"] {
            if node.string != id { replace(node, with: id) }
        } else {
            let start = root.byteRange.lowerBound + 1
            let separator = root.count == 0 ? "" : ", "
            edits.append((start..<start, #""id": \#(JSON.string(id))\#(separator)"#))
        }
    }

    /// Has references lead to other ids.
    mutating func rename(_ ids: [String: String]) { rename(ids, in: document.root) }

    private mutating func rename(_ ids: [String: String], in node: JSONNode) {
        for element in node.elements { rename(ids, in: element) }
        for member in node.members where !Self.data.contains(member.key) && !member.key.hasPrefix("x-") {
            if member.key == "ref" {
                let node = member.value["id"] ?? member.value
                if let id = node.string.flatMap({ ids[$0] }) { replace(node, with: id) }
            } else {
                rename(ids, in: member.value)
            }
        }
    }

    /// Members that hold values, in which `ref` is a word like any other.
    private static let data: Set = ["value", "values", "initialValue", "arguments", "tests", "note", "description"]

    private mutating func replace(_ node: JSONNode, with text: String) {
        edits.append((node.byteRange, JSON.string(text).description))
    }
}
