#if HTTP
public import AsyncHTTPClient
public import CoreMetrics
import Foundation
import NIOCore
import NIOHTTPCompression
public import NIOSSL
public import Sluice
import Tracing

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
        /// The proxy of all requests, which comes before ``proxies``; `nil` by default.
        public var proxy: HTTPClient.Configuration.Proxy?
        /// The proxies by scheme and host; by default those of the environment variables `HTTPS_PROXY`, `http_proxy`,
        /// `ALL_PROXY`, and `NO_PROXY`. ``ProxyRules/none`` ignores the environment.
        public var proxies = ProxyRules.environment
        /// The public keys of servers by host: a connection over TLS to a host with pins is closed, before anything is
        /// sent over it, unless the server's certificate has one of these keys. A host is a name, or `*.` and a name for
        /// all names with one more part. Certificates are checked otherwise as well.
        public var pins: [String: Set<PublicKeyPin>] = [:]
        /// The IP address to connect to for the name of a host, instead of the resolved one; the server is still
        /// addressed, and its certificate checked, by the name.
        public var addresses: [String: String] = [:]
        /// The decompression of bodies: whether compressed bodies are requested, and the limit of their decompressed
        /// size. By default 500 times the compressed size; identical lines reach half of that. The codings are gzip and
        /// deflate, and `br` and `zstd` in a build with the traits `Brotli` and `Zstd`.
        public var decompression = Decompression.ratio(500)

        /// A closure that is called with each event of a connection, on the thread of the connection, which it must not
        /// block; `nil` by default.
        public var onEvent: (@Sendable (ConnectionEvent) -> Void)?
        /// The backend of swift-metrics for the metrics of the connections, such as `MetricsSystem.factory`; `nil`, the
        /// default, for none.
        public var metrics: (any MetricsFactory)?
        /// A filter around every exchange of the transport, which sees what is sent and what arrives; `nil`, the default,
        /// for none. A `Cassette` of SluiceTesting records and plays there.
        public var hook: (any SimpleFilter<TransportRequest, TransportResponse>)?

        /// Makes the default settings.
        public init() {}

        /// Sets the certificate with which the client identifies itself to servers that request one (mutual TLS), and
        /// its key; blocks while the files are read.
        ///
        /// ```swift
        /// var settings = HTTPTransport.Settings()
        /// try settings.setClientCertificate("client.pem", key: "client.key")
        /// ```
        ///
        /// - Parameters:
        ///   - path: the PEM file with the certificate, followed by those of intermediate authorities.
        ///   - key: the PEM file with the private key.
        ///   - authorities: the PEM file with the authorities that are trusted for certificates of servers; `nil`, the
        ///     default, leaves the trusted authorities as they are.
        /// - Throws: the error of swift-nio-ssl if a file can't be read.
        public mutating func setClientCertificate(_ path: String, key: String, authorities: String? = nil) throws {
            var tls = tls ?? .makeClientConfiguration()
            tls.certificateChain = try NIOSSLCertificate.fromPEMFile(path).map { .certificate($0) }
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
            if let authorities { tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorities)) }
            self.tls = tls
        }

        /// A Boolean value that indicates whether requests to different hosts may need different clients.
        var hasRoutes: Bool { !pins.isEmpty || proxy == nil && proxies != .none }

        /// Returns the pins for an address; `nil` without any. All patterns that match count.
        func pins(for url: URL) -> Set<PublicKeyPin>? {
            guard !pins.isEmpty, let host = url.host(percentEncoded: false) else { return nil }
            let name = HostName(host)
            let found = pins.filter { name.matches(pattern: $0.key) }.values
            return found.isEmpty ? nil : found.reduce(into: []) { $0.formUnion($1) }
        }

        /// Returns the corresponding configuration of AsyncHTTPClient; its retries and redirects are off.
        func configuration(
            _ monitor: ConnectionMonitor?,
            proxy: HTTPClient.Configuration.Proxy?,
            pins: Set<PublicKeyPin>?
        ) -> HTTPClient.Configuration {
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
            // Without a tracer of the program, the client would describe each request to one that does nothing.
            if configuration.tracing.tracer is NoOpTracer { configuration.tracing.tracer = nil }
            let idleTimeout = idleTimeout.map { TimeAmount($0) }
            configuration.http1_1ConnectionDebugInitializer = { channel in
                guard let pins else { return ExchangeGuard.add(to: channel, idleTimeout, monitor) }
                return pins.check(channel).flatMap { ExchangeGuard.add(to: channel, idleTimeout, monitor) }
            }
            configuration.http2ConnectionDebugInitializer = { channel in
                guard let pins else { return FrameErrorGuard.add(to: channel, monitor) }
                return pins.check(channel).flatMap { FrameErrorGuard.add(to: channel, monitor) }
            }
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
        /// The maximum ratio to the compressed size; with `br` and `zstd`, 1 MiB is always allowed.
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
#endif
