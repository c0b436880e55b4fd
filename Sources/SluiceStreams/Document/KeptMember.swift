import SluiceJSON

/// A member of an object that is kept byte for byte: `x-…`, or an unknown one.
struct KeptMember: Sendable, Hashable {
    let key: String
    let value: JSONSlice
}

extension JSONNode {
    /// Returns the members of an object that are not among `known`, in the order of the text.
    func kept(besides known: [String]) -> [KeptMember] {
        members.filter { !known.contains($0.key) }.map { KeptMember(key: $0.key, value: JSONSlice($0.value)) }
    }
}

/// A key of any name.
struct MemberKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringLiteral name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<MemberKey> {
    /// Returns the members that are not among `known`, in the order of their keys, since decoders give them in any
    /// order.
    func kept(besides known: [String]) throws -> [KeptMember] {
        try allKeys.filter { !known.contains($0.stringValue) }.sorted { $0.stringValue < $1.stringValue }
            .map { KeptMember(key: $0.stringValue, value: try decode(JSONSlice.self, forKey: $0)) }
    }
}

extension KeyedEncodingContainer<MemberKey> {
    /// Writes members that were kept.
    mutating func encode(_ members: [KeptMember]) throws {
        for member in members { try encode(member.value, forKey: MemberKey(member.key)) }
    }
}
