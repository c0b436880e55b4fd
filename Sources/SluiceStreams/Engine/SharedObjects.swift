/// The identity of a object of a graph that all its subscriptions share.
final class Token: Sendable {
    init() {}
}

/// The objects that the subscriptions to objects of a graph share, by the tokens of the objects.
///
/// It retains the tokens, so that no new object can be mistaken for a released one. A object whose token has no other owner
/// will not be requested again, and is removed: closures create new streams, and tokens, as often as they like.
struct SharedObjects {
    private final class Entry {
        var token: Token
        let object: AnyObject

        init(_ token: Token, _ object: AnyObject) { (self.token, self.object) = (token, object) }
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var sweepsAt = 64

    init() {}

    /// The number of objects.
    var count: Int { entries.count }

    /// Returns the object of a token, which is created if it doesn't exist.
    ///
    /// - Complexity: O(1), amortized.
    mutating func object<Object: AnyObject>(_ key: Token, _ make: () -> Object) -> Object {
        if let object = entries[ObjectIdentifier(key)]?.object as? Object { return object }
        if entries.count >= sweepsAt {
            entries = entries.filter { !isKnownUniquelyReferenced(&$0.value.token) }
            sweepsAt = max(64, entries.count * 2)
        }
        let object = make()
        entries[ObjectIdentifier(key)] = Entry(key, object)
        return object
    }
}
