#if Command
import ArgumentParser
import Foundation
import SluiceRuns
import SluiceStore
import SluiceStreams

/// `sluice migrate`
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give the streams of a hub's file to the hubs that share NATS.",
        discussion: """
            End the hub first. Its documents are copied with their histories, and its groups with their streams; \
            nothing in the file changes. Then start it with the same --store and --nats: its runs, checkpoints, and \
            deliveries continue. Nothing that the bucket has is replaced: a document of the same id there is an \
            error. The command can be repeated.
            """
    )

    @Option(help: "The SQLite file with the streams.", completion: .file())
    var store: String?

    @OptionGroup(title: "NATS")
    var nats: NATSArguments

    func validate() throws {
        if nats.address == nil { throw ValidationError("--nats is missing: the address of the NATS servers") }
    }

    func run() async throws {
        try await exiting {
            let path = store ?? Serve.defaultStore
            guard FileManager.default.fileExists(atPath: path) else {
                throw Failure(code: .usage, message: "\(path): error: there is no such file")
            }
            do {
                var host = StreamHost()
                let definitions = try await nats.definitions(&host)
                let count = try await SharedStreamStore.migrate(
                    SQLiteStreamStore(path: path, isExclusive: true),
                    to: definitions
                )
                try Output.line(
                    "\(count) \(count == 1 ? "document" : "documents") from \(path) to \(nats.place ?? "NATS")"
                )
            } catch let error as StoreError {
                throw Failure(code: .usage, message: "\(error.path ?? path): error: \(error.reason)")
            }
        }
    }
}
#endif
