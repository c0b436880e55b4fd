public import Foundation
import Sluice

/// Answers that were given before, in memory or in files, for a ``CacheFilter``.
///
/// ```swift
/// let cache = HTTPCache()                                  // 32 MiB in memory
/// let files = try HTTPCache(directory: "/var/cache/app")   // 256 MiB in files, for the next start too
/// let node = CacheFilter(cache).andThen(HTTPTransport())
/// ```
///
/// A private cache (RFC 9111) for each of its users: it keeps answers that were meant for one user, and gives them to
/// nobody else. Any number of filters may share one cache; a directory is for one cache at a time. When there is more than the limit, the addresses that were
/// not used for the longest time go.
///
/// What cannot be written or read is not in the cache; no call fails for it. Files are written whole or not at all, also
/// when the process is killed, and the file system is not touched on the cooperative threads.
public final class HTTPCache: Sendable {
    private let store: any CacheStore
    let maximumBodyBytes: Int
    private let state = Locked(State())

    private struct State {
        var lastID = 0
        /// The answers under way, by address; what was invalidated meanwhile is not stored.
        var pending: [String: Set<Int>] = [:]
        var revalidations: Set<String> = []
        var hash: KeyedHash?

        /// Whether the answer may still be stored; it may once.
        mutating func end(_ key: String, _ id: Int) -> Bool {
            guard pending[key]?.remove(id) != nil else { return false }
            if pending[key]?.isEmpty == true { pending[key] = nil }
            return true
        }
    }

    /// Makes a cache in memory.
    ///
    /// - Parameters:
    ///   - bytes: how much it holds; 32 MiB by default.
    ///   - maximumBodyBytes: an answer with a longer body is not kept; 4 MiB by default.
    public init(bytes: Int = 32 << 20, maximumBodyBytes: Int = 4 << 20) {
        store = MemoryStore(limit: bytes)
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// Opens a cache in a directory, which is made if it is not there.
    ///
    /// It blocks the thread while it reads which files there are.
    ///
    /// - Parameters:
    ///   - directory: the path of a directory that holds nothing else.
    ///   - bytes: how much it holds; 256 MiB by default.
    ///   - maximumBodyBytes: an answer with a longer body is not kept; 16 MiB by default.
    /// - Throws: the error of the file system.
    public init(directory: String, bytes: Int = 256 << 20, maximumBodyBytes: Int = 16 << 20) throws {
        store = try DiskStore(directory: directory, limit: bytes)
        self.maximumBodyBytes = maximumBodyBytes
    }

    init(store: any CacheStore, maximumBodyBytes: Int) {
        self.store = store
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// How many bytes it holds now.
    public var byteCount: Int {
        get async { await store.byteCount }
    }

    /// Forgets what is stored for an address.
    public func remove(_ url: URL) async {
        let key = Self.key(url)
        _ = state.withLock { $0.pending.removeValue(forKey: key) }
        await store.remove(key)
    }

    /// Forgets everything.
    public func removeAll() async {
        state.withLock { $0.pending = [:] }
        await store.removeAll()
    }

    /// The hash that keeps the users apart.
    var keyedHash: KeyedHash {
        get async {
            if let hash = state.withLock({ $0.hash }) { return hash }
            let hash = KeyedHash(key: await store.hashKey()) ?? KeyedHash()
            return state.withLock { state in
                if let known = state.hash { return known }
                state.hash = hash
                return hash
            }
        }
    }

    /// Returns the key for an address: all of it but the fragment.
    static func key(_ url: URL) -> String {
        String(url.absoluteString.prefix { $0 != "#" })
    }
}

extension HTTPCache {
    /// Returns the last of the entries that fit a request; and whether its part has others, for other requests.
    func entry(
        for request: TransportRequest,
        in partition: CachePartition
    ) async -> (entry: CacheEntry?, hasOthers: Bool) {
        let key = Self.key(request.url)
        let entries = await store.entries(key, in: partition.names)
        return (entries.last { $0.key == key && $0.matches(request, partition) }, !entries.isEmpty)
    }

    /// An answer that is to be stored when it is whole, unless its address is invalidated before.
    final class Reservation: Sendable {
        private let cache: HTTPCache
        private let key: String
        private let id: Int

        fileprivate init(_ cache: HTTPCache, _ key: String, _ id: Int) {
            self.cache = cache
            self.key = key
            self.id = id
        }

        deinit { cache.state.withLock { _ = $0.end(key, id) } }

        /// Stores the entry.
        func store(_ entry: CacheEntry, for request: TransportRequest, in partition: CachePartition) async {
            guard cache.state.withLock({ $0.pending[key]?.contains(id) == true }) else { return }
            await cache.store.store(entry, replacing: { $0.matches(request, partition) })
            // Invalidated while it was stored.
            guard cache.state.withLock({ $0.end(key, id) }) else { return await cache.store.remove(key) }
        }
    }

    /// Says that a request is on its way whose answer may be stored.
    func reserve(_ request: TransportRequest) -> Reservation {
        let key = Self.key(request.url)
        let id = state.withLock { state in
            state.lastID += 1
            state.pending[key, default: []].insert(state.lastID)
            return state.lastID
        }
        return Reservation(self, key, id)
    }

    /// Begins a revalidation that nobody waits for; `false` where one for the same is under way.
    func beginRevalidation(_ key: String) -> Bool { state.withLock { $0.revalidations.insert(key).inserted } }

    func endRevalidation(_ key: String) { state.withLock { _ = $0.revalidations.remove(key) } }
}
