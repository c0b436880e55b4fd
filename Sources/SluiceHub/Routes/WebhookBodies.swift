#if Hub
import HTTPTypes
import Sluice

/// The bytes of the bodies of webhooks that have arrived and are not stored yet: those of all clients together, and
/// those of each.
///
/// A sender may need no token. Bytes are counted as they arrive, and not as they are announced: a client that announces
/// much and sends little takes no room from others.
final class WebhookBodies: Sendable {
    private struct State {
        var byteCount = 0
        /// The bytes of each client that has any.
        var clients: [String: Int] = [:]
    }

    /// The time that a body has to arrive, in nanoseconds.
    static let patience: Int64 = 30_000_000_000

    /// The most bytes of all clients together.
    let limit: Int
    /// The most bytes of one client, an eighth of the limit.
    let share: Int
    private let state = Locked(State())

    /// - Parameter longest: The length of the longest body, for which the share of a client has room in any case.
    init(limit: Int = 64 << 20, longest: Int = 0) {
        share = max(limit / 8, longest)
        self.limit = max(limit, share)
    }

    /// The bytes of all clients.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// The number of clients that have bytes here.
    var clientCount: Int { state.withLock { $0.clients.count } }

    /// Returns the number of bytes of a client.
    func byteCount(of client: String) -> Int { state.withLock { $0.clients[client] ?? 0 } }

    /// Checks that there is room for bytes of a client and reserves it, in one step.
    ///
    /// - Throws: ``Problem``: 429 beyond the share of the client, 503 beyond the limit of all.
    fileprivate func reserve(_ bytes: Int, for client: String) throws {
        let problem = state.withLock { state -> Problem? in
            let own = state.clients[client] ?? 0
            guard bytes <= share - own else { return Problem.tooManyBytes }
            guard bytes <= limit - state.byteCount else { return Problem.notReceiving }
            state.byteCount += bytes
            state.clients[client] = own + bytes
            return nil
        }
        if let problem { throw problem }
    }

    fileprivate func release(_ bytes: Int, of client: String) {
        state.withLock { state in
            state.byteCount -= bytes
            let rest = (state.clients[client] ?? 0) - bytes
            state.clients[client] = rest > 0 ? rest : nil
        }
    }
}

/// The room that one body has reserved.
final class WebhookRoom: Sendable {
    private let bodies: WebhookBodies
    private let client: String
    private let size = Locked(0)

    /// - Parameter client: The address by which the sender is counted.
    init(in bodies: WebhookBodies, for client: String) { (self.bodies, self.client) = (bodies, client) }

    /// Reserves room for more bytes of the body.
    ///
    /// - Throws: ``Problem`` if too little room is left; earlier reservations stay.
    func reserve(_ bytes: Int) throws {
        guard bytes > 0 else { return }
        try bodies.reserve(bytes, for: client)
        size.withLock { $0 += bytes }
    }

    /// Releases all that was reserved.
    func release() {
        let bytes = size.withLock { size in
            defer { size = 0 }
            return size
        }
        if bytes > 0 { bodies.release(bytes, of: client) }
    }
}

extension Problem {
    /// The answer to a body that has not arrived in time. The connection ends, since the rest of the body may follow.
    static let tooSlow = Problem(
        .requestTimeout,
        "the body did not arrive within \(WebhookBodies.patience / 1_000_000_000) seconds",
        headers: [.connection: "close"]
    )

    /// The answer to a client whose bodies take more than its share.
    static let tooManyBytes = Problem(
        .tooManyRequests,
        "the bodies that this address sends to webhooks at the same time are too long together",
        headers: [.retryAfter: "5"]
    )
}
#endif
