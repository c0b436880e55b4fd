#if Command
import ArgumentParser
import SluiceHub
import SluiceRuns
import SluiceStore
import SluiceStreams

#if NATS
import SluiceNATS
#endif

/// The arguments that lead to the documents and groups that hubs share on NATS JetStream.
struct NATSArguments: ParsableArguments {
    @Option(
        name: .customLong("nats"),
        help: """
            The address of the NATS servers on which hubs share documents and groups, such as nats://127.0.0.1:4222, \
            or several, separated by commas; --store keeps the runs of this hub. It needs a build with the trait NATS.
            """
    )
    var address: String?

    @Option(name: .customLong("nats-bucket"), help: "The bucket of the documents and groups; it is created if needed.")
    var bucket = "sluice-definitions"

    @Option(
        name: .customLong("nats-replicas"),
        help: "The number of servers that keep a copy of a new bucket: 1, 3, or 5."
    )
    var replicas = 1

    @Option(
        name: .customLong("nats-credentials"),
        help: "The file with the credentials of a NATS user (.creds).",
        completion: .file()
    )
    var credentials: String?

    @Option(
        name: .customLong("nats-authorities"),
        help: "The file with the certificates (PEM) of the authorities to trust for tls://.",
        completion: .file()
    )
    var authorities: String?

    @Option(
        name: .customLong("nats-certificate"),
        help:
            "The file with the certificate (PEM) by which the NATS servers know this program; --nats-key names its key.",
        completion: .file()
    )
    var certificate: String?

    @Option(
        name: .customLong("nats-key"),
        help: "The file with the key (PEM) of --nats-certificate.",
        completion: .file()
    )
    var key: String?

    func validate() throws {
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--nats-certificate and --nats-key go together")
        }
        guard [1, 3, 5].contains(replicas) else { throw ValidationError("--nats-replicas takes 1, 3, or 5") }
        let isName =
            !bucket.isEmpty
            && bucket.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        guard isName else { throw ValidationError("--nats-bucket takes letters, digits, '-', and '_'") }
        if address?.isEmpty == true { throw ValidationError("--nats takes the address of a NATS server") }
    }

    /// Returns a store with the runs of a file and the documents and groups that hubs share; the file's own store where
    /// there is no address.
    ///
    /// - Parameters:
    ///   - runs: The store of the file.
    ///   - settings: The settings of the hub, which get the source `subject`, the sink `publish`, and the workers.
    ///   - report: A closure that is called when NATS is away, and when it is back.
    /// - Throws: `Failure` when the servers can't be reached, or the build has no NATS; `StoreError`.
    func sharing(
        _ runs: SQLiteStreamStore,
        _ settings: inout HubSettings,
        _ report: @escaping @Sendable (String) -> Void
    ) async throws -> any StreamStore {
        if address == nil { return runs }
        #if NATS
        let shared = try await bucketOfDefinitions(&settings.host)
        settings.workers = NATSWorkerDirectory(shared.connection)
        settings.sharedOutputs = NATSSharedOutputs(shared.connection, replicas: replicas)
        #else
        let shared = try await definitions(&settings.host)
        #endif
        return try await SharedStreamStore.open(shared, runs: runs, report: report)
    }

    #if NATS
    /// The address for people.
    var place: String? { address.map { "\(NATSSettings($0).shownAddress) (\(bucket))" } }

    /// Returns the documents and groups that hubs share.
    ///
    /// - Parameter host: The host of streams, in which the source `subject` and the sink `publish` are registered.
    /// - Throws: `Failure` when the servers can't be reached.
    func definitions(_ host: inout StreamHost) async throws -> any SharedDefinitionStore {
        try await bucketOfDefinitions(&host)
    }

    /// Returns the documents and groups that hubs share, as they are on NATS.
    func bucketOfDefinitions(_ host: inout StreamHost) async throws -> NATSDefinitionStore {
        guard let address else { throw Failure(code: .usage, message: "error: --nats is missing") }
        var settings = NATSSettings(address)
        (settings.credentials, settings.authorities) = (credentials, authorities)
        if let certificate, let key { settings.certificate = NATSSettings.Certificate(path: certificate, key: key) }
        let end = ContinuousClock.now.advanced(by: Self.patience)
        var isWaiting = false
        while true {
            do {
                let connection = try await NATSConnection.connect(settings)
                let store = try await NATSDefinitionStore.open(on: connection, bucket: bucket, replicas: replicas)
                host.registerSubject(over: connection)
                host.registerPublish(over: connection)
                return store
            } catch let error as NATSError {
                // Servers that elect a leader are ready soon. An address where nobody answers may be wrong.
                if case .unreachable = error {
                } else if error.isTemporary, ContinuousClock.now < end {
                    if !isWaiting { Output.error("\(settings.shownAddress): note: waiting for the servers: \(error)") }
                    isWaiting = true
                    try await Task.sleep(for: .milliseconds(250))
                    continue
                }
                throw Failure(code: .unavailable, message: "\(settings.shownAddress): error: \(error)")
            }
        }
    }

    /// The time for which servers may be not ready yet.
    private static let patience = Duration.seconds(30)
    #else
    /// The address for people.
    var place: String? { nil }

    /// Refuses: this build has no NATS.
    func definitions(_ host: inout StreamHost) async throws -> any SharedDefinitionStore {
        throw Failure(
            code: .usage,
            message:
                "error: this build has no NATS\n  hint: swift build -c release --product sluice --traits Command,NATS"
        )
    }
    #endif
}
#endif
