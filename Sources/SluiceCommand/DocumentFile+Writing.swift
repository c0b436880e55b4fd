#if Command
import Foundation
import SluiceJSON

extension DocumentFile {
    /// Puts another text into the file, all or none.
    func write(_ text: String) throws {
        do {
            let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            try Data(text.utf8).write(to: target, options: .atomic)
        } catch {
            let reason = (error as NSError).localizedDescription
            throw Failure(code: .usage, message: "\(path): error: cannot be written: \(reason)")
        }
    }

    /// The text of a document that names its id and its revision; nothing else of it changes.
    ///
    /// - Parameter text: an object.
    static func naming(_ id: String, _ revision: Int, in text: String) throws(JSONError) -> String {
        var bytes = Array(text.utf8)
        let root = try JSONDocument(parsing: bytes).root
        var missing = ""
        if root["id"] == nil { missing += "\"id\": \(JSON.string(id)), " }
        if let node = root["revision"] {
            bytes.replaceSubrange(node.byteRange, with: "\(revision)".utf8)
        } else {
            missing += "\"revision\": \(revision), "
        }
        if !missing.isEmpty {
            // Behind the brace; in front of the first member, on its line. An object without members needs no comma.
            let start = root.members.first { _ in true }?.keyNode.byteRange.lowerBound
            if start == nil { missing.removeLast(2) }
            bytes.insert(contentsOf: missing.utf8, at: start ?? root.byteRange.lowerBound + 1)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
#endif
