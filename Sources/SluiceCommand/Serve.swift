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

    @Option(help: "The SQLite file with the streams.")
    var store: String?

    @Option(help: "Resume failed runs from their last checkpoint, after 1 to 60 seconds: never or on-failure.")
    var restart = Restart.never

    @Flag(help: "Resume no run: those that were running stand still until somebody starts them.")
    var paused = false

    @Option(help: "The most bytes of events that are kept of one run for those that subscribe later.")
    var eventRing = HubLimits().eventRing

    @Option(help: "The most bytes of events that wait for one subscriber, before it is cut off.")
    var backlog = HubLimits().backlog

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
        if !HubServer.loopback.contains(host), safety.givenToken == nil {
            throw ValidationError("\(HubError.notLoopback(host))")
        }
        if store?.isEmpty == true { throw ValidationError("--store takes the path of a file") }
        guard eventRing > 0, backlog > 0 else {
            throw ValidationError("--event-ring and --backlog must be at least 1")
        }
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
                (settings.limits.eventRing, settings.limits.backlog) = (eventRing, backlog)
                let store = try SQLiteStreamStore(path: path, isExclusive: true)
                if store.isReadOnly {
                    let reason = StoreError(.readOnly, path: path).reason
                    Output.error("\(path): warning: \(reason); until then nothing that is changed is kept")
                }
                let server = HubServer(
                    store: store,
                    host: host,
                    port: port,
                    settings: settings
                )
                let name = host.contains(":") ? "[\(host)]" : host
                let isInterrupted = try await server.run { port in
                    try? Output.line("Sluice serves http://\(name):\(port)/ from \(path)")
                }
                if isInterrupted { throw ExitCode.interrupted }
            } catch let error as StoreError {
                throw Failure(code: .usage, message: "\(error.path ?? path): error: \(error.reason)")
            } catch let error as HubError {
                throw Failure(code: .unavailable, message: "serve: error: \(error)")
            }
        }
    }

    /// The user's own data, by the XDG base directory specification.
    private static var defaultStore: String {
        let environment = ProcessInfo.processInfo.environment
        let data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share").path
        return data + "/sluice/hub.sqlite"
    }
}
