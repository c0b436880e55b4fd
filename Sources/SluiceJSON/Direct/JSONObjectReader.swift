/// A reader of the members of one object by key. Keys in the order of the text are found immediately, others by a
/// search.
///
/// ```swift
/// let json = try JSONDocument(parsing: #"{"id": 7, "note": null}"#).root
/// var object = try json.object()
/// let id: Int = try object["id"]  // 7
/// let note: String? = try object[ifPresent: "note"]
/// let count: Int = try object["count", default: 0]
/// ```
@frozen
public struct JSONObjectReader {
    @usableFromInline let text: ParsedText
    @usableFromInline let index: Int
    @usableFromInline var next: Int
    @usableFromInline let end: Int

    @inlinable
    init(text: ParsedText, index: Int) {
        self.text = text
        self.index = index
        next = index + 2
        end = Tape.end(text.tape[index + 1])
    }

    /// The object.
    public var node: JSONNode { JSONNode(text: text, index: index) }

    /// The value of a required member.
    /// - Throws: ``JSONError`` if it is missing, and the type's own errors.
    /// - Complexity: O(1) in the order of the text, otherwise O(*n*) in the number of members.
    @inlinable
    public subscript<T: JSONReadable>(key: StaticString) -> T {
        mutating get throws {
            let value = find(key)
            if value < 0 { throw missing(key) }
            if let scalar = T._scalar(JSONScalarSource(text, value)) { return scalar }
            return try T(json: JSONNode(text: text, index: value))
        }
    }

    /// The value of a member, or nil if it is missing or null.
    /// - Throws: The type's own errors.
    @inlinable
    public subscript<T: JSONReadable>(ifPresent key: StaticString) -> T? {
        mutating get throws {
            let value = find(key)
            if value < 0 || Tape.isNull(text.tape[value]) { return nil }
            if let scalar = T._scalar(JSONScalarSource(text, value)) { return scalar }
            return try T(json: JSONNode(text: text, index: value))
        }
    }

    /// The value of a member, or a default if it is missing or null.
    /// - Throws: The type's own errors.
    @inlinable
    public subscript<T: JSONReadable>(key: StaticString, default value: @autoclosure () -> T) -> T {
        mutating get throws { try self[ifPresent: key] ?? value() }
    }

    /// Returns the node of a member, or nil if it is missing.
    @inlinable
    public mutating func node(_ key: StaticString) -> JSONNode? {
        let value = find(key)
        return value < 0 ? nil : JSONNode(text: text, index: value)
    }

    /// Returns the index of a key's value, or -1.
    @inlinable @inline(__always)
    mutating func find(_ key: StaticString) -> Int {
        if next < end, key.hasPointerRepresentation {
            let word = text.tape[next]
            let length = key.utf8CodeUnitCount
            if Tape.isPlainString(word), Tape.length(word) == length,
                equalBytes(text.bytes + Tape.offset(word), key.utf8Start, length),
                Tape.isPlainObject(text.tape[index])
            {
                let value = next &+ 1
                next = text.skip(value)
                return value
            }
        }
        return search(key)
    }

    @usableFromInline @inline(never)
    mutating func search(_ key: StaticString) -> Int {
        let found = key.withUTF8Buffer { text.value(in: index, forKey: $0) } ?? -1
        if found >= 0 { next = text.skip(found) }
        return found
    }

    @usableFromInline @inline(never)
    func missing(_ key: StaticString) -> JSONError {
        var error = JSONError(.missingKey, "the key \(JSON.string(key.description)) is missing", at: node)
        error.snippet = node.snippet
        return error
    }
}
