#if Command
import ArgumentParser
import Foundation
import SluiceRuns
import SluiceStore
import SluiceStreams

#if NATS
import SluiceNATS
#endif

/// `sluice migrate`
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give the streams of a hub's file to the hubs that share NATS.",
        discussion: """
            End the hub first. Its documents are copied with their histories, and its groups with their streams; \
            nothing in the file changes. Then start it with the same --store and --nats: its runs, checkpoints, and \
            deliveries continue. Nothing that the bucket has is replaced: a document of the same id there is an \
            error. The command can be repeated.

            With --group, the runs of the group's streams move too: their checkpoints, and what their sinks have still to \
            deliver, become those of the workers of the group, and the file has them no more. No worker of the group may be \
            at work then.
            """
    )

    @Option(help: "The SQLite file with the streams.", completion: .file())
    var store: String?

    @Option(help: "The group whose runs move to its workers; without it, all runs stay in the file.")
    var group: String?

    @OptionGroup(title: "NATS")
    var nats: NATSArguments

    func validate() throws {
        if group?.isEmpty == true { throw ValidationError("--group takes the name of a group") }
        if nats.address == nil { throw ValidationError("--nats is missing: the address of the NATS servers") }
    }

    func run() async throws {
        try await exiting {
            let path = store ?? Serve.defaultStore
            guard FileManager.default.fileExists(atPath: path) else {
                throw Failure(code: .usage, message: "\(path): error: there is no such file")
            }
            do {
                let file = try SQLiteStreamStore(path: path, isExclusive: true)
                let place = nats.place ?? "NATS"
                #if NATS
                var host = StreamHost()
                let definitions = try await nats.bucketOfDefinitions(&host)
                var migration: RunMigration?
                if let group { migration = try await .open(definitions, group: group, replicas: nats.replicas) }
                #else
                var host = StreamHost()
                let definitions = try await nats.definitions(&host)
                #endif
                let count = try await SharedStreamStore.migrate(file, to: definitions)
                try Output.line("\(count) \(count == 1 ? "document" : "documents") from \(path) to \(place)")
                #if NATS
                if let group, let migration { try await move(group, file, by: migration, to: place) }
                #endif
            } catch let error as StoreError {
                throw Failure(code: .usage, message: "\(error.path ?? path): error: \(error.reason)")
            }
        }
    }

    #if NATS
    /// Gives the runs of a group's streams to its workers.
    private func move(_ group: String, _ file: SQLiteStreamStore, by migration: RunMigration, to place: String)
        async throws
    {
        let members = try await file.groups().first { $0.name == group }?.streams
        guard group == "all" || members != nil else {
            throw Failure(code: .usage, message: "error: the file has no group '\(group)'")
        }
        var streams = members ?? []
        if members == nil { streams = try await file.list().map(\.id) }
        var (moved, hasRefused) = (0, false)
        for stream in streams {
            switch try await migration.move(stream, from: file) {
            case .moved: moved += 1
            case .nothing: break
            case .refused(let reason):
                hasRefused = true
                Output.error("\(stream): error: its run stays in the file: \(reason)")
            }
        }
        try Output.line("\(moved) \(moved == 1 ? "run" : "runs") to the workers of the group \(group) at \(place)")
        if hasRefused { throw ExitCode.no }
    }
    #endif
}
#endif
