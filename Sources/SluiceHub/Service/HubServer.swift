#if Hub
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Sluice
import SluiceFilters
public import SluiceRuns

/// The hub: a page and an HTTP API over the streams of a store.
///
/// ```swift
/// let server = HubServer(store: try SQLiteStreamStore(path: "hub.sqlite"), port: 8080)
/// try await server.run { port in print("http://127.0.0.1:\(port)/") }
/// ```
public struct HubServer: Sendable {
    private let store: any StreamStore
    private let host: String
    private let port: Int
    private let settings: HubSettings

    /// Makes a hub.
    ///
    /// - Parameters:
    ///   - store: the store of the streams; an empty one gets the streams of the seed's program.
    ///   - host: the address to listen on: one of loopback (`127.0.0.1`, `::1` or `localhost`), or, where the settings have
    ///     a token, any.
    ///   - port: the port to listen on, from 1 to 65535; 0 takes one that is free.
    ///   - settings: the settings of the hub.
    public init(
        store: any StreamStore,
        host: String = "127.0.0.1",
        port: Int = 8080,
        settings: HubSettings = HubSettings()
    ) {
        self.settings = settings
        self.store = store
        self.host = host
        self.port = port
    }

    private static func certificate(_ files: TLSFiles?) async throws -> TLSCertificate? {
        guard let files else { return nil }
        return try await TLSCertificate(files)
    }

    private static func reload(_ tls: TLSCertificate, _ logger: Logger) async {
        do { try await tls.reload() } catch { logger.error("\(error): the previous certificate stays in use") }
    }

    /// The addresses that a hub may be bound to without a token.
    public static let loopback = ["127.0.0.1", "::1", "localhost"]

    /// Serves until the process is asked to end or the calling task is canceled. Open requests are completed in both
    /// cases.
    ///
    /// - Parameter onReady: called once with the hub's port when it accepts connections.
    /// - Returns: whether an interrupt (SIGINT, Ctrl-C) ended it, rather than SIGTERM.
    /// - Throws: ``HubError`` when the port is not available; `StoreError` when the store fails.
    @discardableResult
    public func run(onReady: @escaping @Sendable (Int) async -> Void) async throws -> Bool {
        try settings.checkToken(host: host)
        let tls = try await Self.certificate(settings.tls)
        let timer = CallTimer.of(.continuous)
        let runTimer = ThreadTimer(clock: { timer.now })
        var settings = settings
        settings.host = settings.outside()
        let name = String(UInt32.random(in: 0...UInt32.max), radix: 36)
        let hub = StreamHub(
            HubEnvironment(
                bus: EventBus(timer: timer, hub: name, limits: settings.limits),
                timer: timer,
                store: store,
                settings: settings,
                wallClock: { Date() },
                scheduler: RunScheduler(timer: runTimer),
                runTimer: runTimer
            )
        )
        try await hub.open()

        let logger = settings.logger
        let limits = settings.limits
        FileDescriptors.raise(to: limits.connections + FileDescriptors.reserve)
        let connections = FileDescriptors.connections(wanted: limits.connections)
        // If there is room for fewer connections than wanted, one address gets its share of them.
        let share = Double(connections) / Double(max(1, limits.connections))
        let routes = HubRoutes(hub: hub, settings: settings, host: host)
        try await routes.tokens.load()
        let table = ConnectionTable(
            limit: max(1, Int(Double(limits.connectionsPerAddress) * share)),
            total: ConnectionTable.total(of: connections),
            proxies: routes.proxies
        )
        let application = Application(
            router: routes.router(),
            server: HTTPServerBuilder { responder in
                let configuration = HTTP1Channel.Configuration(
                    additionalChannelHandlers: [ConnectionHandler(table, patience: TimeAmount(limits.idleTime))],
                    idleTimeout: TimeAmount(limits.idleTime)
                )
                return HubChannel(HTTP1Channel(responder: responder, configuration: configuration), tls: tls)
            },
            configuration: .init(
                address: .hostname(host, port: port),
                serverName: "sluice",
                availableConnectionsDelegate: MaximumAvailableConnections(connections)
            ),
            onServerRunning: { channel in
                try? await AcceptRest.add(to: channel)
                await onReady(channel.localAddress?.port ?? port)
            },
            logger: RequestLog.logger(logger)
        )
        var onHangup: (@Sendable () async -> Void)?
        if let tls { onHangup = { await Self.reload(tls, logger) } }
        let signals = SignalWatch(limit: settings.limits.shutdownTime, onHangup: onHangup)
        defer { signals.end() }
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: signals, successTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: application, successTerminationBehavior: .gracefullyShutdownGroup),
                // The last is ended first: event streams have to end before the server waits for its connections.
                .init(service: HubLife(hub: hub), successTerminationBehavior: .gracefullyShutdownGroup),
            ],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = settings.limits.endTime
        let group = ServiceGroup(configuration: configuration)
        do {
            try await group.run()
        } catch let error as IOError {
            throw HubError.cannotListen(host: host, port: port, reason: "\(error)")
        }
        return signals.isInterrupted
    }
}

/// Ends the hub's runs when the process is asked to end, and keeps connections open until then.
private struct HubLife: Service {
    let hub: StreamHub

    func run() async throws {
        // The hub listens already; requests are answered while runs are resumed.
        let resuming = Task { await hub.resumeAll() }
        let following = Task { await hub.follow() }
        let looking = Task { await hub.followWorkers() }
        let sharing = Task { await hub.around.subscriptions.shareOutputs() }
        defer {
            sharing.cancel()
            resuming.cancel()
            following.cancel()
            looking.cancel()
        }
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(15))
                await hub.tend()
            }
        }
        // A task of its own is not canceled when the time is over; the other services are.
        await Task { await hub.shutDown() }.value
    }
}

/// An error of a hub that can't serve.
public enum HubError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The address is not one of loopback, and there is no token.
    case notLoopback(String)
    /// Others can reach the hub, and its token has fewer than ``HubSettings/shortestToken`` characters.
    case shortToken
    /// The text is not the address of a proxy, or a range of addresses.
    case notProxy(String)
    /// The certificate or key can't be used.
    case badCertificate(path: String, reason: String)
    /// The port is not available.
    case cannotListen(host: String, port: Int, reason: String)

    /// A text that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .notLoopback(let host):
            "'\(host)' is not an address of loopback (\(HubServer.loopback.joined(separator: ", "))): a hub that others "
                + "reach needs a token (--token, or SLUICE_TOKEN in the environment)"
        case .shortToken:
            "the token has fewer than \(HubSettings.shortestToken) characters, and others can reach this hub: "
                + "openssl rand -hex 32 makes a longer one, and so does --token auto"
        case .notProxy(let text):
            "'\(text)' is not the address of a proxy: give an address or a range, such as 192.0.2.1 or 10.0.0.0/8"
        case .badCertificate(let path, let reason): "'\(path)' can't be used for https: \(reason)"
        case .cannotListen(let host, let port, let reason):
            "cannot listen on \(host):\(port): choose another port with --port (\(reason))"
        }
    }
}
#endif
