public import Logging
public import SluiceRuns
public import SluiceStreams

/// How a hub is to work.
public struct HubSettings: Sendable {
    /// When a run that has failed is begun anew.
    public var restart = RestartPolicy.never
    /// Whether runs go on after the hub was ended or killed.
    public var isDurable = true
    /// A Boolean value that indicates whether the hub starts without resuming any run: their time stands still until
    /// somebody starts them.
    public var isPaused = false
    /// How much of the past is kept.
    public var retention = Retention()
    /// What its streams may read of the outside world.
    public var host = StreamHost()
    /// What the streams may reach over HTTP (`poll`, `events`); nothing by default.
    public var allowedHosts: [AllowedHost] = []
    /// The folder whose files streams may read (`lines`), a path; `nil` for none.
    public var linesFolder: String?
    /// The token that every request has to bear, with the rights of an `admin`; `nil` for none, on loopback alone.
    ///
    /// A hub that others reach (`host` is not loopback, or there are ``proxies``) refuses one of fewer than
    /// ``shortestToken`` characters.
    public var token: String?
    /// Names by which the hub may be called, beside those of loopback and the address that it is bound to: host names
    /// without a port.
    public var names: [String] = []
    /// The addresses of proxies in front of the hub. `X-Forwarded-For` and `X-Forwarded-Proto` are read only in requests
    /// that come from one of them.
    public var proxies: [ProxyAddress] = []
    /// The certificate and key with which the hub speaks https; `nil` for plain http.
    public var tls: TLSFiles?
    /// Where the hub logs.
    public var logger: Logger
    /// How much it takes.
    public var limits = HubLimits()

    /// Makes settings: on loopback, without a token, with nothing of the outside world.
    public init() {
        logger = Logger(label: "sluice")
        logger.logLevel = .error
    }

    /// The fewest characters of a token on a hub that others reach.
    public static let shortestToken = 16

    /// Returns a token that nobody can guess: 256 random bits in hexadecimal.
    public static func makeToken() -> String { RandomToken.make() }
}

/// How much a hub takes of its clients.
public struct HubLimits: Sendable, Hashable {
    /// The longest body of a request, in bytes.
    public var bodySize = 1 << 20
    /// The longest body of an import, in bytes.
    public var importSize = 64 << 20
    /// How many documents there may be.
    public var documents = 20_000
    /// How long all documents together may be, in bytes.
    public var totalSize = 256 << 20
    /// How many operators and sources one document may have, streams within it counted.
    public var operators = 1000
    /// How many values and subscriptions there may be in a run at one instant; one that goes beyond fails.
    public var eventsPerInstant = 100_000
    /// The most bytes of events that are kept of one run for subscribers that come later; the oldest are dropped.
    public var eventRing = 8 << 20
    /// The most bytes of events that wait for one subscriber; one that is further behind is cut off.
    public var backlog = 8 << 20
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
    /// How long a connection may say nothing before its request is whole, and between two requests.
    public var idleTime = Duration.seconds(60)
    /// How long requests that are under way may take to their end when the hub is asked to end.
    public var endTime = Duration.seconds(5)
    /// The longest time that an orderly shutdown may take, storing included, before the process ends.
    public var shutdownTime = Duration.seconds(20)
    /// How long who listens to events may take nothing while something waits, before the connection is closed.
    public var patience = Duration.seconds(30)
    /// How many may listen to events at once.
    public var listeners = 2048
    /// How many members a group may have.
    public var members = 1000
    /// How many groups there may be.
    public var groups = 1000

    /// Makes limits.
    public init() {}
}

extension HubSettings {
    /// Checks that a hub has the token that it needs.
    ///
    /// - Parameter host: the address that the hub is bound to.
    /// - Throws: ``HubError/notLoopback(_:)`` for a hub that others reach without a token, ``HubError/shortToken`` for a
    ///   token that can be guessed.
    public func checkToken(host: String) throws(HubError) {
        let isLoopback = HubServer.loopback.contains(host)
        guard let token, !token.isEmpty else {
            if !isLoopback { throw .notLoopback(host) }
            return
        }
        if !isLoopback || !proxies.isEmpty, token.count < Self.shortestToken { throw .shortToken }
    }
}
