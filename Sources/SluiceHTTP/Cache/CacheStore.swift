#if HTTP
import Sluice

/// A storage for entries. A failure to store one is not an error: the next lookup finds nothing.
protocol CacheStore: Sendable {
    /// Returns the entries for an address in some parts of the cache; in all parts if `partitions` is `nil`.
    func entries(_ key: String, in partitions: Set<String>?) async -> [CacheEntry]
    /// Stores an entry, replacing those of the same address and part for which `isReplaced` returns `true`.
    func store(_ entry: CacheEntry, replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool) async
    /// Returns the key of the hash that separates the parts; the same key for the life of the entries.
    func hashKey() async -> [UInt8]
    /// Removes the entries of an address for all users.
    func remove(_ key: String) async
    /// Removes all entries.
    func removeAll() async
    /// The number of bytes in use.
    var byteCount: Int { get async }
}

enum CacheLimits {
    /// The maximum number of answers to one address that are kept for one user, as variants by `Vary`.
    static let variants = 16
    /// The maximum number of answers to one address that are kept for all users.
    static let variantsOfAll = 1024
}

/// A store in memory; it evicts the least recently used addresses first.
final class MemoryStore: CacheStore {
    private struct State {
        var entries: [String: [CacheEntry]] = [:]
        var order = LeastRecent<String>()
        var bytes = 0

        mutating func remove(_ key: String) {
            bytes -= (entries.removeValue(forKey: key) ?? []).reduce(0) { $0 + $1.size }
            order.remove(key)
        }
    }
    private let limit: Int
    private let state = Locked(State())
    private let hash = KeyedHash()

    init(limit: Int) { self.limit = limit }

    func hashKey() -> [UInt8] { hash.key }

    func entries(_ key: String, in partitions: Set<String>? = nil) -> [CacheEntry] {
        state.withLock { state in
            guard let entries = state.entries[key] else { return [] }
            state.order.use(key)
            return partitions.map { partitions in entries.filter { partitions.contains($0.partition) } } ?? entries
        }
    }

    func store(_ entry: CacheEntry, replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool) {
        state.withLock { state in
            var others = (state.entries[entry.key] ?? []).filter { $0.partition != entry.partition || !isReplaced($0) }
            var surplus = others.count { $0.partition == entry.partition } - CacheLimits.variants + 1
            others.removeAll { other in
                guard surplus > 0, other.partition == entry.partition else { return false }
                surplus -= 1
                return true
            }
            state.remove(entry.key)
            var entries = Array(others.suffix(CacheLimits.variantsOfAll - 1))
            if entry.size <= limit { entries.append(entry) }
            guard !entries.isEmpty else { return }
            state.entries[entry.key] = entries
            state.bytes += entries.reduce(0) { $0 + $1.size }
            state.order.use(entry.key)
            while state.bytes > limit, let oldest = state.order.oldest { state.remove(oldest) }
        }
    }

    func remove(_ key: String) { state.withLock { $0.remove(key) } }

    func removeAll() { state.withLock { $0 = State() } }

    var byteCount: Int { state.withLock { $0.bytes } }
}
#endif
