#if Command
import ArgumentParser
import Foundation
import SluiceJSON
import SluiceStreams

/// `sluice import`
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Turn documents of combine-magic into stream documents.",
        discussion: """
            Takes one of its four shapes, an array of them, or its whole store; expressions become CEL. Prints the
            documents, or writes each to a file of its name in a folder.
            """
    )

    @Argument(help: "The file; - is standard input.", completion: .file())
    var file: String

    @Option(name: .shortAndLong, help: "The folder to write to, a file a stream.", completion: .directory)
    var output: String?

    func run() async throws {
        try await exiting {
            let source = DocumentFile(path: file)
            let documents: [StreamImport.Document]
            do {
                documents = try StreamImport(parsing: source.bytes()).documents
            } catch let errors as JSONErrors {
                throw source.failure(errors)
            }
            guard let output else {
                for document in documents { try Output.bytes(Data(document.text.utf8)) }
                return
            }
            try write(documents, to: URL(fileURLWithPath: output, isDirectory: true))
        }
    }

    private func write(_ documents: [StreamImport.Document], to folder: URL) throws {
        var names = DocumentFileNames()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for document in documents {
                let name = names.name(for: document.name ?? document.id ?? "")
                try Data(document.text.utf8).write(to: folder.appending(path: name), options: .withoutOverwriting)
                try Output.line(folder.appending(path: name).relativePath)
            }
        } catch let error as NSError {
            throw Failure(
                code: .usage,
                message: "\(folder.path): error: cannot be written: \(error.localizedDescription)"
            )
        }
    }
}
#endif
