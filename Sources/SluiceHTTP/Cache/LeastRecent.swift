#if HTTP
/// Keys in the order of their last use; each operation takes constant time.
struct LeastRecent<Key: Hashable> {
    private struct Link {
        var older: Key?
        var newer: Key?
    }
    private var links: [Key: Link] = [:]
    /// The least recently used key.
    private(set) var oldest: Key?
    private var newest: Key?

    init() {}

    /// Moves a key to the end as the most recently used one, adding it if it is new.
    mutating func use(_ key: Key) {
        if newest == key { return }
        remove(key)
        links[key] = Link(older: newest, newer: nil)
        if let newest { links[newest]?.newer = key }
        newest = key
        if oldest == nil { oldest = key }
    }

    /// Removes a key; does nothing if it is missing.
    mutating func remove(_ key: Key) {
        guard let link = links.removeValue(forKey: key) else { return }
        if let older = link.older { links[older]?.newer = link.newer } else { oldest = link.newer }
        if let newer = link.newer { links[newer]?.older = link.older } else { newest = link.older }
    }
}
#endif
