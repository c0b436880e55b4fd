public import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTPCompression
public import NIOSSL

extension HTTPTransport {
    /// How a transport connects, waits and answers.
    ///
    /// ```swift
    /// var settings = HTTPTransport.Settings()
    /// settings.body = .streamed
    /// settings.connectionsPerHost = 32
    /// let transport = HTTPTransport(settings)
    /// ```
    public struct Settings: Sendable {
        /// Whether answers come whole or in pieces; whole up to 64 MiB by default.
        public var body = BodyMode.whole(upTo: 64 << 20)
        /// How long to wait for a connection: for a free place in the pool, the name's address, TCP and TLS; 10 seconds
        /// by default.
        public var connectTimeout = Duration.seconds(10)
        /// How long nothing may come or go while an answer is waited for; 90 seconds by default, `nil` is for ever.
        ///
        /// It does not count while you are the one who is slow: while nobody asks for the next chunk of a streamed body.
        public var idleTimeout: Duration? = .seconds(90)
        /// Which versions of HTTP may be spoken; by default HTTP/2 where the server offers it over TLS, else HTTP/1.1.
        public var version = HTTPClient.Configuration.HTTPVersion.automatic
        /// How many connections of HTTP/1.1 one host gets; 8 by default. Further requests wait, as long as
        /// ``connectTimeout`` says.
        public var connectionsPerHost = 8
        /// How long a connection without a request is kept; 60 seconds by default.
        public var connectionIdleTime = Duration.seconds(60)
        /// Which certificates are trusted and shown; `nil`, the default, trusts what the system trusts.
        public var tls: TLSConfiguration?
        /// What stands between; `nil`, the default, is nothing.
        public var proxy: HTTPClient.Configuration.Proxy?
        /// Which IP address to connect to for the name of a host, in place of what the name resolves to; the server is still
        /// called, and its certificate checked, by the name.
        public var addresses: [String: String] = [:]
        /// Whether compressed bodies are asked for and decompressed; up to 500 times their size by default, which lines that
        /// are all alike reach half of.
        public var decompression = Decompression.ratio(500)

        /// The defaults.
        public init() {}

        /// The configuration of AsyncHTTPClient that does this: what it cannot do, retries and redirects, is off.
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

    /// Whether answers come whole or in pieces.
    public enum BodyMode: Sendable, Hashable {
        /// In memory, when all of it is there; an answer with more bytes is an error.
        case whole(upTo: Int)
        /// As soon as the head is there; the body arrives while it is read.
        case streamed
    }

    /// How far a compressed body may grow.
    public enum Decompression: Sendable, Hashable {
        /// Compressed bodies are not asked for, and given as they come.
        case off
        /// Up to so many bytes.
        case bytes(Int)
        /// Up to so many times the bytes that came.
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
    /// A duration; what is more than a hundred years is a hundred, what is below zero is none.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = min(max(duration, .zero), .seconds(3_155_760_000)).components
        self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
