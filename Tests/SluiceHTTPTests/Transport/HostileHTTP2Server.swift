#if HTTP
import NIOCore
import NIOPosix
import NIOSSL

/// A server on loopback that speaks HTTP/2 over TLS with frames from a test, including those that no library would
/// send.
final class HostileHTTP2Server: Sendable {
    /// A frame of HTTP/2 (RFC 9113, 4.1) without its stream.
    struct Frame: Sendable {
        var type: UInt8
        var flags: UInt8 = 0
        var payload: [UInt8] = []
        /// A Boolean value that indicates whether the frame belongs to the connection, not to the request's stream.
        var isAboutConnection = false

        /// Returns a head whose only field is a status, which may be the whole answer.
        static func status(_ status: String, endsStream: Bool = false) -> Frame {
            fields([(":status", status)], endsStream: endsStream)
        }

        /// Returns a head of these fields, none of them longer than 126 bytes, as literals with new names (RFC 7541,
        /// 6.2.2).
        static func fields(_ fields: [(name: String, value: String)], endsStream: Bool = false) -> Frame {
            let payload = fields.flatMap { field in
                [0, UInt8(field.name.utf8.count)] + field.name.utf8 + [UInt8(field.value.utf8.count)] + field.value.utf8
            }
            return Frame(type: 1, flags: endsStream ? 5 : 4, payload: payload)
        }

        /// Returns a piece of a body, which may be the last one.
        static func data(_ text: String, endsStream: Bool = true) -> Frame {
            Frame(type: 0, flags: endsStream ? 1 : 0, payload: Array(text.utf8))
        }

        /// The end of an aborted stream.
        static let reset = Frame(type: 3, payload: [0, 0, 0, 8])

        /// The end of a stream whose request the server has not processed: REFUSED_STREAM.
        static let refused = Frame(type: 3, payload: [0, 0, 0, 7])

        /// Returns the announcement that the server has processed no stream after `lastStream`, and accepts no more:
        /// GOAWAY.
        static func goAway(lastStream: UInt8) -> Frame {
            Frame(type: 7, payload: [0, 0, 0, lastStream, 0, 0, 0, 0], isAboutConnection: true)
        }

        /// A mark that closes the connection instead of sending a frame.
        static let end = Frame(type: 255)

        fileprivate func bytes(stream: UInt32) -> [UInt8] {
            let length = UInt32(payload.count)
            let head = [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags]
            return head + (0..<4).map { UInt8(stream >> (24 - 8 * $0) & 0xFF) } + payload
        }
    }

    private let channel: any Channel
    private let accepted: Counter
    let port: Int

    /// The number of connections that were made.
    var connections: Int { accepted.value }

    /// Listens on a free port.
    ///
    /// - Parameter answer: a closure that returns the frames of an answer; called on an event loop for each request,
    ///   with the number of earlier ones.
    init(_ answer: @escaping @Sendable (_ number: Int) -> [Frame]) async throws {
        let certificate = try NIOSSLCertificate(bytes: Array(Self.certificate.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(Self.key.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)],
            privateKey: .privateKey(key)
        )
        configuration.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: configuration)
        let requests = Counter()
        let accepted = Counter()
        self.accepted = accepted
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                _ = accepted.next()
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.addHandler(Handler { answer(requests.next() - 1) })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    func stop() async throws { try await channel.close() }

    /// A handler that reads frames, and answers those that begin a request.
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: () -> [Frame]
        private var received: [UInt8] = []
        private var hasBegun = false

        init(_ answer: @escaping () -> [Frame]) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += unwrapInboundIn(data).readableBytesView
            if !hasBegun {
                let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8
                guard received.count >= preface.count else { return }
                received.removeFirst(preface.count)
                hasBegun = true
                send([Frame(type: 4)], stream: 0, context)
            }
            while received.count >= 9 {
                let end = 9 + received[0..<3].reduce(0) { $0 << 8 | Int($1) }
                guard received.count >= end else { return }
                let stream = received[5..<9].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
                switch (received[3], received[4] & 1) {
                case (1, _): send(answer(), stream: stream, context)
                case (4, 0): send([Frame(type: 4, flags: 1)], stream: 0, context)
                case (6, 0): send([Frame(type: 6, flags: 1, payload: Array(received[9..<end]))], stream: 0, context)
                default: break
                }
                received.removeFirst(end)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func send(_ frames: [Frame], stream: UInt32, _ context: ChannelHandlerContext) {
            let bytes = frames.filter { $0.type != Frame.end.type }.flatMap {
                $0.bytes(stream: $0.isAboutConnection ? 0 : stream)
            }
            let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)))
            guard frames.last?.type == Frame.end.type else { return }
            let channel = context.channel
            written.whenComplete { _ in channel.close(promise: nil) }
        }
    }

    // This is only for tests: made with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes
    // -days 36500 -subj /CN=localhost`. No client trusts it.
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBlTCCATugAwIBAgIUScZdqxtJ43rqdYvj1nPByH5htzIwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTIxMzgzOVoYDzIxMjYxMDI4
        MjEzODM5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAARH/12WjiuEyyC9i3g5arwFzTjCJceCMzMtsMi0/vGcbZKnh9nljn9d
        NEXXsxJTp9kO4ti3tRXoPy79SOSA7gyzo2kwZzAdBgNVHQ4EFgQUaNfzVKld450J
        nZjgeE5MdubAGkkwHwYDVR0jBBgwFoAUaNfzVKld450JnZjgeE5MdubAGkkwDwYD
        VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
        SAAwRQIgCgZz8sQxkr/ezio60KD4M3bR0dRkNzeYeQOvA/cydp0CIQCslBSpnwd4
        T789ILiJ0+KOaGn7sPAPWOJsMOwKlmPrVg==
        -----END CERTIFICATE-----
        """
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgohgIJOMPfKbuO0S8
        uD9EfA+laXz+ZSyC+wwJVXVgyO6hRANCAARH/12WjiuEyyC9i3g5arwFzTjCJceC
        MzMtsMi0/vGcbZKnh9nljn9dNEXXsxJTp9kO4ti3tRXoPy79SOSA7gyz
        -----END PRIVATE KEY-----
        """
}
#endif
