#if HTTP
import AsyncHTTPClient
import Foundation
import Sluice

/// The clients of a transport with their ownership: those that a transport made are shut down when its last user is
/// gone. There is one for each proxy, and for each set of pinned keys.
final class ClientLease: Sendable {
    /// The part of the settings in which clients of one transport differ.
    private struct Route: Hashable {
        var proxy: HTTPClient.Configuration.Proxy?
        var pins: Set<PublicKeyPin>?

        static let direct = Route()
    }

    /// The settings of clients that are made by the lease; `nil` for a borrowed client.
    private let settings: HTTPTransport.Settings?
    private let direct: HTTPClient
    private let others = Locked<[Route: HTTPClient]>([:])
    private let isOwned: Bool
    private let end = Locked(false)
    /// The counter of the connections; a borrowed client has none.
    let monitor: ConnectionMonitor?

    /// A Boolean value that indicates whether the connections have our handlers, which report more than AsyncHTTPClient
    /// does.
    var isGuarded: Bool { settings != nil }

    /// The limit of decompressed bodies; a borrowed client decompresses as its own configuration says.
    var decompression: HTTPTransport.Decompression { settings?.decompression ?? .off }

    /// A Boolean value that indicates whether ``shutdown()`` was called.
    var isShutDown: Bool { end.withLock { $0 } }

    /// The shared clients of the process, which are never shut down.
    static let shared = ClientLease(HTTPTransport.Settings(), isOwned: false)

    private init(_ settings: HTTPTransport.Settings, isOwned: Bool) {
        self.settings = settings
        self.isOwned = isOwned
        let monitor = ConnectionMonitor(settings.onEvent, settings.metrics.map { ConnectionMeters($0) })
        self.monitor = monitor
        direct = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: settings.configuration(monitor, proxy: settings.proxy, pins: nil)
        )
    }

    /// Makes clients of their own.
    convenience init(owning settings: HTTPTransport.Settings) { self.init(settings, isOwned: true) }

    init(borrowing client: HTTPClient) {
        settings = nil
        monitor = nil
        isOwned = false
        direct = client
    }

    deinit {
        // A client must be shut down before it is released; it retains itself until that is done.
        guard isOwned else { return }
        for client in clients { client.shutdown { [client] _ in _ = client } }
    }

    private var clients: [HTTPClient] { [direct] + others.withLock { Array($0.values) } }

    /// Returns the client for an address.
    ///
    /// - Throws: ``ProxyRulesError`` when the proxy for it is invalid.
    func client(for url: URL) throws -> HTTPClient {
        guard let settings, settings.hasRoutes else { return direct }
        var route = Route(proxy: settings.proxy)
        if settings.proxy == nil, settings.addresses[url.host ?? ""] == nil {
            route.proxy = try settings.proxies.proxy(for: url)
        }
        if url.scheme?.lowercased() == "https" { route.pins = settings.pins(for: url) }
        if route.pins == nil, route.proxy == settings.proxy { return direct }
        return others.withLock { others in
            if let client = others[route] { return client }
            let client = HTTPClient(
                eventLoopGroupProvider: .singleton,
                configuration: settings.configuration(monitor, proxy: route.proxy, pins: route.pins)
            )
            // A lease that was shut down must not leave a client behind that nobody shuts down.
            if isShutDown { client.shutdown { [client] _ in _ = client } }
            others[route] = client
            return client
        }
    }

    /// Closes the connections of owned clients; a second call does nothing.
    func shutdown() async {
        guard isOwned else { return }
        let isFirst = end.withLock { end in
            defer { end = true }
            return !end
        }
        guard isFirst else { return }
        for client in clients {
            await withCheckedContinuation { done in client.shutdown { _ in done.resume() } }
        }
    }
}
#endif
