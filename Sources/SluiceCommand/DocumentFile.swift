import Foundation
import SluiceJSON
import SluiceStreams

/// A stream document in a file, or on standard input as `-`.
struct DocumentFile {
    let path: String

    /// How errors name it.
    var name: String { path == "-" ? "<stdin>" : path }

    /// Reads and checks it; throws the ``Failure`` that says why it cannot be.
    func read() throws -> StreamDocument {
        do {
            return try StreamDocument(parsing: bytes())
        } catch let errors as JSONErrors {
            throw Failure(code: .badData, message: errors.diagnostics(file: name))
        }
    }

    /// The bytes, read piece by piece, so that no more is held than a document may be long.
    private func bytes() throws -> [UInt8] {
        let limit = JSONLimits.default.maximumByteCount
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable() }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Foundation.read(descriptor, &piece, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw unreadable() }
            if count == 0 { return bytes }
            bytes.append(contentsOf: piece[..<count])
            guard bytes.count <= limit else {
                throw Failure(code: .badData, message: "\(name): error: is longer than \(limit) bytes")
            }
        }
    }

    private func unreadable() -> Failure {
        let reason =
            switch errno {
            case ENOENT: "there is no such file"
            case EACCES, EPERM: "it is not yours to read"
            case EISDIR: "it is a folder"
            default: String(cString: strerror(errno))
            }
        return Failure(code: .usage, message: "\(name.isEmpty ? "''" : name): error: cannot be read: \(reason)")
    }
}
