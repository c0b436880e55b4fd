#if HTTP
/// An event of a connection of an ``HTTPTransport``, or of an exchange over one.
///
/// ```swift
/// var settings = HTTPTransport.Settings()
/// settings.onEvent = { print($0) }
/// // connection 1: connected to 127.0.0.1:8080, HTTP/1.1
/// // connection 1: GET /users/ada was sent
/// // connection 1: the first byte of the answer arrived
/// // connection 1: the answer ended
/// // connection 1: closed
/// ```
///
/// The events are those that AsyncHTTPClient lets handlers of a connection see: `connected` comes after the name was
/// resolved and TCP, the proxy, and TLS are ready, which it doesn't tell apart.
public struct ConnectionEvent: Sendable, CustomStringConvertible {
    /// The kinds of events.
    public enum Kind: Sendable, Hashable {
        /// A connection is ready for requests.
        case connected
        /// The head of a request was sent: its method and the path of its address, without a query. `isReused` is `true`
        /// for a connection that has carried an answer before.
        case sent(method: String, path: String, isReused: Bool)
        /// The first byte of the answer arrived; over HTTP/2, its head.
        case firstByte
        /// The answer ended.
        case ended
        /// The exchange ended before its answer did: it was canceled, or it failed.
        case brokenOff
        /// The connection was closed, by either side.
        case closed
    }

    /// The kind of the event.
    public let kind: Kind
    /// The number of the connection, unique in the process.
    public let connection: Int
    /// The version of HTTP, `HTTP/1.1` or `HTTP/2`.
    public let version: String
    /// The IP address and port of the server, or of the proxy.
    public let address: String
    /// The time of the event.
    public let time: ContinuousClock.Instant

    /// A description for people.
    public var description: String {
        let text =
            switch kind {
            case .connected: "connected to \(address), \(version)"
            case .sent(let method, let path, let isReused):
                "\(method) \(path) was sent\(isReused ? " over a connection that was used before" : "")"
            case .firstByte: "the first byte of the answer arrived"
            case .ended: "the answer ended"
            case .brokenOff: "the exchange broke off"
            case .closed: "closed"
            }
        return "connection \(connection): \(text)"
    }
}

/// The state of the connections of an ``HTTPTransport``, and what they have carried.
public struct PoolMetrics: Sendable, Hashable {
    /// The connections that are open.
    public var open = 0
    /// The exchanges that are running: requests that were sent and whose answers have not ended.
    public var running = 0
    /// The calls that wait for a connection.
    public var waiting = 0
    /// The connections that were made so far.
    public var made = 0
    /// The requests that were sent so far.
    public var sent = 0
    /// The requests that were sent so far over a connection that had carried an answer before.
    public var reused = 0

    /// Makes metrics.
    public init(open: Int = 0, running: Int = 0, waiting: Int = 0, made: Int = 0, sent: Int = 0, reused: Int = 0) {
        (self.open, self.running, self.waiting) = (open, running, waiting)
        (self.made, self.sent, self.reused) = (made, sent, reused)
    }
}
#endif
