/// The identity of a part of a graph that all its subscriptions share.
final class Token: Sendable {
    init() {}
}

/// The objects that the subscriptions to parts of a graph share, by the tokens of the parts.
///
/// It retains the tokens, so that no new part can be mistaken for a released one. A part whose token has no other owner
/// will not be requested again, and is removed: closures create new streams, and tokens, as often as they like.
struct SharedParts {
    private final class Entry {
        var token: Token
        let part: AnyObject

        init(_ token: Token, _ part: AnyObject) { (self.token, self.part) = (token, part) }
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var sweepsAt = 64

    init() {}

    /// The number of parts.
    var count: Int { entries.count }

    /// Returns the part of a token, which is created if it doesn't exist.
    ///
    /// - Complexity: O(1), amortized.
    mutating func part<Part: AnyObject>(_ key: Token, _ make: () -> Part) -> Part {
        if let part = entries[ObjectIdentifier(key)]?.part as? Part { return part }
        if entries.count >= sweepsAt {
            entries = entries.filter { !isKnownUniquelyReferenced(&$0.value.token) }
            sweepsAt = max(64, entries.count * 2)
        }
        let part = make()
        entries[ObjectIdentifier(key)] = Entry(key, part)
        return part
    }
}
