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
            return try StreamDocument(parsing: text())
        } catch let errors as JSONErrors {
            throw Failure(code: .badData, message: errors.diagnostics(file: name))
        }
    }

    private func text() throws -> String {
        let data: Data
        do {
            data =
                try path == "-"
                ? FileHandle.standardInput.readToEnd() ?? Data()
                : Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Failure(code: .usage, message: "\(name): error: cannot be read: \(Self.reason(error))")
        }
        guard data.count <= JSONLimits.default.maximumByteCount else {
            throw Failure(
                code: .badData,
                message: "\(name): error: is longer than \(JSONLimits.default.maximumByteCount) bytes"
            )
        }
        return String(decoding: data, as: UTF8.self)
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? CocoaError else { return "\(error)" }
        switch error.code {
        case .fileReadNoSuchFile, .fileNoSuchFile: return "there is no such file"
        case .fileReadNoPermission: return "it is not yours to read"
        default: return error.underlying.map { "\($0)" } ?? "\(error.code.rawValue)"
        }
    }
}
