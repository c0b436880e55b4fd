extension JSONNode {
    /// The value of the member with this key, or nil if this isn't an object or lacks the key.
    ///
    /// If a key occurs twice, the document's ``JSONDuplicateKeys`` decides which member counts.
    /// - Complexity: O(*n*) in the number of members.
    public subscript(key: String) -> JSONNode? {
        guard Tape.isObject(word) else { return nil }
        var key = key
        return key.withUTF8 { bytes in text.value(in: index, forKey: bytes) }.map { JSONNode(text: text, index: $0) }
    }

    /// The element at this index, or nil if this isn't an array or is too short.
    /// - Complexity: O(*n*) in the index.
    public subscript(element: Int) -> JSONNode? {
        guard element >= 0, element < count, Tape.kind(word) == .array else { return nil }
        var at = index + 2
        for _ in 0..<element { at = text.skip(at) }
        return JSONNode(text: text, index: at)
    }

    /// The elements in order; empty if this isn't an array.
    public var elements: Elements {
        let isArray = Tape.kind(word) == .array
        return Elements(text: text, cursor: index + 2, end: isArray ? Tape.end(text.tape[index + 1]) : 0)
    }

    /// The members in order, including repeated keys; empty if this isn't an object.
    public var members: Members {
        Members(text: text, cursor: index + 2, end: Tape.isObject(word) ? Tape.end(text.tape[index + 1]) : 0)
    }

    /// The elements of an array, in order.
    public struct Elements: Sequence, IteratorProtocol, Sendable {
        let text: ParsedText
        var cursor: Int
        let end: Int

        /// Returns the next element.
        public mutating func next() -> JSONNode? {
            guard cursor < end else { return nil }
            defer { cursor = text.skip(cursor) }
            return JSONNode(text: text, index: cursor)
        }
    }

    /// The members of an object, in order.
    public struct Members: Sequence, IteratorProtocol, Sendable {
        let text: ParsedText
        var cursor: Int
        let end: Int

        /// Returns the next member.
        public mutating func next() -> Member? {
            guard cursor < end else { return nil }
            defer { cursor = text.skip(cursor + 1) }
            return Member(keyNode: JSONNode(text: text, index: cursor), value: JSONNode(text: text, index: cursor + 1))
        }
    }

    /// A key and its value, each with its place.
    public struct Member: Sendable {
        /// The key as a node, for its position.
        public let keyNode: JSONNode
        /// The value.
        public let value: JSONNode
        /// The key with its escapes resolved.
        public var key: String { keyNode.text.string(keyNode.index) }
        /// The bytes of the whole member as they appear in the text: `"key" : value`.
        public var source: [UInt8] {
            let begin = keyNode.byteRange.lowerBound
            let range = UnsafeBufferPointer(
                start: keyNode.text.bytes + begin,
                count: value.byteRange.upperBound - begin
            )
            return Array(range)
        }
    }
}

extension JSONNode {
    /// The path from the root of the document to this value; for a key, the path of its member.
    /// - Complexity: O(*n*) in the length of the document before it; less if the path of a preceding value was read
    ///   last.
    public var path: JSONPath { text.path(to: index) }
}

extension ParsedText {
    /// Returns the index of the value with this key in the object at `index`, or nil.
    @usableFromInline
    func value(in index: Int, forKey key: UnsafeBufferPointer<UInt8>) -> Int? {
        let end = Tape.end(tape[index + 1])
        var at = index + 2
        var found: Int?
        let takesLast = lastWins && Tape.kind(tape[index]) == .objectWithDuplicates
        while at < end {
            if stringEquals(at, key) {
                found = at + 1
                if !takesLast { return found }
            }
            at = skip(at + 1)
        }
        return found
    }
}
