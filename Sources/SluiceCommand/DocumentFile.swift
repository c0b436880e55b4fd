#if Command
import Foundation
import SluiceJSON
import SluiceStreams

/// A stream document in a file, or on standard input as `-`.
struct DocumentFile {
    let path: String

    /// The name of the file in errors.
    var name: String { path == "-" ? "<stdin>" : path }

    /// Reads and checks the document; throws a ``Failure`` that lists its errors.
    func read() throws -> StreamDocument {
        let document = try preserved()
        if let errors = document.errors { throw failure(errors) }
        return document
    }

    /// Reads the document and keeps its errors, so that they can be reported together with those of its references.
    ///
    /// - Throws: A ``Failure`` if the file can't be read, or if it is not a JSON object.
    func preserved() throws -> StreamDocument {
        do {
            return try StreamDocument(preserving: bytes())
        } catch let errors as JSONErrors {
            throw failure(errors)
        }
    }

    /// Returns the ``Failure`` that reports the errors of the document.
    func failure(_ errors: JSONErrors) -> Failure {
        Failure(code: .badData, message: errors.diagnostics(file: name))
    }

    /// Returns the bytes of the file, read in pieces, so that a file longer than a document may be is never held whole.
    func bytes() throws -> [UInt8] {
        let limit = JSONLimits.default.maximumByteCount
        var bytes: [UInt8] = []
        try forEachPiece { piece in
            bytes.append(contentsOf: piece)
            guard bytes.count <= limit else {
                throw Failure(code: .badData, message: "\(name): error: is longer than \(limit) bytes")
            }
        }
        return bytes
    }

    /// Calls a closure with each piece of the file.
    func forEachPiece(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable() }
        defer { if path != "-" { close(descriptor) } }
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Foundation.read(descriptor, &piece, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw unreadable() }
            if count == 0 { return }
            try piece.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[..<count])) }
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
#endif
