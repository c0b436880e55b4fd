#if HTTP
/// The Content-Range of an answer, in bytes (RFC 9110, 14.4).
struct ContentRange: Equatable {
    /// The first and the last byte; `nil` for a 416, for which no range fits.
    var range: ClosedRange<Int>?
    /// The total number of bytes; `nil` if unknown.
    var total: Int?

    /// Reads `bytes 2-5/10`, `bytes 2-5/*`, or `bytes */10`; returns `nil` for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        if sides[1] != "*" {
            guard let total = Self.number(sides[1]) else { return nil }
            self.total = total
        }
        if sides[0] == "*" {
            if total == nil { return nil }
            return
        }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total ?? .max
        else { return nil }
        range = first...last
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
    }
}
#endif
