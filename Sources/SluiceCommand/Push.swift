#if Command
import ArgumentParser
import Foundation
import HTTPTypes
import SluiceClient
import SluiceHTTP
import SluiceJSON
import SluiceStreams

/// `sluice push`
struct Push: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Store stream documents in a hub.",
        discussion: """
            A document that the hub does not have is created; another takes the place of the hub's if it is an edit of
            that: if it names the hub's revision. Else nothing is stored, both are shown with what the edit would do, and
            the command ends with 1. The file is then made to name the id and the revision that the hub gave it.
            """
    )

    @OptionGroup var hub: HubArguments

    @Argument(help: "The documents; - is standard input.", completion: .file())
    var files: [String]

    @Flag(help: "Take the place of whatever the hub has; its history keeps that.")
    var force = false

    @Flag(inversion: .prefixedNo, help: "Write id and revision into the file.")
    var update = true

    func run() async throws {
        try await exiting {
            let client = try hub.client(author: NSUserName())
            try await forEach(of: (files + Operands.rest).map(DocumentFile.init)) { file in
                do { try await push(file, to: client) } catch let error as HTTPError {
                    throw Failure(error)
                } catch let refusal as HubClient.DocumentError {
                    let lines = refusal.errors.map { $0.diagnostic(file: file.name) }
                    throw Failure(code: .badData, message: lines.joined(separator: "\n"))
                }
            }
        }
    }

    nonisolated(nonsending) private func push(_ file: DocumentFile, to client: HubClient) async throws {
        let document: StreamDocument
        do { document = try StreamDocument(preserving: file.bytes()) } catch let errors as JSONErrors {
            throw file.failure(errors)
        }
        guard let id = document.id else {
            return try tell(try await client.create(document.text), "created", file, document)
        }
        do {
            if let revision = document.revision {
                do {
                    let head = try await client.replace(id, with: document.text, at: revision)
                    return try tell(head, "replaced", file, document)
                } catch let error as HTTPError where error.response?.status.code == 404 {}
            }
            return try tell(try await client.create(document.text, id: id), "created", file, document)
        } catch let conflict as HubClient.ConflictError {
            try await settle(conflict, id, file, document, client)
        } catch let error as HTTPError where error.response?.status.code == 409 {
            try await settle(nil, id, file, document, client)
        }
    }

    /// Handles a document that is not an edit of the hub's revision.
    nonisolated(nonsending) private func settle(
        _ conflict: HubClient.ConflictError?,
        _ id: String,
        _ file: DocumentFile,
        _ document: StreamDocument,
        _ client: HubClient
    ) async throws {
        let current = try await client.document(id)
        if current.text == document.text {
            return try tell(current.revision, "unchanged", file, document, id)
        }
        guard force else {
            var plan = conflict?.plan?.steps ?? []
            if plan.isEmpty { plan = try await client.plan(of: id, replacedWith: document.text).steps }
            throw Failure(code: .no, message: Self.told(current, plan, file, document))
        }
        do {
            let head = try await client.replace(id, with: document.text, at: current.revision)
            try tell(head, "replaced", file, document)
        } catch is HubClient.ConflictError {
            throw Failure(code: .no, message: "\(file.name): error: others write it at this moment: try again")
        }
    }

    /// Both documents, and what one would do to the other.
    private static func told(
        _ current: HubClient.Document,
        _ plan: [StreamPlan.Step],
        _ file: DocumentFile,
        _ document: StreamDocument
    ) -> String {
        func indented(_ text: String) -> String {
            text.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        }
        let edited = document.revision.map { "an edit of revision \($0)" } ?? "no edit of it: it names no revision"
        return """
            \(file.name): error: the hub has revision \(current.revision), and this is \(edited)
              hint: pull it and make the edit there, or --force
              revision \(current.revision), as the hub has it:
            \(indented(current.text))
              this:
            \(indented(document.text))
              what this would do:
            \(indented(plan.map(\.description).joined(separator: "\n")))
            """
    }

    private func tell(
        _ head: HubClient.Head,
        _ done: String,
        _ file: DocumentFile,
        _ document: StreamDocument
    ) throws {
        try tell(head.revision, done, file, document, head.id)
        // Stored, and not run: unknown parts. The file has them elsewhere than the hub, which may have added an id.
        let own = document.errors?.errors.map { $0.diagnostic(file: file.name) }
        for line in own ?? (head.errors ?? []).map({ $0.diagnostic(file: file.name) }) {
            Output.error(line.replacing(": error: ", with: ": warning: ", maxReplacements: 1))
        }
    }

    /// Says what was done, and has the file name it.
    private func tell(
        _ revision: Int,
        _ done: String,
        _ file: DocumentFile,
        _ document: StreamDocument,
        _ id: String
    ) throws {
        try Output.line("\(file.name): \(done) \(id), revision \(revision)")
        guard update, file.path != "-", document.id != id || document.revision != revision else { return }
        guard let text = try? DocumentFile.naming(id, revision, in: document.text) else { return }
        try file.write(text)
    }
}
#endif
