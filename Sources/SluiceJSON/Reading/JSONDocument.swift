/// A parsed text: its bytes and the position of each value in them.
///
/// ```swift
/// let document = try JSONDocument(parsing: #"{"stream": [{"value": 1}]}"#)
/// let value = document[["stream", 0, "value"]]
/// value?.int                 // 1
/// value?.position.column     // 23
/// value?.path.description    // stream[0].value
/// ```
///
/// Values are decoded only when they are read. A document is immutable, shared without a copy, and as deep as its
/// limits allow: parsing, walking, and releasing it use no recursion.
public struct JSONDocument: Sendable {
    let text: ParsedText

    /// Reads a text with a single value.
    /// - Throws: ``JSONError`` at the first place where the text is not JSON, exceeds a limit, or repeats a key.
    /// - Complexity: O(*n*) in the length of the text.
    public init(
        parsing text: String,
        limits: JSONLimits = .default,
        duplicateKeys: JSONDuplicateKeys = .refused
    ) throws(JSONError) {
        self.text = try ParsedText.reading(text.utf8, limits, duplicateKeys)
    }

    /// Reads a single value from UTF-8 bytes (`[UInt8]`, `Data`, a buffer, or a slice of one).
    /// - Throws: ``JSONError`` at the first place where the text is not JSON, exceeds a limit, or repeats a key.
    /// - Complexity: O(*n*) in the number of bytes.
    public init(
        parsing bytes: some Sequence<UInt8>,
        limits: JSONLimits = .default,
        duplicateKeys: JSONDuplicateKeys = .refused
    ) throws(JSONError) {
        self.text = try ParsedText.reading(bytes, limits, duplicateKeys)
    }

    init(text: ParsedText) { self.text = text }

    /// The root value.
    public var root: JSONNode { JSONNode(text: text, index: 0) }

    /// The value at the end of a path, or nil if the path leads nowhere.
    public subscript(path: JSONPath) -> JSONNode? {
        var node = root
        for component in path.components {
            let next: JSONNode?
            switch component {
            case .key(let key): next = node[key]
            case .index(let index): next = node[index]
            }
            guard let next else { return nil }
            node = next
        }
        return node
    }

    /// The text's bytes.
    /// - Complexity: O(*n*), since the bytes are copied.
    public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: text.bytes, count: text.count)) }

    /// Returns the line and column of a byte.
    /// - Complexity: O(*n*) in the offset.
    public func position(ofByte offset: Int) -> JSONPosition { text.position(of: offset) }
}

extension ParsedText {
    static func reading(
        _ bytes: some Sequence<UInt8>,
        _ limits: JSONLimits,
        _ duplicates: JSONDuplicateKeys
    ) throws(JSONError) -> ParsedText {
        let result = bytes.withContiguousStorageIfAvailable { buffer -> Result<ParsedText, JSONError> in
            Result { () throws(JSONError) in
                try TextParser.parse(UnsafeRawBufferPointer(buffer), limits: limits, duplicates: duplicates)
            }
        }
        if let result { return try result.get() }
        let copy = Array(bytes)
        return try copy.withUnsafeBytes { buffer -> Result<ParsedText, JSONError> in
            Result { () throws(JSONError) in try TextParser.parse(buffer, limits: limits, duplicates: duplicates) }
        }.get()
    }
}
