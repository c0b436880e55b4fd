#if Hub
public import Logging
public import SluiceConnect
public import SluiceRuns
public import SluiceStreams

/// The settings of a hub.
public struct HubSettings: Sendable {
    /// The policy for restarting failed runs.
    public var restart = RestartPolicy.never
    /// A Boolean value that indicates whether runs continue after the hub was ended or killed.
    public var isDurable = true
    /// A Boolean value that indicates whether the hub starts without resuming any run. Time stops for each run until it
    /// is started.
    public var isPaused = false
    /// The retention of old revisions and outputs.
    public var retention = Retention()
    /// The sources that the program has registered for the streams of the hub.
    public var host = StreamHost()
    /// The hosts that streams may reach over HTTP (`poll`, `request`, `events`, and the sink `post`); none by default.
    public var allowedHosts: [AllowedHost] = []
    /// The path of the folder whose files streams may read with the source `lines`, and write with the sink `lines`; `nil`
    /// for none.
    public var filesFolder: String?
    /// The secrets that documents may name.
    public var secrets = Secrets()
    /// The token that every request needs, with the rights of an `admin`; `nil` for no token, on loopback only.
    ///
    /// A hub that others can reach (`host` is not loopback, or there are ``proxies``) refuses a token of fewer than
    /// ``shortestToken`` characters.
    public var token: String?
    /// The host names to which the hub answers, besides those of loopback and the address that it is bound to: names
    /// without a port.
    public var names: [String] = []
    /// The addresses of proxies in front of the hub. `X-Forwarded-For` and `X-Forwarded-Proto` are read only in requests
    /// that come from one of them.
    public var proxies: [ProxyAddress] = []
    /// The certificate and key with which the hub speaks https; `nil` for plain http.
    public var tls: TLSFiles?
    /// The workers of the cluster whose documents the hub shares, which it shows and drains; `nil` without a cluster.
    public var workers: (any WorkerDirectory)?
    /// The outputs of streams that run on other hubs of the cluster and on its workers, which `subscribe` reads; `nil` without a
    /// cluster.
    public var sharedOutputs: (any SharedOutputs)?
    /// The logger of the hub.
    public var logger: Logger
    /// The limits of the hub.
    public var limits = HubLimits()
    /// The time for which the lease of a stream is valid, in nanoseconds.
    package var leaseDuration = StreamLease.duration

    /// Makes settings: on loopback, without a token, with nothing of the outside world.
    public init() {
        logger = Logger(label: "sluice")
        logger.logLevel = .error
    }

    /// The fewest characters of a token on a hub that others reach.
    public static let shortestToken = 16

    /// Returns a random token of 256 bits in hexadecimal.
    public static func makeToken() -> String { RandomToken.make() }
}

/// The limits of a hub.
public struct HubLimits: Sendable, Hashable {
    /// The longest body of a request, in bytes.
    public var bodySize = 1 << 20
    /// The longest body of an import, in bytes.
    public var importSize = 64 << 20
    /// The largest number of documents.
    public var documents = 20_000
    /// The largest size of all documents together, in bytes.
    public var totalSize = 256 << 20
    /// The largest number of operators and sources in one document, nested streams included.
    public var operators = 1000
    /// The largest number of values and subscriptions in a run at one instant; a run that exceeds it fails.
    public var eventsPerInstant = 100_000
    /// The most bytes of events that are kept of one run for subscribers that come later; the oldest are dropped.
    public var eventRing = 8 << 20
    /// The most bytes of events that are kept of all runs together; beyond it, each run keeps at most its share.
    public var eventRings = 64 << 20
    /// The most bytes of events that wait for one subscriber; one that is further behind is cut off.
    public var backlog = 8 << 20
    /// The most bytes of events that wait for all subscribers together; beyond it, subscribers with more than their share
    /// are cut off.
    public var backlogs = 64 << 20
    /// The largest value that a stage may pass on, in bytes; a run fails at a larger one.
    public var valueSize = 1 << 20
    /// The largest state of a run, in bytes; a run fails beyond it.
    public var stateSize = 16 << 20
    /// The largest backlog of a run that the store has not accepted yet, in bytes; a run waits at the bound.
    public var backlogSize = 16 << 20
    /// The memory of all runs together, in bytes; beyond it, runs fail that hold more than their share.
    public var runsMemory = 256 << 20
    /// The most connections at once. The hub takes fewer where the process may not open as many files.
    public var connections = 4096
    /// The most connections at once from one address, or from one network of 64 bits of version 6. A new connection takes
    /// the place of the one that has been idle longest; where none is idle, it is closed. Proxies are not counted.
    public var connectionsPerAddress = 1536
    /// The largest number of streams, and of sinks, that have figures of their own in `GET /metrics`; the figures of the
    /// others are added up.
    public var metricStreams = 500
    /// The most requests to webhooks in a second from one address, and twice as many at once.
    public var webhooksPerSecond = 1000
    /// The longest time that a connection may be idle before its request is complete, and between two requests.
    public var idleTime = Duration.seconds(60)
    /// The time that requests in flight have to complete during a shutdown.
    public var endTime = Duration.seconds(5)
    /// The longest time that an orderly shutdown may take, storing included, before the process ends.
    public var shutdownTime = Duration.seconds(20)
    /// The longest time that a subscriber may read nothing while events wait, before its connection is closed.
    public var patience = Duration.seconds(30)
    /// The longest time that the trial of a source may take until its first item.
    public var trialTime = Duration.seconds(10)
    /// The largest number of subscribers to events.
    public var subscribers = 2048
    /// The largest number of members of a group.
    public var members = 1000
    /// The largest number of groups.
    public var groups = 1000

    /// Makes limits.
    public init() {}
}

extension HubSettings {
    /// Checks that a hub has the token that it needs.
    ///
    /// - Parameter host: the address that the hub is bound to.
    /// - Throws: ``HubError/notLoopback(_:)`` for a hub that others can reach without a token, ``HubError/shortToken`` for a
    ///   token that is too short.
    public func checkToken(host: String) throws(HubError) {
        let isLoopback = HubServer.loopback.contains(host)
        guard let token, !token.isEmpty else {
            if !isLoopback { throw .notLoopback(host) }
            return
        }
        if !isLoopback || !proxies.isEmpty, token.count < Self.shortestToken { throw .shortToken }
    }
}
#endif
