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
            throw failure(errors)
        }
    }

    /// Where the references of its documents lead: to those given, and to those that lie beside them in its folder.
    ///
    /// A document beside it that is wrong is told of only where something refers to it.
    func library(_ documents: [StreamDocument]) -> StreamLibrary {
        var library = StreamLibrary(documents)
        guard path != "-", documents.contains(where: { !$0.pipeline.references.isEmpty }) else { return library }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        let own = URL(fileURLWithPath: path).standardizedFileURL
        let beside = files.filter { $0.pathExtension == "json" && $0.standardizedFileURL != own }
        for file in beside.sorted(by: { $0.path < $1.path }).prefix(Self.besideLimit) {
            guard let bytes = try? DocumentFile(path: file.path).bytes(),
                let document = try? StreamDocument(preserving: bytes),
                !documents.contains(where: { $0.text == document.text })
            else { continue }
            library.add(document)
        }
        return library
    }

    /// So many documents are looked at beside one that refers to others.
    private static let besideLimit = 1_000

    /// The ``Failure`` that tells of what is wrong with it.
    func failure(_ errors: JSONErrors) -> Failure {
        Failure(code: .badData, message: errors.diagnostics(file: name))
    }

    /// The bytes, read piece by piece, so that no more is held than a document may be long.
    func bytes() throws -> [UInt8] {
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
            piece.withUnsafeBufferPointer { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[..<count])) }
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
