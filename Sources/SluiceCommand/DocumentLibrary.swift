#if Command
import Foundation
import SluiceJSON
import SluiceStreams

/// The documents that the references of a command's documents lead to: those that were given, and those in the folder
/// of each.
///
/// Every file beside a given document is read once, and every folder is listed once, regardless of how many documents
/// refer to others. A wrong document in a folder is an error only where a reference leads to it.
final class DocumentLibrary {
    /// The limits of one folder.
    struct Limits {
        /// The number of files that are read in one folder.
        var files = 20_000
        /// The sum of their sizes.
        var bytes = JSONLimits.default.maximumByteCount
    }

    /// The access to files and folders.
    struct Reader {
        /// Returns the paths of the files in a folder.
        var list: (_ folder: String) -> [String] = { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.map { folder == "/" ? "/" + $0 : folder + "/" + $0 }
        }
        /// Returns the bytes of a file.
        var read: (_ path: String) throws -> [UInt8] = { try DocumentFile(path: $0).bytes() }
        /// Reports a folder that is too large.
        var warn: (_ message: String) -> Void = { Output.error($0) }
    }

    private let given: StreamLibrary
    private let givenPaths: Set<String>
    private let givenTexts: Set<String>
    private let limits: Limits
    private let reader: Reader
    private var folders: [String: StreamLibrary] = [:]

    /// Creates a library of the documents that a command was given.
    init(
        _ given: [(file: DocumentFile, document: StreamDocument)],
        limits: Limits = Limits(),
        reader: Reader = Reader()
    ) {
        self.given = StreamLibrary(given.map(\.document))
        givenPaths = Set(given.map { Self.standardized($0.file.path) })
        givenTexts = Set(given.map(\.document.text))
        self.limits = limits
        self.reader = reader
    }

    /// Returns the documents that the references of a given document lead to.
    ///
    /// - Complexity: O(1), except for the first document of a folder that refers to others: it reads the folder.
    func library(for document: StreamDocument, in file: DocumentFile) -> StreamLibrary {
        guard file.path != "-", !document.dependencies.isEmpty else { return given }
        let folder = URL(fileURLWithPath: file.path).standardizedFileURL.deletingLastPathComponent().path
        if let known = folders[folder] { return known }
        let library = read(folder)
        folders[folder] = library
        return library
    }

    private func read(_ folder: String) -> StreamLibrary {
        var library = StreamLibrary(extending: given)
        let paths = reader.list(folder).filter { $0.hasSuffix(".json") && !givenPaths.contains(Self.standardized($0)) }
        var bytesLeft = limits.bytes
        for (index, path) in paths.sorted().enumerated() {
            guard index < limits.files else {
                warn(folder, "holds \(paths.count) documents beside those given", readCount: index)
                break
            }
            guard let bytes = try? reader.read(path) else { continue }
            bytesLeft -= bytes.count
            guard bytesLeft >= 0 else {
                warn(folder, "holds more than \(limits.bytes) bytes of documents", readCount: index)
                break
            }
            guard let document = try? StreamDocument(preserving: bytes), !givenTexts.contains(document.text) else {
                continue
            }
            library.add(document)
        }
        return library
    }

    private func warn(_ folder: String, _ reason: String, readCount: Int) {
        reader.warn(
            """
            \(folder): warning: the folder \(reason), and only the first \(readCount) by name were read
              hint: name the documents that references lead to as arguments, or move them to a smaller folder
            """
        )
    }

    private static func standardized(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}

extension DocumentFile {
    /// Returns the files that a command was given, each once.
    static func distinct(_ paths: [String]) -> [DocumentFile] {
        var known: Set<String> = []
        return paths.filter { $0 == "-" || known.insert(URL(fileURLWithPath: $0).standardizedFileURL.path).inserted }
            .map(DocumentFile.init)
    }
}
#endif
