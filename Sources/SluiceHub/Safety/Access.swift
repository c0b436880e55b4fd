#if Hub
import HTTPTypes
import Hummingbird
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceRuns

/// The tokens of a hub and the sessions that were opened with them.
final class Access: Sendable {
    private struct State {
        var tokens: [NamedToken] = []
        /// The number of the last read of the store that was begun, and of the one that `tokens` are from.
        var readings = (begun: 0, applied: 0)
        var sessions = SessionTable()
        /// The event streams that are open, by their numbers, with the identity that each was opened with.
        var openStreams: [Int: (identity: Identity, end: @Sendable () -> Void)] = [:]
        var lastStream = 0
        /// The call at which the next session expires.
        var expiry: (any RunAlarm)?
        /// Wrong tokens at the login: a person mistypes a few times.
        var logins = FailureLimiter(interval: 5_000_000_000, burst: 10)
        /// Wrong tokens of programs.
        var bearers = FailureLimiter(interval: 100_000_000, burst: 100)

        /// Returns a Boolean value that indicates whether the token, or the session, of an identity still exists.
        func isValid(_ identity: Identity, at now: Int64) -> Bool {
            if let session = identity.session, !sessions.exists(session, at: now) { return false }
            guard let name = identity.name else { return true }
            return tokens.contains { $0.name == name && $0.role == identity.role }
        }

        /// Removes the event streams whose sessions are over, and returns the closures that end them.
        mutating func takeStreamsOfEndedSessions(at now: Int64) -> [@Sendable () -> Void] {
            let sessions = sessions
            return takeStreams { $0.session.map { !sessions.exists($0, at: now) } ?? false }
        }

        /// Removes event streams, and returns the closures that end them.
        mutating func takeStreams(where condition: (Identity) -> Bool) -> [@Sendable () -> Void] {
            let found = openStreams.filter { condition($0.value.identity) }
            for number in found.keys { openStreams[number] = nil }
            return found.values.map(\.end)
        }
    }

    /// A token that the hub has given out: its name, its rights, and the hash of its text.
    struct NamedToken: Sendable, Hashable {
        let name: String
        let role: Role
        let hash: [UInt8]
    }

    private let token: [UInt8]?
    private let timer: CallTimer
    private let state = Locked(State())

    init(token: String?, timer: CallTimer) {
        self.token = token.map { Array($0.utf8) }
        self.timer = timer
    }

    /// A Boolean value that indicates whether the hub has a token of its own, from its command line.
    var hasOwnToken: Bool { token != nil }

    /// A Boolean value that indicates whether requests need a token.
    var isGuarded: Bool { token != nil || state.withLock { !$0.tokens.isEmpty } }

    /// Returns the number of a read of the store that begins now.
    func beginReading() -> Int {
        state.withLock { state in
            state.readings.begun += 1
            return state.readings.begun
        }
    }

    /// Replaces the tokens that the hub has given out. Sessions and event streams of tokens that are gone or have changed
    /// end.
    ///
    /// - Parameter number: the number of the read that they are from; one that began before the last that was applied
    ///   changes nothing.
    func replaceTokens(_ tokens: [NamedToken], reading number: Int) {
        let ended = state.withLock { state -> [@Sendable () -> Void] in
            guard number > state.readings.applied else { return [] }
            state.readings.applied = number
            let gone = Set(Set(state.tokens).subtracting(tokens).map(\.name))
            state.tokens = tokens
            state.sessions.endAll { $0.name.map(gone.contains) ?? false }
            return state.takeStreams { $0.name.map(gone.contains) ?? false }
        }
        for end in ended { end() }
    }

    /// Registers an event stream, so that it ends with the right to it: when the token of its reader is revoked, or the
    /// session ends or expires.
    ///
    /// - Parameter end: called at most once, from any thread; at once where the right has ended already.
    /// - Returns: a number for ``close(_:)``.
    func open(for identity: Identity, _ end: @escaping @Sendable () -> Void) -> Int? {
        let now = timer.now
        let number = state.withLock { state -> Int? in
            guard state.isValid(identity, at: now) else { return nil }
            state.lastStream += 1
            state.openStreams[state.lastStream] = (identity, end)
            return state.lastStream
        }
        if number == nil { end() }
        return number
    }

    /// Forgets an event stream that has ended.
    func close(_ number: Int) { _ = state.withLock { $0.openStreams.removeValue(forKey: number) } }

    /// Returns a Boolean value that indicates whether a request needs no token: one for the page's files, which say nothing of the hub, for `/health`,
    /// for the login, or to a webhook, which checks its sender itself. The path is taken as it came: one that is written in another way is not open.
    static func isOpen(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        switch (method, path) {
        case (.get, "/"), (.head, "/"), (.get, "/health"), (.head, "/health"), (.post, "/session"): true
        case (.get, _), (.head, _): path.hasPrefix("/page/")
        default: WebhookRoutes.isOne(method, path)
        }
    }

