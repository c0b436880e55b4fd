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
        abstract: "Store streams and filter stacks in a hub.",
        discussion: """
            A document that the hub does not have is created. Another one replaces the hub's if it contains the hub's
            revision. Otherwise nothing is stored, both are shown with the effects of the edit, and the command ends with
            1. The id and the revision that the hub assigns are written to the file.
            """
    )

    @OptionGroup var hub: HubArguments

    @Argument(help: "The documents; - is standard input.", completion: .file())
    var files: [String]

    @Flag(help: "Replace the hub's document whatever its revision; the history keeps it.")
    var force = false

    @Flag(inversion: .prefixedNo, help: "Write the id and the revision to the file.")
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
            return try tell(try await client.create(document.text, as: document.kind), "created", file, document)
        }
        do {
            if let revision = document.revision {
                do {
                    let head = try await client.replace(id, with: document.text, at: revision, as: document.kind)
                    return try tell(head, "replaced", file, document)
                } catch let error as HTTPError where error.response?.status.code == 404 {}
            }
            let head = try await client.create(document.text, id: id, as: document.kind)
            return try tell(head, "created", file, document)
        } catch let conflict as HubClient.ConflictError {
            try await settle(id, file, document, client, plan: conflict.plan)
        } catch let error as HTTPError where error.response?.status.code == 409 {
            do { try await settle(id, file, document, client, error) } catch let missing as HTTPError
                where missing.response?.status.code == 404
            {
                throw error  // a document of another kind has the id
            }
        }
    }

    /// Handles a document that is not an edit of the hub's revision.
    ///
    /// - Throws: `error` if the document is an edit of that revision, which the hub refused for another reason.
    nonisolated(nonsending) private func settle(
        _ id: String,
        _ file: DocumentFile,
        _ document: StreamDocument,
        _ client: HubClient,
        _ error: HTTPError? = nil,
        plan: StreamPlan? = nil
    ) async throws {
        let current = try await client.document(id, as: document.kind)
        if current.text == document.text {
            return try tell(current.revision, "unchanged", file, document, id)
        }
        if let error, current.revision == document.revision { throw error }
        guard force else {
            let effects: [String]
            switch document.kind {
            case .stream:
                var steps = plan?.steps ?? []
                if steps.isEmpty { steps = try await client.plan(of: id, replacedWith: document.text).steps }
                effects = steps.map(\.description)
            case .stack:
                let plan = try await client.stackPlan(of: id, replacedWith: document.text)
                effects = plan.change.map { ["\($0)"] } ?? plan.errors.map { $0.diagnostic(file: file.name) }
            }
            throw Failure(code: .no, message: Self.message(current, effects, file, document))
        }
        do {
            let head = try await client.replace(id, with: document.text, at: current.revision, as: document.kind)
            try tell(head, "replaced", file, document)
        } catch is HubClient.ConflictError {
            throw Failure(code: .no, message: "\(file.name): error: others write it at this moment: try again")
        }
    }

    /// Returns both documents, and the effects of replacing one with the other.
    private static func message(
        _ current: HubClient.Document,
        _ effects: [String],
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
            \(indented(effects.joined(separator: "\n")))
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
        let own = document.isStack ? [] : document.errors?.errors.map { $0.diagnostic(file: file.name) }
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

extension StreamDocument {
    /// The kind of the document in a hub.
    fileprivate var kind: HubClient.Kind { isStack ? .stack : .stream }
}
#endif
