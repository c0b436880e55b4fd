public import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTPCompression
public import NIOSSL

extension HTTPTransport {
    /// The settings of a transport for connections, timeouts, and answers.
    ///
    /// ```swift
    /// var settings = HTTPTransport.Settings()
    /// settings.body = .streamed
    /// settings.connectionsPerHost = 32
    /// let transport = HTTPTransport(settings)
    /// ```
    public struct Settings: Sendable {
        /// The form of answers, complete or streamed; complete up to 64 MiB by default.
        public var body = BodyMode.whole(upTo: 64 << 20)
        /// The time limit for getting a connection, including a free place in the pool, name resolution, TCP, and TLS;
        /// 10 seconds by default.
        public var connectTimeout = Duration.seconds(10)
        /// The time limit without any bytes sent or received while waiting for an answer; 90 seconds by default, `nil`
        /// for no limit.
        ///
        /// It does not count the reader's own pauses: the time in which the next chunk of a streamed body is not
        /// requested.
        public var idleTimeout: Duration? = .seconds(90)
        /// The allowed versions of HTTP; by default HTTP/2 if the server offers it over TLS, otherwise HTTP/1.1.
        public var version = HTTPClient.Configuration.HTTPVersion.automatic
        /// The maximum number of HTTP/1.1 connections to one host; 8 by default. Further requests wait up to
        /// ``connectTimeout``.
        public var connectionsPerHost = 8
        /// The time for which an idle connection is kept; 60 seconds by default.
        public var connectionIdleTime = Duration.seconds(60)
        /// The TLS configuration: the trusted certificates and the client's own; `nil`, the default, trusts the
        /// system's.
        public var tls: TLSConfiguration?
        /// The proxy; `nil`, the default, uses no proxy.
        public var proxy: HTTPClient.Configuration.Proxy?
        /// The IP address to connect to for the name of a host, instead of the resolved one; the server is still
        /// addressed, and its certificate checked, by the name.
        public var addresses: [String: String] = [:]
        /// The decompression of bodies: whether compressed bodies are requested, and the limit of their decompressed
        /// size. By default 500 times the compressed size; identical lines reach half of that.
        public var decompression = Decompression.ratio(500)

        /// Makes the default settings.
        public init() {}

        /// The corresponding configuration of AsyncHTTPClient; its retries and redirects are off.
        var configuration: HTTPClient.Configuration {
            var configuration = HTTPClient.Configuration()
            configuration.tlsConfiguration = tls
            configuration.timeout = .init(connect: .init(connectTimeout), read: nil)
            configuration.connectionPool.idleTimeout = .init(connectionIdleTime)
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(connectionsPerHost, 1)
            configuration.connectionPool.retryConnectionEstablishment = false
            configuration.redirectConfiguration = .disallow
            configuration.httpVersion = version
            configuration.proxy = proxy
            configuration.dnsOverride = addresses
            configuration.decompression = decompression.configuration
            let idleTimeout = idleTimeout.map { TimeAmount($0) }
            configuration.http1_1ConnectionDebugInitializer = { ExchangeGuard.add(to: $0, idleTimeout) }
            configuration.http2ConnectionDebugInitializer = { FrameErrorGuard.add(to: $0) }
            configuration.http2StreamChannelDebugInitializer = { ExchangeGuard.add(to: $0, idleTimeout) }
            return configuration
        }
    }

    /// The form of answers: complete or streamed.
    public enum BodyMode: Sendable, Hashable {
        /// Returned in memory when all of it has arrived; an answer with more bytes is an error.
        case whole(upTo: Int)
        /// Returned as soon as the head has arrived; the body arrives while it is read.
        case streamed
    }

    /// The limit for the size of a decompressed body.
    public enum Decompression: Sendable, Hashable {
        /// No decompression: compressed bodies are not requested, and are returned as they arrive.
        case off
        /// The maximum number of bytes.
        case bytes(Int)
        /// The maximum ratio to the compressed size.
        case ratio(Int)

        fileprivate var configuration: HTTPClient.Decompression {
            switch self {
            case .off: .disabled
            case .bytes(let bytes): .enabled(limit: .size(max(bytes, 0)))
            case .ratio(let ratio): .enabled(limit: .ratio(max(ratio, 1)))
            }
        }
    }
}

extension TimeAmount {
    /// Converts a duration; more than a hundred years counts as a hundred, and a negative one as zero.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = min(max(duration, .zero), .seconds(3_155_760_000)).components
        self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