    /// Returns the sender of a request that has a token or belongs to a session.
    ///
    /// A valid token always passes, however many wrong ones came from the same address: others at that address must not
    /// be able to lock its owner out. A token in the URL is not looked at, because URLs are written to logs and histories.
    ///
    /// - Parameters:
    ///   - client: the address that the request comes from.
    ///   - cookie: the name of the hub's cookie.
    /// - Throws: ``Problem``: 401, or 429 for a wrong token from an address that sent too many.
    func check(_ request: Request, from client: String, cookie: String) throws(Problem) -> Identity {
        if let given = request.headers[.authorization] {
            let parts = given.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw .unauthorized }
            return try identity(of: String(parts[1]), from: client, \.bearers)
        }
        guard let id = SessionCookie.id(of: request, named: cookie),
            var identity = state.withLock({ $0.sessions.identity(of: id, at: timer.now) })
        else { throw .unauthorized }
        identity.session = id
        return identity
    }

    /// Begins a session.
    ///
    /// - Returns: its id.
    /// - Throws: ``Problem``: 401 for a wrong token, 429 for one from an address that sent too many, 404 where no token is
    ///   needed.
    func logIn(_ given: String, from client: String) throws(Problem) -> String {
        guard isGuarded else { throw Problem(.notFound, "this hub has no token: there is nothing to log in to") }
        let identity = try identity(of: given, from: client, \.logins)
        let now = timer.now
        let begun = state.withLock { state -> (id: String, ended: [@Sendable () -> Void], isFirst: Bool)? in
            // The token may have been revoked since it was looked up.
            guard state.isValid(identity, at: now) else { return nil }
            let isFirst = state.sessions.nextEnd == nil
            let id = state.sessions.begin(identity, at: now)
            // Sessions that were too many or too old have ended.
            return (id, state.takeStreamsOfEndedSessions(at: now), isFirst)
        }
        guard let (id, ended, isFirst) = begun else { throw .unauthorized }
        for end in ended { end() }
        if isFirst { scheduleExpiry() }
        return id
    }

    /// Ends the sessions that have expired, and their event streams.
    private func expire() {
        let now = timer.now
        let ended = state.withLock { state in
            state.sessions.endExpired(at: now)
            return state.takeStreamsOfEndedSessions(at: now)
        }
        for end in ended { end() }
        scheduleExpiry()
    }

    /// Has ``expire()`` called when the next session expires; one that begins later expires later.
    private func scheduleExpiry() {
        guard let end = state.withLock({ $0.sessions.nextEnd }) else { return }
        let next = CallRunTimer(timer).schedule(at: end) { [weak self] in self?.expire() }
        let previous = state.withLock { state in
            defer { state.expiry = next }
            return state.expiry
        }
        previous?.cancel()
    }

    deinit { state.withLock { $0.expiry }?.cancel() }

    /// Ends a session, and its event streams.
    func logOut(_ id: String) {
        let ended = state.withLock { state in
            state.sessions.end(id)
            return state.takeStreams { $0.session == id }
        }
        for end in ended { end() }
    }

    private func identity(
        of given: String,
        from client: String,
        _ limiter: sending WritableKeyPath<State, FailureLimiter>
    ) throws(Problem) -> Identity {
        let bytes = Array(given.utf8)
        if let token, Self.isEqual(bytes, token) { return .owner }
        let hash = SHA256.hash(bytes)
        let now = timer.now
        let (found, wait): (Identity?, Int64) = state.withLock { state in
            var found: Identity?
            // All of them are compared, so that the time does not tell which one was near.
            for token in state.tokens where Self.isEqual(hash, token.hash) {
                found = Identity(name: token.name, role: token.role)
            }
            if found != nil { return (found, 0) }
            let wait = state[keyPath: limiter].wait(client, at: now)
            if wait <= 0 { state[keyPath: limiter].fail(client, at: now) }
            return (nil, wait)
        }
        if let found { return found }
        guard wait <= 0 else { throw .tooManyTries(seconds: (wait + 999_999_999) / 1_000_000_000) }
        throw .unauthorized
    }

    /// Returns whether a given token is the right one, in a time that depends only on the length of the given one.
    static func isEqual(_ given: [UInt8], _ token: [UInt8]) -> Bool {
        var difference = given.count ^ token.count
        for index in given.indices {
            difference |= Int(given[index] ^ (token.isEmpty ? 0 : token[index % token.count]))
        }
        return difference == 0
    }
}

extension Problem {
    /// The answer to a request without a valid token.
    static var unauthorized: Problem {
        let text = "this hub has a token: Authorization: Bearer TOKEN, or POST /session for a cookie"
        return Problem(.unauthorized, text, headers: [.wwwAuthenticate: #"Bearer realm="sluice""#])
    }

    static func tooManyTries(seconds: Int64) -> Problem {
        Problem(
            .tooManyRequests,
            "this token is wrong, and too many wrong ones came from this address",
            headers: [.retryAfter: "\(seconds)"]
        )
    }
}
#endif
