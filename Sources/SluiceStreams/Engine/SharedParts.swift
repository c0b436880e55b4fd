/// The identity of a part of a graph that all its subscriptions share.
final class Token: Sendable {
    init() {}
}

/// What the subscriptions to parts of a graph have in common, by the tokens of the parts.
///
/// It keeps the tokens, so that no other part takes the place of one that is gone. A part whose token nobody else keeps
/// will not be asked for again, and is swept out: closures make new streams, and tokens, as often as they like.
struct SharedParts {
    private final class Entry {
        var token: Token
        let part: AnyObject

        init(_ token: Token, _ part: AnyObject) { (self.token, self.part) = (token, part) }
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var sweepsAt = 64

    init() {}

    /// How many parts there are.
    var count: Int { entries.count }

    /// The part of a token; made if there is none.
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
