/// The grammar of a text that the decoder reads: RFC 8259, or an extension of it.
struct TextDialect {
    var allowsTrailingCommas = false
    var allowsJSON5 = false
    var assumesTopLevelDictionary = false

    /// A Boolean value that indicates whether texts are translated before they are read.
    @inline(__always)
    var needsTranslation: Bool { allowsJSON5 || assumesTopLevelDictionary }
}

extension ParsedText {
    /// Reads a text in any of JSON's encodings and in a dialect.
    ///
    /// Strict UTF-8 goes to the reader unchanged. Any other encoding is converted to UTF-8, and any other grammar to
    /// strict JSON, before the same reader reads it.
    static func reading(
        _ bytes: some Sequence<UInt8>,
        _ limits: JSONLimits,
        _ duplicates: JSONDuplicateKeys,
        _ dialect: TextDialect
    ) throws(JSONError) -> ParsedText {
        let result = bytes.withContiguousStorageIfAvailable { buffer -> Result<ParsedText, JSONError> in
            Result { () throws(JSONError) in
                try parse(UnsafeRawBufferPointer(buffer), limits, duplicates, dialect)
            }
        }
        if let result { return try result.get() }
        let copy = Array(bytes)
        return try copy.withUnsafeBytes { buffer -> Result<ParsedText, JSONError> in
            Result { () throws(JSONError) in try parse(buffer, limits, duplicates, dialect) }
        }.get()
    }

    @inline(__always)
    private static func parse(
        _ text: UnsafeRawBufferPointer,
        _ limits: JSONLimits,
        _ duplicates: JSONDuplicateKeys,
        _ dialect: TextDialect
    ) throws(JSONError) -> ParsedText {
        let (encoding, markLength) = TextEncoding.detect(text)
        if encoding == .utf8, !dialect.needsTranslation {
            return try TextParser.parse(
                text,
                limits: limits,
                duplicates: duplicates,
                allowsTrailingCommas: dialect.allowsTrailingCommas
            )
        }
        return try translated(text, encoding, markLength, limits, duplicates, dialect)
    }

    @inline(never)
    private static func translated(
        _ text: UnsafeRawBufferPointer,
        _ encoding: TextEncoding,
        _ markLength: Int,
        _ limits: JSONLimits,
        _ duplicates: JSONDuplicateKeys,
        _ dialect: TextDialect
    ) throws(JSONError) -> ParsedText {
        // The reader would reject the translation of an overlong text, but only after the work of translating it.
        if text.count > limits.maximumByteCount {
            return try TextParser.parse(text, limits: limits, duplicates: duplicates)
        }
        let source = try encoding.utf8(text, markLength: markLength)
        var strict = source
        var origin: TextOrigin?
        if dialect.allowsJSON5 {
            (strict, origin) = try JSON5Translator.translate(source, wraps: dialect.assumesTopLevelDictionary)
        } else if dialect.assumesTopLevelDictionary {
            (strict, origin) = wrapped(source)
        }
        let result = strict.withUnsafeBytes { buffer in
            Result { () throws(JSONError) in
                try TextParser.parse(
                    buffer,
                    limits: limits,
                    duplicates: duplicates,
                    allowsTrailingCommas: dialect.allowsTrailingCommas,
                    origin: origin
                )
            }
        }
        return try result.get()
    }

    /// Returns the text wrapped in braces, unless it begins with one.
    private static func wrapped(_ source: [UInt8]) -> ([UInt8], TextOrigin?) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = source.starts(with: mark) ? source.dropFirst(3) : source[...]
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
        if content.first(where: { !isSpace($0) }) == UInt8(ascii: "{") { return (source, nil) }
        let marks = [
            TextOrigin.Mark(translated: 0, original: content.startIndex),
            TextOrigin.Mark(translated: 1, original: content.startIndex),
            TextOrigin.Mark(translated: content.count + 1, original: source.count),
        ]
        let strict = [UInt8(ascii: "{")] + content + [UInt8(ascii: "}")]
        return (strict, TextOrigin(bytes: source, marks: marks))
    }
}
