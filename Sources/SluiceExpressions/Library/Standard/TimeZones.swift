internal import Foundation
internal import Synchronization

/// A cache of the time zones that were looked up by name.
enum TimeZones {
    private static let known = Mutex<[String: TimeZone?]>([:])

    /// The number of names that are cached; beyond it, each lookup repeats the search.
    private static let maximumCount = 1000

    /// Returns a zone of the database by its name.
    static func zone(named name: String) -> TimeZone? {
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { return nil }
        if let zone = known.withLock({ $0[name] }) { return zone }
        let zone = TimeZone(identifier: name)
        known.withLock { known in
            if known.count >= maximumCount { known.removeAll(keepingCapacity: true) }
            known[name] = zone
        }
        return zone
    }
}
