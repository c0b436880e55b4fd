/// A type that reads itself straight from the text, without Codable's containers.
///
///     struct Reading { var id: Int, name: String, score: Double, isActive: Bool, tags: [String] }
///
///     extension Reading: JSONReadable {
///         init(json: JSONNode) throws {
///             var object = try json.object()
///             id = try object["id"]
///             name = try object["name"]
///             score = try object["score"]
///             isActive = try object["isActive"]
///             tags = try object["tags"]
///         }
///     }
///
/// ``SluiceJSONDecoder`` finds the conformance by itself wherever such a type occurs in a Codable one.
public protocol JSONReadable {
    /// Reads the value of a node.
    /// - Throws: ``JSONError`` with path and position, or an error of your own.
    init(json: JSONNode) throws

    /// Not for you: the short way of the standard library's scalars.
    static func _scalar(_ source: JSONScalarSource) -> Self?
}

extension JSONReadable {
    /// The short way of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> Self? { nil }
}

/// Not for you: a scalar's bytes, without a reference to the document, which the caller holds while this lives.
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
    ///     try [Int](parsing: "[1, 2]")   // [1, 2]
    ///
    /// - Throws: ``JSONError`` with path and position, or what the type throws itself.
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
    /// - Throws: ``JSONError`` with path and position, or what the type throws itself.
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
    /// This value, if it may be read recursively.
    @usableFromInline
    func checkedForDepth() throws(JSONError) -> JSONNode {
        if text.depth <= JSONLimits.deepestValue || isShallow { return self }
        throw JSONError(
            .limitExceeded,
            "more than \(JSONLimits.deepestValue) levels of nesting",
            at: self
        )
    }

    /// The members of this value, to be read by key.
    /// - Throws: ``JSONError`` if this is no object.
    @inlinable
    public func object() throws(JSONError) -> JSONObjectReader {
        guard Tape.isObject(text.tape[index]) else { throw expected(.object) }
        return JSONObjectReader(text: text, index: index)
    }

    /// The one member of this value: what the synthesized Codable of an enum with payloads writes.
    ///
    ///     // {"delay": {"seconds": 1}}
    ///     let member = try json.onlyMember()
    ///     switch member.key {
    ///     case "delay": var payload = try member.value.object() …
    ///
    /// - Throws: ``JSONError`` if this is no object or has another count of members.
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

    /// The error for a value of another kind than the one expected.
    @usableFromInline @inline(never)
    func expected(_ kind: Kind) -> JSONError {
        var error = JSONError(.wrongType, "expected \(kind.phrase), found \(self.kind.phrase)", at: self)
        error.snippet = snippet
        return error
    }

    /// The error for a number that a type cannot hold.
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
