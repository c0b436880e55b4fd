#if Hub
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// The connections of a hub: HTTP/1.1, over TLS where there is a certificate, which may be replaced while the hub runs.
struct HubChannel: HTTPChannelHandler {
    typealias Value = HTTP1Channel.Value

    private let base: HTTP1Channel
    private let tls: TLSCertificate?

    init(_ base: HTTP1Channel, tls: TLSCertificate?) {
        self.base = base
        self.tls = tls
    }

    var responder: HTTPChannelHandler.Responder { base.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let prepared = channel.eventLoop.makeCompletedFuture {
            guard let tls else { return }
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls.context))
        }
        return prepared.flatMap { base.setup(channel: channel, logger: logger) }.map { value in
            // A server that ends drops the connections that it has accepted and not handled yet. NIO stops the process
            // if the writer of a connection that is open is released, so that each one is kept until it is closed.
            channel.closeFuture.whenComplete { _ in withExtendedLifetime(value) {} }
            return value
        }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
#endif
