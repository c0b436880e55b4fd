import HTTPTypes
import Hummingbird
import Sluice
import SluiceFilters

/// Who may use a hub: all, or who has its token.
final class Access: Sendable {
    private struct State {
        var sessions = SessionTable()
        /// Tries to log in: a person mistypes a few times.
        var logins = FailureLimiter(interval: 5_000_000_000, burst: 10)
        /// Programs that come with a wrong token: one that does so every second hinders nobody at its address.
        var bearers = FailureLimiter(interval: 100_000_000, burst: 100)
    }

    private let token: [UInt8]?
    private let timer: CallTimer
    private let state = Locked(State())

    init(token: String?, timer: CallTimer) {
        self.token = token.map { Array($0.utf8) }
        self.timer = timer
    }

    /// Whether a request needs the hub's token. A token in the address is not looked at: addresses are written to logs and
    /// histories.
    func guards(_ request: Request) -> Bool { token != nil && !Self.isOpen(request.method, request.uri.path) }

    /// Whether a request needs no token: one for the page's files, which say nothing of the hub, for `/health`, or for the
    /// login. The path is taken as it came: one that is written in another way is not open.
    static func isOpen(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        switch (method, path) {
        case (.get, "/"), (.head, "/"), (.get, "/health"), (.head, "/health"), (.post, "/session"): true
        case (.get, _), (.head, _): path.hasPrefix("/page/")
        default: false
        }
    }

    /// Lets a request pass that bears the token or comes from a session.
    ///
    /// - Throws: ``Problem``: 401, or 429 for an address that is wrong too often.
    func check(_ request: Request, from address: String) throws(Problem) {
        guard token != nil else { return }
        if let given = request.headers[.authorization] {
            let parts = given.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw .unauthorized }
            return try compare(String(parts[1]), from: address, \.bearers)
        }
        guard let id = SessionCookie.id(of: request) else { throw .unauthorized }
        guard state.withLock({ $0.sessions.isOpen(id, at: timer.now) }) else { throw .unauthorized }
    }

    /// Begins a session.
    ///
    /// - Returns: its id.
    /// - Throws: ``Problem``: 401 for a wrong token, 429 for an address that is wrong too often, 404 where no token is
    ///   needed.
    func logIn(_ given: String, from address: String) throws(Problem) -> String {
        guard token != nil else { throw Problem(.notFound, "this hub has no token: there is nothing to log in for") }
        try compare(given, from: address, \.logins)
        return state.withLock { $0.sessions.begin(at: timer.now) }
    }

    /// Ends the session that a request comes from.
    func logOut(_ request: Request) {
        guard let id = SessionCookie.id(of: request) else { return }
        state.withLock { $0.sessions.end(id) }
    }

    private func compare(
        _ given: String,
        from address: String,
        _ limiter: sending WritableKeyPath<State, FailureLimiter>
    ) throws(Problem) {
        let now = timer.now
        let wait = state.withLock { $0[keyPath: limiter].wait(address, at: now) }
        guard wait <= 0 else { throw .tooManyTries(seconds: (wait + 999_999_999) / 1_000_000_000) }
        guard let token, Self.isEqual(Array(given.utf8), token) else {
            state.withLock { $0[keyPath: limiter].fail(address, at: now) }
            throw .unauthorized
        }
    }

    /// Whether a given token is the right one, in a time that depends on the length of what is given alone.
    static func isEqual(_ given: [UInt8], _ token: [UInt8]) -> Bool {
        var difference = given.count ^ token.count
        for index in given.indices {
            difference |= Int(given[index] ^ (token.isEmpty ? 0 : token[index % token.count]))
        }
        return difference == 0
    }
}

extension Problem {
    /// The answer to whoever has not said the token.
    static var unauthorized: Problem {
        let text = "this hub has a token: Authorization: Bearer TOKEN, or POST /session for a cookie"
        return Problem(.unauthorized, text, headers: [.wwwAuthenticate: #"Bearer realm="sluice""#])
    }

    static func tooManyTries(seconds: Int64) -> Problem {
        Problem(.tooManyRequests, "too many wrong tokens came from this address", headers: [.retryAfter: "\(seconds)"])
    }
}
