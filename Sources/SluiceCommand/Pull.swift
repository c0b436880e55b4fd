#if Command
import ArgumentParser
import Foundation
import HTTPTypes
import SluiceClient
import SluiceHTTP
import SluiceStreams

/// `sluice pull`
struct Pull: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fetch streams and filter stacks from a hub.",
        discussion: """
            Prints one document, or writes each to a file of its name in a folder. They contain their ids and revisions,
            so that edits of them can be pushed. A file that was edited since it was pulled is left unchanged.
            """
    )

    @OptionGroup var hub: HubArguments

    @Argument(help: "Ids or names of streams and stacks; all if omitted.")
    var documents: [String] = []

    @Option(name: .shortAndLong, help: "The folder to write to, one file for each document.", completion: .directory)
    var output: String?

    @Flag(help: "Overwrite files that were edited, or are other documents.")
    var force = false

    func run() async throws {
        try await exiting {
            let client = try hub.client()
            do {
                let entries = try Self.find(documents + Operands.rest, in: try await Self.entries(client))
                if let output { return try await write(entries, to: output, client) }
                guard let entry = entries.first, entries.count == 1 else {
                    let message = "pull: error: \(entries.count) documents do not fit into one output"
                    throw Failure(code: .usage, message: message + "\n  hint: -o FOLDER")
                }
                let text = try Self.text(try await client.document(entry.head.id, as: entry.kind))
                try Output.bytes(Data(text.utf8))
            } catch let error as HTTPError { throw Failure(error) }
        }
    }

    /// A document of the hub.
    private typealias Entry = (head: HubClient.Head, kind: HubClient.Kind)

    /// Returns the entries of all documents: the stacks, which streams may name, behind the streams.
    nonisolated(nonsending) private static func entries(_ client: HubClient) async throws -> [Entry] {
        let streams = try await client.heads().map { ($0, HubClient.Kind.stream) }
        do {
            return streams + (try await client.stacks().map { ($0, HubClient.Kind.stack) })
        } catch let error as HTTPError where error.response?.status.code == 404 {
            return streams  // a hub of an older version has no stacks
        }
    }

    /// Returns the documents that have these ids or names.
    private static func find(_ names: [String], in entries: [Entry]) throws -> [Entry] {
        if names.isEmpty { return entries }
        var found: [Entry] = []
        for name in names {
            let identified = entries.filter { $0.head.id == name }
            let candidates = identified.isEmpty ? entries.filter { $0.head.name == name } : identified
            guard let entry = candidates.first else {
                throw Failure(code: .no, message: "pull: error: the hub has no stream or stack '\(name)'")
            }
            guard candidates.count == 1 else {
                let ids = candidates.map(\.head.id).joined(separator: ", ")
                let message = "pull: error: \(candidates.count) documents are named '\(name)'\n  hint: one of \(ids)"
                throw Failure(code: .usage, message: message)
            }
            if !found.contains(where: { $0.head.id == entry.head.id }) { found.append(entry) }
        }
        return found
    }

    /// The text as it is written: it names its id and revision, and ends with a line's end.
    private static func text(_ document: HubClient.Document) throws -> String {
        let text = (try? DocumentFile.naming(document.id, document.revision, in: document.text)) ?? document.text
        return text.hasSuffix("\n") ? text : text + "\n"
    }

    nonisolated(nonsending) private func write(
        _ entries: [Entry],
        to folder: String,
        _ client: HubClient
    ) async throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            let reason = (error as NSError).localizedDescription
            throw Failure(code: .usage, message: "\(folder): error: cannot be created: \(reason)")
        }
        var names = DocumentFileNames()
        let files = entries.map { entry in
            (entry, DocumentFile(path: folder + "/" + names.name(for: entry.head.name ?? entry.head.id)))
        }
        try await forEach(of: files) { entry, file in
            do { try await write(entry, to: file, client) } catch let error as HTTPError { throw Failure(error) }
        }
    }

    nonisolated(nonsending) private func write(
        _ entry: Entry,
        to file: DocumentFile,
        _ client: HubClient
    ) async throws {
        let document = try await client.document(entry.head.id, as: entry.kind)
        let text = try Self.text(document)
        if FileManager.default.fileExists(atPath: file.path) {
            let old = String(decoding: try file.bytes(), as: UTF8.self)
            if old == text { return try Output.line("\(file.path): unchanged, revision \(document.revision)") }
            if !force { try await checkUntouched(old, file, entry, client) }
        }
        try file.write(text)
        try Output.line("\(file.path): revision \(document.revision)")
    }

    /// Checks that a file is equal to the hub's document at the revision that it contains.
    ///
    /// - Throws: A ``Failure`` if it is not.
    nonisolated(nonsending) private func checkUntouched(
        _ text: String,
        _ file: DocumentFile,
        _ entry: Entry,
        _ client: HubClient
    ) async throws {
        let id = entry.head.id
        guard let local = try? StreamDocument(preserving: Array(text.utf8)), local.id == id,
            let revision = local.revision
        else {
            throw Failure(
                code: .no,
                message: "\(file.path): error: is another document\n  hint: --force overwrites it"
            )
        }
        if let pulled = try? await client.document(id, revision: revision, as: entry.kind),
            try Self.text(pulled) == text
        {
            return
        }
        let message =
            "\(file.path): error: was edited since revision \(revision) was pulled\n  hint: push it, or --force"
        throw Failure(code: .no, message: message)
    }
}
#endif
