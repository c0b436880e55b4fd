#if HTTP
import HTTPTypes

/// The age of a stored answer and its freshness lifetime (RFC 9111, 4.2), in seconds.
struct Freshness: Equatable {
    /// The time for which the answer is fresh, from its creation.
    let lifetime: Double
    /// The age of the answer.
    let age: Double

    /// The longest heuristic lifetime: without explicit information, the lifetime is a tenth of the time since the last
    /// change, at most a day.
    private static let greatestGuess = 86400.0

    init(_ entry: CacheEntry, _ directives: CacheControl, now: Double) {
        let date = entry.headers[values: .date].first.flatMap { HTTPDate.parse($0, now: now) }
        lifetime = Self.lifetime(entry, directives, date: date ?? entry.responseTime, now: now)
        // 4.2.3
        let apparentAge = max(0, entry.responseTime - (date ?? entry.responseTime))
        // The first of several values counts (5.1).
        let ages = entry.headers[values: .age].first.map { FieldList.elements($0) }
        let ageValue = ages?.first.flatMap { DeltaSeconds.parse($0) } ?? 0
        let correctedAge = Double(ageValue) + max(0, entry.responseTime - entry.requestTime)
        age = max(apparentAge, correctedAge) + max(0, now - entry.responseTime)
    }

    var isFresh: Bool { lifetime > age }

    /// The time since the answer stopped being fresh; negative while it is fresh.
    var staleness: Double { age - lifetime }

    /// Returns the freshness lifetime (4.2.1).
    private static func lifetime(_ entry: CacheEntry, _ directives: CacheControl, date: Double, now: Double) -> Double {
        if let maxAge = directives.maxAge { return Double(maxAge) }
        let expires = entry.headers[values: .expires]
        if let first = expires.first {
            guard Set(expires).count == 1, let time = HTTPDate.parse(first, now: now) else { return 0 }
            return max(0, time - date)
        }
        // 4.2.2
        guard directives.isPublic || Storability.isCacheableByDefault(entry.status.code),
            let changed = entry.headers[values: .lastModified].first.flatMap({ HTTPDate.parse($0, now: now) })
        else { return 0 }
        return min(max(0, (date - changed) * 0.1), greatestGuess)
    }
}
#endif
