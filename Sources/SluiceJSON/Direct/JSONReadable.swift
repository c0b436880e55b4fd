/// A type that is read directly from the text, without Codable's containers.
///
/// ```swift
/// struct Measure { var id: Int, name: String, score: Double, isActive: Bool, tags: [String] }
///
/// extension Measure: JSONReadable {
///     init(json: JSONNode) throws {
///         var object = try json.object()
///         id = try object["id"]
///         name = try object["name"]
///         score = try object["score"]
///         isActive = try object["isActive"]
///         tags = try object["tags"]
///     }
/// }
/// ```
///
/// ``SluiceJSONDecoder`` uses the conformance wherever such a type occurs in a Codable one.
public protocol JSONReadable {
    /// Reads the value of a node.
    /// - Throws: ``JSONError`` with path and position, or an error of your own.
    init(json: JSONNode) throws

    /// Reads a scalar of the standard library on a fast path. Don't implement it.
    static func _scalar(_ source: JSONScalarSource) -> Self?
}

extension JSONReadable {
    /// Returns nil: the type has no fast path.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> Self? { nil }
}

/// The bytes of a scalar, without a reference to the document, which the caller keeps alive. Don't use it.
@frozen
public struct JSONScalarSource {
    @usableFromInline let word: UInt64
    @usableFromInline let bytes: UnsafePointer<UInt8>
    /// The entry on the tape.
    @usableFromInline let entry: UnsafePointer<UInt64>

    @inlinable
    init(_ text: ParsedText, _ index: Int) {
        self.init(text.bytes, text.tape + index)
    }

    @inlinable
    init(_ bytes: UnsafePointer<UInt8>, _ entry: UnsafePointer<UInt64>) {
        self.word = entry.pointee
        self.bytes = bytes
        self.entry = entry
    }

    @inlinable var raw: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + Tape.offset(word), count: Tape.length(word))
    }

    /// A whole number of at most 18 digits, or nil.
    @inlinable var integer: Int64? {
        guard Tape.isInteger(word), Tape.length(word) < 19 else { return nil }
        var at = bytes + Tape.offset(word)
        let end = at + Tape.length(word)
        let isNegative = at.pointee == UInt8(ascii: "-")
        if isNegative { at += 1 }
        var value: Int64 = 0
        while at < end {
            value = value &* 10 &+ Int64(at.pointee &- 0x30)
            at += 1
        }
        return isNegative ? 0 &- value : value
    }

    /// A finite number, or nil.
    @usableFromInline var double: Double? {
        guard word >> 60 == 3 || word >> 60 == 4 else { return nil }
        let value = DoubleText.double(raw)
        return value.isFinite ? value : nil
    }
}

/// A type that reads and writes itself directly.
public typealias JSONConvertible = JSONReadable & JSONWritable

extension JSONReadable {
    /// Reads a value from a text.
    ///
    /// ```swift
    /// try [Int](parsing: "[1, 2]")   // [1, 2]
    /// ```
    ///
    /// - Throws: ``JSONError`` with path and position, or the type's own errors.
    @inlinable
    public init(
        parsing text: String,
        limits: JSONLimits = .default,
        duplicateKeys: JSONDuplicateKeys = .firstWins
    ) throws {
        let document = try JSONDocument(parsing: text, limits: limits, duplicateKeys: duplicateKeys)
        try self.init(json: document.root.checkedForDepth())
    }

    /// Reads a value from UTF-8 bytes.
    /// - Throws: ``JSONError`` with path and position, or the type's own errors.
    @inlinable
    public init(
        parsing bytes: some Sequence<UInt8>,
        limits: JSONLimits = .default,
        duplicateKeys: JSONDuplicateKeys = .firstWins
    ) throws {
        let document = try JSONDocument(parsing: bytes, limits: limits, duplicateKeys: duplicateKeys)
        try self.init(json: document.root.checkedForDepth())
    }
}

extension JSONNode {
    /// Returns this value if it is shallow enough to be read recursively.
    @usableFromInline
    func checkedForDepth() throws(JSONError) -> JSONNode {
        if text.depth <= JSONLimits.deepestValue || isShallow { return self }
        throw JSONError(
            .limitExceeded,
            "more than \(JSONLimits.deepestValue) levels of nesting",
            at: self
        )
    }

    /// Returns a reader of the members of this value.
    /// - Throws: ``JSONError`` if this isn't an object.
    @inlinable
    public func object() throws(JSONError) -> JSONObjectReader {
        guard Tape.isObject(text.tape[index]) else { throw expected(.object) }
        return JSONObjectReader(text: text, index: index)
    }

    /// Returns the only member of this value, as the synthesized Codable code of an enum with payloads writes it.
    ///
    /// ```swift
    /// let member = try JSONDocument(parsing: #"{"delay": {"seconds": 1}}"#).root.onlyMember()
    /// var payload = try member.value.object()
    /// let seconds: Double = try payload["seconds"]  // 1, where member.key is "delay"
    /// ```
    ///
    /// - Throws: ``JSONError`` if this isn't an object or doesn't have exactly one member.
    public func onlyMember() throws(JSONError) -> Member {
        guard Tape.isObject(text.tape[index]) else { throw expected(.object) }
        guard count == 1 else {
            throw JSONError(.invalidValue, "expected exactly one member, found \(count)", at: self)
        }
        return Member(
            keyNode: JSONNode(text: text, index: index + 2),
            value: JSONNode(text: text, index: index + 3)
        )
    }

    /// Returns the error for a value of an unexpected kind.
    @usableFromInline @inline(never)
    func expected(_ kind: Kind) -> JSONError {
        var error = JSONError(.wrongType, "expected \(kind.phrase), found \(self.kind.phrase)", at: self)
        error.snippet = snippet
        return error
    }

    /// Returns the error for a number that a type cannot hold.
    @usableFromInline @inline(never)
    func unfit(_ type: Any.Type) -> JSONError {
        var error = JSONError(
            .numberOutOfRange,
            "the number \(snippet) does not fit into \(type)",
            at: self
        )
        error.snippet = snippet
        return error
    }
}
