#if Hub
/// The sessions of people who logged in: pure. The id of a session is random and has nothing of the token.
struct SessionTable {
    /// The time that a session lasts, in seconds.
    static let lifetime: Int64 = 7 * 24 * 3600
    /// The most sessions at once; above it the oldest ends.
    static let limit = 1000

    private struct Session {
        let end: Int64
        let identity: Identity
    }

    private var sessions: [String: Session] = [:]

    /// The number of sessions.
    var count: Int { sessions.count }

    /// Begins a session and returns its id, 256 random bits.
    mutating func begin(_ identity: Identity, at now: Int64) -> String {
        endExpired(at: now)
        if sessions.count >= Self.limit, let oldest = sessions.min(by: { $0.value.end < $1.value.end })?.key {
            sessions[oldest] = nil
        }
        let id = RandomToken.make()
        sessions[id] = Session(end: now + Self.lifetime * 1_000_000_000, identity: identity)
        return id
    }

    /// Returns the person behind a session; `nil` where the session is over.
    func identity(of id: String, at now: Int64) -> Identity? {
        sessions[id].flatMap { $0.end > now ? $0.identity : nil }
    }

    /// The instant at which the next session expires; `nil` without sessions.
    var nextEnd: Int64? { sessions.values.map(\.end).min() }

    /// Returns a Boolean value that indicates whether a session has neither been ended nor expired.
    func exists(_ id: String, at now: Int64) -> Bool { identity(of: id, at: now) != nil }

    /// Ends the sessions that have expired.
    mutating func endExpired(at now: Int64) { sessions = sessions.filter { $0.value.end > now } }

    /// Ends a session.
    mutating func end(_ id: String) { sessions[id] = nil }

    /// Ends the sessions of all people that a condition holds for.
    mutating func endAll(where condition: (Identity) -> Bool) {
        sessions = sessions.filter { !condition($0.value.identity) }
    }
}
#endif
