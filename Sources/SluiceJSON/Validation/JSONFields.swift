/// The members of an object that a ``JSONValidator`` has checked: the known ones by key, and the others in order.
public struct JSONFields: Sendable {
    /// The object.
    public let node: JSONNode
    /// The known members, each key once.
    public let known: [String: JSONNode.Member]
    /// The members with other keys, in the order of the text; their ``JSONNode/Member/source`` keeps them byte for byte.
    public let others: [JSONNode.Member]

    /// The value of a known member, or nil if it is missing.
    public subscript(key: String) -> JSONNode? { known[key]?.value }
}

extension JSONValidator {
    /// The treatment of unexpected keys.
    public enum UnknownKeys: Sendable, Hashable {
        /// They are errors, with a suggestion if a known key is similar.
        case reported
        /// They are kept in ``JSONFields/others`` without an error.
        case kept
    }

    /// Returns the members of an object, by key; records errors for missing and unknown ones.
    ///
    /// - Parameters:
    ///   - node: The value to read.
    ///   - keys: The keys that may occur.
    ///   - required: The keys that must occur.
    ///   - unknown: The treatment of other keys. Keys that begin with `x-` are never reported.
    /// - Returns: The members, or nil if the value isn't an object.
    public mutating func object(
        _ node: JSONNode,
        keys: [String],
        required: [String] = [],
        unknown: UnknownKeys = .reported
    ) -> JSONFields? {
        guard expect(.object, node) else { return nil }
        let expected = Set(keys).union(required)
        var known: [String: JSONNode.Member] = [:]
        var others: [JSONNode.Member] = []
        for member in node.members {
            let key = member.key
            if expected.contains(key) {
                if known[key] == nil { known[key] = member }
                continue
            }
            others.append(member)
            if unknown == .reported, !key.hasPrefix("x-") { noteUnknown(member, keys) }
        }
        for key in required where known[key] == nil {
            note(
                .missingKey,
                at: node,
                "the key \(JSON.string(key)) is missing",
                hint: Self.near(key, others).map { "is \(JSON.string($0)) meant to be it?" }
            )
        }
        return JSONFields(node: node, known: known, others: others)
    }

    /// The number of members that are compared with a name for a hint, and of keys in a message.
    private static var hintCount: Int { 100 }

    /// Returns the first of the members whose key is near to a missing one.
    private static func near(_ key: String, _ members: [JSONNode.Member]) -> String? {
        members.prefix(hintCount).first { nearestName(to: $0.key, among: [key]) != nil }?.key
    }

    /// Returns the one member that names the kind of an object, as in operators and sources:
    /// `{"id": "a", "delay": {…}}`.
    ///
    /// - Parameters:
    ///   - node: The value to read.
    ///   - names: The known names; others are reported with a suggestion, and returned nevertheless.
    ///   - ignored: Other keys that the object may have. Keys that begin with `x-` are allowed too.
    ///   - what: The word for messages: `operator`.
    /// - Returns: The member, or nil if the value isn't an object or does not have exactly one such member.
    public mutating func namedMember(
        _ node: JSONNode,
        names: [String],
        ignored: [String] = [],
        what: String
    ) -> JSONNode.Member? {
        guard expect(.object, node) else { return nil }
        let candidates = node.members.filter { !ignored.contains($0.key) && !$0.key.hasPrefix("x-") }
        guard let member = candidates.first else {
            note(
                .missingKey,
                at: node,
                "the key that names the \(what) is missing",
                hint: "one of: " + names.joined(separator: ", ")
            )
            return nil
        }
        if candidates.count > 1 {
            // Report the first unknown name, otherwise the second name.
            let extra = candidates.first { !names.contains($0.key) } ?? candidates[1]
            note(
                names.contains(extra.key) ? .invalidValue : .unknownKey,
                at: extra.keyNode,
                "exactly one key may name the \(what), found \(Self.list(candidates))",
                hint: nearestName(to: extra.key, among: ignored).map { "did you mean \(JSON.string($0))?" }
            )
            return nil
        }
        if !names.contains(member.key) { noteUnknown(member, names, what) }
        return member
    }

    /// Returns the keys of the first members for a message.
    private static func list(_ members: [JSONNode.Member]) -> String {
        let keys = members.prefix(10).map { JSON.string($0.key).description }.joined(separator: ", ")
        return members.count > 10 ? "\(keys), and \(members.count - 10) more" : keys
    }

    private mutating func noteUnknown(_ member: JSONNode.Member, _ keys: [String], _ what: String = "key") {
        note(
            .unknownKey,
            at: member.keyNode,
            "unknown \(what) \(JSON.string(member.key))",
            hint: Self.hint(member.key, keys)
        )
    }

    /// Returns a hint for a key that isn't known.
    private static func hint(_ key: String, _ keys: [String]) -> String? {
        if let near = nearestName(to: key, among: keys) { return "did you mean \(JSON.string(near))?" }
        return keys.isEmpty ? nil : "known: " + keys.joined(separator: ", ")
    }
}
