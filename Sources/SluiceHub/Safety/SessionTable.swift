/// Who has logged in: pure. An id is random and has nothing of the token.
struct SessionTable {
    /// How long a session lasts, in seconds.
    static let lifetime: Int64 = 7 * 24 * 3600
    /// How many there may be; the oldest goes where there are more.
    static let limit = 1000

    private var ends: [String: Int64] = [:]

    /// How many there are.
    var count: Int { ends.count }

    /// Begins a session.
    ///
    /// - Returns: its id, 256 random bits.
    mutating func begin(at now: Int64) -> String {
        ends = ends.filter { $0.value > now }
        if ends.count >= Self.limit, let oldest = ends.min(by: { $0.value < $1.value })?.key { ends[oldest] = nil }
        var random = SystemRandomNumberGenerator()
        let id = (0..<4).map { _ in
            let digits = String(random.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
        ends[id] = now + Self.lifetime * 1_000_000_000
        return id
    }

    /// Whether a session goes on.
    func isOpen(_ id: String, at now: Int64) -> Bool { ends[id].map { $0 > now } ?? false }

    mutating func end(_ id: String) { ends[id] = nil }
}
