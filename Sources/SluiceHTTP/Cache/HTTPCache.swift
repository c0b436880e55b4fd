#if HTTP
public import Foundation
import Sluice

/// A cache of answers, in memory or in files, for a ``CacheFilter``.
///
/// ```swift
/// let cache = HTTPCache()                                  // 32 MiB in memory
/// let files = try HTTPCache(directory: "/var/cache/app")   // 256 MiB in files, for the next start too
/// let node = CacheFilter(cache).andThen(HTTPTransport())
/// ```
///
/// It is a private cache (RFC 9111) for each of its users: an answer that was meant for one user is never given to
/// another. Any number of filters may share one cache; a directory belongs to one cache at a time. Above the size
/// limit, the least recently used addresses are evicted.
///
/// An entry that can't be written or read is treated as missing, and no call fails because of it. Files are written
/// completely or not at all, even if the process is killed, and files are never accessed on the cooperative threads.
public final class HTTPCache: Sendable {
    private let store: any CacheStore
    let maximumBodyBytes: Int
    private let state = Locked(State())

    private struct State {
        var lastID = 0
        /// The answers in progress, by address; an answer that is invalidated meanwhile is not stored.
        var pending: [String: Set<Int>] = [:]
        var revalidations: Set<String> = []
        var hash: KeyedHash?

        /// Ends a reservation, and returns whether the answer may still be stored; each reservation allows one store.
        mutating func end(_ key: String, _ id: Int) -> Bool {
            guard pending[key]?.remove(id) != nil else { return false }
            if pending[key]?.isEmpty == true { pending[key] = nil }
            return true
        }
    }

    /// Makes a cache in memory.
    ///
    /// - Parameters:
    ///   - bytes: the capacity of the cache; 32 MiB by default.
    ///   - maximumBodyBytes: the longest body of an answer that is stored; 4 MiB by default.
    public init(bytes: Int = 32 << 20, maximumBodyBytes: Int = 4 << 20) {
        store = MemoryStore(limit: bytes)
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// Opens a cache in a directory, creating it if it does not exist.
    ///
    /// It blocks the thread while it lists the existing files.
    ///
    /// - Parameters:
    ///   - directory: the path of a directory that contains nothing else.
    ///   - bytes: the capacity of the cache; 256 MiB by default.
    ///   - maximumBodyBytes: the longest body of an answer that is stored; 16 MiB by default.
    /// - Throws: the error of the file system.
    public init(directory: String, bytes: Int = 256 << 20, maximumBodyBytes: Int = 16 << 20) throws {
        store = try DiskStore(directory: directory, limit: bytes)
        self.maximumBodyBytes = maximumBodyBytes
    }

    init(store: any CacheStore, maximumBodyBytes: Int) {
        self.store = store
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// The number of bytes that the cache holds now.
    public var byteCount: Int {
        get async { await store.byteCount }
    }

    /// Removes the stored answers of an address.
    public func remove(_ url: URL) async {
        let key = Self.key(url)
        _ = state.withLock { $0.pending.removeValue(forKey: key) }
        await store.remove(key)
    }

    /// Removes all stored answers.
    public func removeAll() async {
        state.withLock { $0.pending = [:] }
        await store.removeAll()
    }

    /// The hash that separates the users.
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

    /// Returns the key for an address: the address without its fragment.
    static func key(_ url: URL) -> String {
        String(url.absoluteString.prefix { $0 != "#" })
    }
}

extension HTTPCache {
    /// Returns the newest of the entries that fit a request, and whether its part has entries for other requests.
    func entry(
        for request: TransportRequest,
        in partition: CachePartition
    ) async -> (entry: CacheEntry?, hasOthers: Bool) {
        let key = Self.key(request.url)
        let entries = await store.entries(key, in: partition.names)
        return (entries.last { $0.key == key && $0.matches(request, partition) }, !entries.isEmpty)
    }

    /// A reservation for an answer that is stored when it is complete, unless its address is invalidated first.
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

        /// Stores the entry, unless its address was invalidated.
        func store(_ entry: CacheEntry, for request: TransportRequest, in partition: CachePartition) async {
            guard cache.state.withLock({ $0.pending[key]?.contains(id) == true }) else { return }
            await cache.store.store(entry, replacing: { $0.matches(request, partition) })
            // The address was invalidated during the store.
            guard cache.state.withLock({ $0.end(key, id) }) else { return await cache.store.remove(key) }
        }
    }

    /// Returns a reservation for the answer to a request that is being sent.
    func reserve(_ request: TransportRequest) -> Reservation {
        let key = Self.key(request.url)
        let id = state.withLock { state in
            state.lastID += 1
            state.pending[key, default: []].insert(state.lastID)
            return state.lastID
        }
        return Reservation(self, key, id)
    }

    /// Marks the start of a background revalidation; returns `false` if one for the same entry is already running.
    func beginRevalidation(_ key: String) -> Bool { state.withLock { $0.revalidations.insert(key).inserted } }

    /// A Boolean value that indicates whether no background revalidation is running.
    var isIdle: Bool { state.withLock { $0.revalidations.isEmpty } }

    func endRevalidation(_ key: String) { state.withLock { _ = $0.revalidations.remove(key) } }
}
#endif
