import Sluice

/// Where entries are kept. A failure to keep one is no error: the next look finds nothing.
protocol CacheStore: Sendable {
    /// All that is stored for an address.
    func entries(_ key: String) async -> [CacheEntry]
    /// Stores an entry in place of those of the same address that `isReplaced` names.
    func store(_ entry: CacheEntry, replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool) async
    /// Forgets all that is stored for an address.
    func remove(_ key: String) async
    /// Forgets everything.
    func removeAll() async
    /// How many bytes are taken.
    var byteCount: Int { get async }
}

enum CacheLimits {
    /// How many answers to one address are kept, where `Vary` tells them apart.
    static let variants = 16
}

/// Keeps entries in memory; the addresses that were not used for the longest time go first.
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

    init(limit: Int) { self.limit = limit }

    func entries(_ key: String) -> [CacheEntry] {
        state.withLock { state in
            guard let entries = state.entries[key] else { return [] }
            state.order.use(key)
            return entries
        }
    }

    func store(_ entry: CacheEntry, replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool) {
        state.withLock { state in
            let others = (state.entries[entry.key] ?? []).filter { !isReplaced($0) }.suffix(CacheLimits.variants - 1)
            state.remove(entry.key)
            guard entry.size <= limit else { return }
            let entries = others + [entry]
            state.entries[entry.key] = Array(entries)
            state.bytes += entries.reduce(0) { $0 + $1.size }
            state.order.use(entry.key)
            while state.bytes > limit, let oldest = state.order.oldest { state.remove(oldest) }
        }
    }

    func remove(_ key: String) { state.withLock { $0.remove(key) } }

    func removeAll() { state.withLock { $0 = State() } }

    var byteCount: Int { state.withLock { $0.bytes } }
}
