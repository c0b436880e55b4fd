extension JSON {
    /// The members of an object, in order, with distinct keys.
    ///
    /// ```swift
    /// var object: JSON.Object = ["b": 1, "a": 2]
    /// object["c"] = 3
    /// object.map(\.key)   // ["b", "a", "c"]
    /// ```
    ///
    /// Keys are compared by their bytes, as RFC 8259 requires: an accented letter in one scalar and in two are
    /// different keys.
    public struct Object: Sendable, RandomAccessCollection {
        /// A key and its value.
        public typealias Element = (key: String, value: JSON)

        private(set) var members: [Element] = []
        /// The position of each key, for objects with more than `scanLimit` members.
        private var places: [ByteKey: Int] = [:]

        private static let scanLimit = 16

        /// Creates an object without members.
        public init() {}

        /// Creates an object with these members; of members with the same key the first counts.
        public init(_ members: some Sequence<(key: String, value: JSON)>) {
            for (key, value) in members where self[key] == nil { append(key, value) }
        }

        /// Creates an object with members whose keys are known to be distinct.
        init(distinct members: [Element]) {
            self.members = members
            if members.count > Object.scanLimit { index() }
        }

        /// The position of the first member.
        public var startIndex: Int { 0 }
        /// The position after the last member.
        public var endIndex: Int { members.count }
        /// The member at a position.
        public subscript(position: Int) -> Element { members[position] }

        /// The value of the member with this key, or nil if the key is missing; setting nil removes the member.
        ///
        /// A new member is added at the end.
        /// - Complexity: O(1) expected; removal O(*n*).
        public subscript(key: String) -> JSON? {
            get { place(of: key).map { members[$0].value } }
            set {
                switch (place(of: key), newValue) {
                case (let place?, let value?): members[place].value = value
                case (nil, let value?): append(key, value)
                case (let place?, nil):
                    members.remove(at: place)
                    index()
                case (nil, nil): break
                }
            }
        }

        private mutating func append(_ key: String, _ value: JSON) {
            members.append((key, value))
            if members.count > Object.scanLimit + 1 {
                places[ByteKey(text: key)] = members.count - 1
            } else if members.count > Object.scanLimit {
                index()
            }
        }

        private mutating func index() {
            places.removeAll(keepingCapacity: true)
            guard members.count > Object.scanLimit else { return }
            places.reserveCapacity(members.count)
            for (place, member) in members.enumerated() { places[ByteKey(text: member.key)] = place }
        }

        private func place(of key: String) -> Int? {
            if members.count > Object.scanLimit { return places[ByteKey(text: key)] }
            let key = ByteKey(text: key)
            return members.firstIndex { ByteKey(text: $0.key) == key }
        }

        /// A key that is compared and hashed by its bytes.
        private struct ByteKey: Hashable {
            var text: String

            static func == (left: ByteKey, right: ByteKey) -> Bool {
                // Equal bytes are equal strings; only strings that compare equal need their bytes compared.
                left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
            }

            func hash(into hasher: inout Hasher) {
                for byte in text.utf8 { hasher.combine(byte) }
            }
        }
    }
}

extension JSON.Object: Hashable {
    /// Returns a Boolean value that indicates whether both have the same members, in any order.
    /// - Complexity: O(*n*) expected.
    public static func == (left: JSON.Object, right: JSON.Object) -> Bool {
        JSON.object(left) == JSON.object(right)
    }

    /// Feeds the members to a hasher, regardless of their order.
    /// - Complexity: O(*n*) in the size of the object.
    public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: 8) }

    func hash(into hasher: inout Hasher, levels: Int) {
        var sum = 0
        for (key, value) in members {
            var member = Hasher()
            member.combine(key)
            if levels > 0 { value.hash(into: &member, levels: levels - 1) }
            sum &+= member.finalize()
        }
        hasher.combine(members.count)
        hasher.combine(sum)
    }
}

extension JSON.Object: ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// The type of a key in a literal.
    public typealias Key = String
    /// The type of a value in a literal.
    public typealias Value = JSON

    /// Creates an object with members in this order; of members with the same key the last counts.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        for (key, value) in elements { self[key] = value }
    }

    /// The canonical text: `{"b":1,"a":2}`.
    public var description: String { JSON.object(self).description }
}
