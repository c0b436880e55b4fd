#if NATS
import CNATS

/// A connection to a NATS server with JetStream, over libnats.
///
/// A connection that breaks is made again until the connection is released; meanwhile requests fail with
/// ``NATSError/timedOut(request:)``, and ``state`` is ``State/reconnecting``. All methods that talk to the server block
/// their thread: callers that are asynchronous go through ``perform(_:)``.
public final class NATSConnection: Sendable {
    /// The state of a connection.
    public enum State: String, Sendable, Hashable {
        /// The server answers.
        case connected
        /// The connection is broken, and is being made again.
        case reconnecting
        /// The connection was closed.
        case closed
    }

    /// The settings that the connection was made with.
    public let settings: NATSSettings
    /// The connection of the library.
    ///
    /// `nonisolated(unsafe)`: it is set once, and the library locks every use of a connection. It is destroyed in `deinit`
    /// only, when no method of this class runs, since each of them holds `self`.
    private nonisolated(unsafe) let connection: OpaquePointer
    /// The context of JetStream, for which the same holds. It keeps the connection of the library.
    nonisolated(unsafe) let context: OpaquePointer
    /// The threads of the requests.
    private let calls = BlockingCalls(atOnce: 16)

    /// Connects to a server. Credentials that the server refuses are offered four times before that is an error.
    ///
    /// - Throws: ``NATSError/unreachable(address:reason:)``, ``NATSError/unauthorized(address:reason:)``,
    ///   ``NATSError/invalidSettings(reason:)``, or ``NATSError/noJetStream(reason:)``; ``NATSError/notReady(request:reason:)``
    ///   or ``NATSError/timedOut(request:)`` while the servers of a cluster elect a leader.
    public static func connect(_ settings: NATSSettings) async throws -> NATSConnection {
        try await BlockingCalls(atOnce: 1).perform { try NATSConnection(settings) }
    }

    /// Connects to a server; blocks the thread.
    init(_ settings: NATSSettings) throws(NATSError) {
        self.settings = settings
        let connection = try Self.open(settings)
        var context: OpaquePointer?
        var contextOptions = jsOptions()
        jsOptions_Init(&contextOptions)
        contextOptions.Wait = settings.timeout.wholeMilliseconds
        let contextStatus = natsConnection_JetStream(&context, connection, &contextOptions)
        guard contextStatus == NATS_OK, let context else {
            let reason = NATSError.lastReason(contextStatus)
            natsConnection_Destroy(connection)
            throw .noJetStream(reason: reason)
        }
        var code = jsErrCode(rawValue: 0)
        var account: UnsafeMutablePointer<jsAccountInfo>?
        let accountStatus = js_GetAccountInfo(&account, context, nil, &code)
        guard accountStatus == NATS_OK else {
            let error = NATSError.ofJetStream(accountStatus, code)
            jsCtx_Destroy(context)
            natsConnection_Destroy(connection)
            throw error
        }
        jsAccountInfo_Destroy(account)
        (self.connection, self.context) = (connection, context)
    }

    /// Opens a connection of the library.
    ///
    /// Credentials that are refused are offered again: libnats up to 3.4 leaves out a signature that begins with a zero byte,
    /// which is one of 256. The server has them sign another text each time.
    private static func open(_ settings: NATSSettings) throws(NATSError) -> OpaquePointer {
        OpenSSL.keepMemory()
        let options = try NATSOptions(settings)
        var attempts = settings.credentials == nil ? 1 : 4
        while true {
            attempts -= 1
            var connection: OpaquePointer?
            let status = natsConnection_Connect(&connection, options.pointer)
            if status == NATS_OK, let connection { return connection }
            let reason = NATSError.lastReason(status)
            switch status {
            case NATS_CONNECTION_AUTH_FAILED, NATS_NOT_PERMITTED:
                if attempts > 0 { continue }
                throw .unauthorized(address: settings.shownAddress, reason: reason)
            case NATS_SSL_ERROR, NATS_ADDRESS_MISSING, NATS_INVALID_ARG, NATS_SECURE_CONNECTION_REQUIRED,
                NATS_SECURE_CONNECTION_WANTED:
                throw .invalidSettings(reason: "\(settings.shownAddress): \(reason)")
            default: throw .unreachable(address: settings.shownAddress, reason: reason)
            }
        }
    }

    deinit {
        jsCtx_Destroy(context)
        natsConnection_Destroy(connection)
    }

