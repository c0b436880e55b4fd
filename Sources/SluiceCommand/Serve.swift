#if Command
import ArgumentParser
import Foundation
import SluiceHub
import SluiceStore

/// `sluice serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the hub: a page and an HTTP API over stored streams.",
        discussion: "An empty store is given streams to look at. Interrupt it (Ctrl-C) to end it."
    )

    @Option(help: "The address to listen on: one of loopback, or, with a token, any.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes one that is free.")
    var port = 8080

    @Option(help: "The SQLite file with the streams.", completion: .file())
    var store: String?

    @Option(help: "Resume failed runs from their last checkpoint, after 1 to 60 seconds: never or on-failure.")
    var restart = Restart.never

    @Flag(help: "Start without resuming runs; each run is resumed with a command.")
    var paused = false

    @Option(help: "The most bytes of events that are kept of one run for those that subscribe later.")
    var eventRing = HubLimits().eventRing

    @Option(help: "The most bytes of events that are kept of all runs; beyond it, each keeps at most its share.")
    var eventRings = HubLimits().eventRings

    @Option(help: "The most bytes of events that wait for one subscriber, before it is cut off.")
    var backlog = HubLimits().backlog

    @Option(help: "The most bytes of events that wait for all subscribers, before the slow ones are cut off.")
    var backlogs = HubLimits().backlogs

    @Option(help: "The most streams, and sinks, with figures of their own in GET /metrics; 0 for none.")
    var metricStreams = HubLimits().metricStreams

    @OptionGroup(title: "NATS")
    var nats: NATSArguments

    @OptionGroup(title: "Safety")
    var safety: SafetyArguments

    @OptionGroup(title: "Limits")
    var limits: LimitArguments

    /// The treatment of a run that fails.
    enum Restart: String, ExpressibleByArgument, CaseIterable {
        case never
        case onFailure = "on-failure"

        var policy: RestartPolicy {
            switch self {
            case .never: .never
            case .onFailure: .onFailure(from: .seconds(1), to: .seconds(60))
            }
        }
    }

    func validate() throws {
        var settings = HubSettings()
        try safety.apply(to: &settings)
        do { try settings.checkToken(host: host) } catch { throw ValidationError("\(error)") }
        if store?.isEmpty == true { throw ValidationError("--store takes the path of a file") }
        guard min(eventRing, eventRings, backlog, backlogs) > 0 else {
            throw ValidationError("--event-ring, --event-rings, --backlog, and --backlogs must be at least 1")
        }
        guard metricStreams >= 0 else { throw ValidationError("--metric-streams takes a number from 0") }
        guard (0...65535).contains(port) else { throw ValidationError("--port takes a number from 0 to 65535") }
    }

    func run() async throws {
        try await exiting {
            let path = store ?? Self.defaultStore
            do {
                var settings = HubSettings()
                try safety.apply(to: &settings)
                limits.apply(to: &settings)
                settings.restart = restart.policy
                settings.isPaused = paused
                (settings.limits.eventRing, settings.limits.eventRings) = (eventRing, eventRings)
                settings.limits.metricStreams = metricStreams
                (settings.limits.backlog, settings.limits.backlogs) = (backlog, backlogs)
                let store = try SQLiteStreamStore(path: path, isExclusive: true)
                if store.isReadOnly {
                    let reason = StoreError(.readOnly, path: path).reason
                    Output.error("\(path): warning: \(reason); until then nothing that is changed is kept")
                }
                let shared = try await nats.sharing(store, &settings) { Output.error("serve: warning: \($0)") }
                let server = HubServer(
                    store: shared,
                    host: host,
                    port: port,
                    settings: settings
                )
                let place = nats.place.map { "\($0) and \(path)" } ?? path
                let name = host.contains(":") ? "[\(host)]" : host
                let scheme = settings.tls == nil ? "http" : "https"
                let link = safety.makesToken ? settings.token : nil
                let isInterrupted = try await server.run { port in
                    try? Output.line("Sluice serves \(scheme)://\(name):\(port)/ from \(place)")
                    guard let link else { return }
                    // Behind a '#', where no server and no log sees it.
                    try? Output.line("Log in: \(scheme)://\(Self.reachable(host, safety.names)):\(port)/#token=\(link)")
                }
                if isInterrupted { throw ExitCode.interrupted }
            } catch let error as StoreError {
                throw Failure(code: .usage, message: "\(error.path ?? path): error: \(error.reason)")
            } catch let error as HubError {
                if case .badCertificate = error { throw Failure(code: .usage, message: "serve: error: \(error)") }
                throw Failure(code: .unavailable, message: "serve: error: \(error)")
            }
        }
    }

    /// Returns a name for links to a hub: of a hub that listens on all addresses, one of its names.
    private static func reachable(_ host: String, _ names: [String]) -> String {
        guard ["0.0.0.0", "::"].contains(host) else { return host.contains(":") ? "[\(host)]" : host }
        return names.first ?? "localhost"
    }

    /// The path of the store when the command names none.
    static var defaultStore: String { UserFolder.data.path + "/sluice/hub.sqlite" }
}
#endif
