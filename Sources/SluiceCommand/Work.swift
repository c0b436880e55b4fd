#if Command
import ArgumentParser
import Foundation
import SluiceConnect
import SluiceRuns
import SluiceStreams

#if NATS
import SluiceNATS
#endif

/// `sluice work`
struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a share of the partitions of a group's streams, with other workers.",
        discussion: """
            The documents and groups are those of hubs that share them with serve --nats. Each worker of a group runs its \
            share of the streams' partitions; when one comes, leaves, or dies, the others divide its share, and continue \
            where it has stored something last. Interrupt it (Ctrl-C) to store its runs and to give its share up at once. A \
            note says which partitions the worker has.
            """
    )

    @OptionGroup var nats: NATSArguments

    @Option(help: "The group whose streams are run; all has every stream.")
    var group: String

    @Option(help: "The name of this worker for people; by default the name of the machine.")
    var name: String?

    @Option(help: "How many times in a row a stream that has failed is restarted; without this option, always.")
    var restarts: Int?

    @Option(
        help: """
            The seconds after which a worker without a sign of life has lost its share, 2 to 600; all workers of a cluster \
            have the same.
            """
    )
    var lease = 6.0

    @OptionGroup(title: "Safety")
    var connect: ConnectArguments

    @OptionGroup(title: "Limits")
    var limits: LimitArguments

    func validate() throws {
        if nats.address == nil { throw ValidationError("--nats takes the address of a NATS server") }
        if group.isEmpty { throw ValidationError("--group takes the name of a group") }
        if let restarts, restarts < 0 { throw ValidationError("--restarts takes a number from 0") }
        guard (2...600).contains(lease) else { throw ValidationError("--lease takes 2 to 600 seconds") }
    }

    #if NATS
    func run() async throws {
        try await exiting {
            var host = try connect.settings.host()
            let definitions = try await nats.bucketOfDefinitions(&host)
            var settings = ClusterWorker.Settings(group: group)
            settings.name = name ?? Follow.machineName
            settings.host = host
            settings.restart = .onFailure(from: .seconds(1), to: .seconds(60), maxRestarts: restarts ?? .max)
            settings.lease = .seconds(lease)
            settings.replicas = nats.replicas
            limits.apply(to: &settings)
            let (place, worker) = (nats.place ?? "NATS", ClusterWorker(definitions, settings))
            let work = Task { try await worker.run { notice in Self.tell(notice, place) } }
            let interrupt = Interrupt { work.cancel() }
            defer { interrupt.end() }
            do { try await work.value } catch is CancellationError { throw ExitCode.interrupted } catch {
                throw Failure(code: .unavailable, message: "\(place): error: \(error)")
            }
        }
    }

    private static func tell(_ notice: WorkerNotice, _ place: String) {
        switch notice {
        case .assigned(let units, let all, let workers):
            let count = workers == 1 ? "1 worker" : "\(workers) workers"
            let list = units.isEmpty ? "" : ": " + units.map(\.description).joined(separator: " ")
            Output.error("\(place): note: \(units.count) of \(all) partitions, \(count)\(list)")
        case .draining(true): Output.error("\(place): note: draining: the others take its partitions")
        case .draining(false): Output.error("\(place): note: it takes partitions again")
        case .failed(let unit, let error): Output.error("\(unit): error: \(error)")
        case .refused(let stream, let revision, let errors):
            Output.error("\(stream): error: revision \(revision) can't run: \(errors)")
        case .away(let reason): Output.error("\(place): note: away: \(reason)")
        case .back: Output.error("\(place): note: back")
        case .problem(let text): Output.error("\(place): note: \(text)")
        }
    }
    #else
    func run() async throws {
        var host = StreamHost()
        try await exiting { _ = try await nats.definitions(&host) }
    }
    #endif
}
#endif
