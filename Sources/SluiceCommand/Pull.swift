#if Command
import ArgumentParser
import Foundation
import SluiceClient
import SluiceHTTP
import SluiceStreams

/// `sluice pull`
struct Pull: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fetch stream documents from a hub.",
        discussion: """
            Prints one document, or writes each to a file of its name in a folder. They name their id and revision, so
            that an edit of them can be pushed. A file that was edited since it was pulled is left as it is.
            """
    )

    @OptionGroup var hub: HubArguments

    @Argument(help: "Ids or names; all streams where none is given.")
    var streams: [String] = []

    @Option(name: .shortAndLong, help: "The folder to write to, a file a stream.", completion: .directory)
    var output: String?

    @Flag(help: "Write over files that were edited, or are something else.")
    var force = false

    func run() async throws {
        try await exiting {
            let client = try hub.client()
            do {
                let heads = try Self.find(streams + Operands.rest, in: try await client.heads())
                if let output { return try await write(heads, to: output, client) }
                guard let head = heads.first, heads.count == 1 else {
                    let message = "pull: error: \(heads.count) streams do not fit into one output\n  hint: -o FOLDER"
                    throw Failure(code: .usage, message: message)
                }
                let text = try Self.text(try await client.document(head.id))
                try Output.bytes(Data(text.utf8))
            } catch let error as HTTPError { throw Failure(error) }
        }
    }

    /// The streams that have these ids or names.
    private static func find(_ names: [String], in heads: [HubClient.Head]) throws -> [HubClient.Head] {
        if names.isEmpty { return heads }
        var found: [HubClient.Head] = []
        for name in names {
            let named = heads.filter { $0.id == name }
            let candidates = named.isEmpty ? heads.filter { $0.name == name } : named
            guard let head = candidates.first else {
                throw Failure(code: .no, message: "pull: error: the hub has no stream '\(name)'")
            }
            guard candidates.count == 1 else {
                let ids = candidates.map(\.id).joined(separator: ", ")
                let message = "pull: error: \(candidates.count) streams are named '\(name)'\n  hint: one of \(ids)"
                throw Failure(code: .usage, message: message)
            }
            if !found.contains(where: { $0.id == head.id }) { found.append(head) }
        }
        return found
    }

    /// The text as it is written: it names its id and revision, and ends with a line's end.
    private static func text(_ document: HubClient.Document) throws -> String {
        let text = (try? DocumentFile.naming(document.id, document.revision, in: document.text)) ?? document.text
        return text.hasSuffix("\n") ? text : text + "\n"
    }

    nonisolated(nonsending) private func write(
        _ heads: [HubClient.Head],
        to folder: String,
        _ client: HubClient
    ) async throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            let reason = (error as NSError).localizedDescription
            throw Failure(code: .usage, message: "\(folder): error: cannot be made: \(reason)")
        }
        var names = DocumentFileNames()
        let files = heads.map { head in
            (head, DocumentFile(path: folder + "/" + names.name(for: head.name ?? head.id)))
        }
        try await forEach(of: files) { head, file in
            do { try await write(head, to: file, client) } catch let error as HTTPError { throw Failure(error) }
        }
    }

    nonisolated(nonsending) private func write(
        _ head: HubClient.Head,
        to file: DocumentFile,
        _ client: HubClient
    ) async throws {
        let document = try await client.document(head.id)
        let text = try Self.text(document)
        if FileManager.default.fileExists(atPath: file.path) {
            let old = String(decoding: try file.bytes(), as: UTF8.self)
            if old == text { return try Output.line("\(file.path): unchanged, revision \(document.revision)") }
            if !force { try await checkUntouched(old, file, head.id, client) }
        }
        try file.write(text)
        try Output.line("\(file.path): revision \(document.revision)")
    }

    /// Throws the ``Failure`` that says so where a file is not what the hub had at the revision that it names.
    nonisolated(nonsending) private func checkUntouched(
        _ text: String,
        _ file: DocumentFile,
        _ id: String,
        _ client: HubClient
    ) async throws {
        guard let local = try? StreamDocument(preserving: Array(text.utf8)), local.id == id,
            let revision = local.revision
        else {
            throw Failure(
                code: .no,
                message: "\(file.path): error: is another document\n  hint: --force writes over it"
            )
        }
        if let pulled = try? await client.document(id, revision: revision), try Self.text(pulled) == text { return }
        let message =
            "\(file.path): error: was edited since revision \(revision) was pulled\n  hint: push it, or --force"
        throw Failure(code: .no, message: message)
    }
}
#endif