    /// The state of the connection.
    public var state: State {
        switch natsConnection_Status(connection) {
        case NATS_CONN_STATUS_CONNECTED, NATS_CONN_STATUS_DRAINING_SUBS, NATS_CONN_STATUS_DRAINING_PUBS: .connected
        case NATS_CONN_STATUS_CONNECTING, NATS_CONN_STATUS_RECONNECTING, NATS_CONN_STATUS_DISCONNECTED: .reconnecting
        default: .closed
        }
    }

    /// The largest message that the server takes, its header included, in bytes.
    package var largestPayload: Int { Int(natsConnection_GetMaxPayload(connection)) }

    /// Waits until a connection that is being made again is there, for the time limit of a request; blocks the thread.
    package func waitUntilConnected() {
        let clock = ContinuousClock()
        let end = clock.now + settings.timeout
        while state == .reconnecting, clock.now < end { nats_Sleep(10) }
    }

    /// Waits a tenth of a second, for a server that is connected, and not ready; blocks the thread.
    package func pause() { nats_Sleep(100) }

    /// Closes the connection. Requests and waits that are under way end with ``NATSError/closed``.
    public func close() { natsConnection_Close(connection) }

    /// Makes blocking calls on a thread of the connection.
    ///
    /// - Throws: `CancellationError` if the task is canceled before the calls have begun; what `body` throws. Calls that have
    ///   begun are completed within the time limits of their requests.
    @discardableResult
    package func perform<Value: Sendable>(
        _ body: @escaping @Sendable (NATSConnection) throws -> Value
    ) async throws -> Value {
        try await calls.perform { try body(self) }
    }
}

/// The options of a connection, as the library has them.
///
/// It is used by one thread only, and is not `Sendable`.
private final class NATSOptions {
    let pointer: OpaquePointer

    init(_ settings: NATSSettings) throws(NATSError) {
        var pointer: OpaquePointer?
        guard natsOptions_Create(&pointer) == NATS_OK, let pointer else {
            throw .invalidSettings(reason: "no memory is left")
        }
        self.pointer = pointer
        // The library copies all texts.
        try check(withCStrings(settings.servers) { natsOptions_SetServers(pointer, $0, $1) }, "the address")
        try check(natsOptions_SetName(pointer, settings.name), "the name")
        try check(natsOptions_SetTimeout(pointer, settings.timeout.wholeMilliseconds), "the timeout")
        // It is tried for as long as the connection exists, four times a second, so that a heal is noticed soon.
        try check(natsOptions_SetMaxReconnect(pointer, -1), "reconnecting")
        try check(natsOptions_SetReconnectWait(pointer, 250), "reconnecting")
        try check(natsOptions_SetReconnectJitter(pointer, 50, 50), "reconnecting")
        try check(natsOptions_SetPingInterval(pointer, 5000), "the interval of pings")
        // A request fails at once when the connection breaks, in place of after its time limit.
        try check(natsOptions_SetFailRequestsOnDisconnect(pointer, true), "failing requests")
        // The library would print errors of subscriptions, which their readers get as results too.
        try check(natsOptions_SetErrorHandler(pointer, { _, _, _, _ in }, nil), "the handler of errors")
        if settings.isSecure { try check(natsOptions_SetSecure(pointer, true), "TLS") }
        if let path = settings.authorities {
            try check(natsOptions_LoadCATrustedCertificates(pointer, path), "the authorities in \(path)")
        }
        if let certificate = settings.certificate {
            let status = natsOptions_LoadCertificatesChain(pointer, certificate.path, certificate.key)
            try check(status, "the certificate in \(certificate.path)")
        }
        if let path = settings.credentials {
            try check(natsOptions_SetUserCredentialsFromFiles(pointer, path, nil), "the credentials in \(path)")
        }
    }

    deinit { natsOptions_Destroy(pointer) }

    private func check(_ status: natsStatus, _ what: String) throws(NATSError) {
        if status != NATS_OK { throw .invalidSettings(reason: "\(what): \(NATSError.lastReason(status))") }
    }
}

extension Duration {
    /// The milliseconds, at least one.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow
            ? .max / 2_000_000 : max(1, min(product, .max / 2_000_000) + attoseconds / 1_000_000_000_000_000)
    }

    /// The nanoseconds, as far as they can be counted.
    var wholeNanoseconds: Int64 { wholeMilliseconds * 1_000_000 }
}
#endif
