import SluiceJSON

/// The notation of values in a diagram.
enum MarbleValue {
    /// Returns the value that a single character represents.
    static func value(_ scalar: Unicode.Scalar) -> JSON {
        if ("0"..."9").contains(scalar) { return .int(Int64(scalar.value) - 48) }
        return .string(String(scalar))
    }

    /// Returns the value that the text of a `'…'` represents: JSON if it is JSON, otherwise a string.
    ///
    /// - Throws: `JSONError` for JSON that isn't a valid value of a stream: a duplicate key, a number that does not
    ///   fit, or too many levels.
    static func value(quoted text: String) throws(JSONError) -> JSON {
        guard mayBeJSON(text) else { return .string(text) }
        let root: JSONNode
        do throws(JSONError) {
            root = try JSONDocument(parsing: text).root
        } catch {
            if [.duplicateKey, .limitExceeded].contains(error.code) { throw error }
            return .string(text)
        }
        try checkNumbers(root)
        return try root.json()
    }

    /// Returns a Boolean value that indicates whether the first and the last byte could be those of JSON, so that most
    /// strings need no parsing.
    private static func mayBeJSON(_ text: String) -> Bool {
        let isSpace = { (byte: UInt8) in byte <= 0x20 }
        guard let first = text.utf8.first(where: { !isSpace($0) }), let last = text.utf8.last(where: { !isSpace($0) })
        else { return false }
        switch (first, last) {
        case (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "["), UInt8(ascii: "]")): return true
        case (UInt8(ascii: "\""), UInt8(ascii: "\"")): return true
        case (UInt8(ascii: "-"), 48...57), (48...57, 48...57): return true
        case (UInt8(ascii: "t"), UInt8(ascii: "e")), (UInt8(ascii: "f"), UInt8(ascii: "e")): return true
        case (UInt8(ascii: "n"), UInt8(ascii: "l")): return true
        default: return false
        }
    }

    private static func checkNumbers(_ root: JSONNode) throws(JSONError) {
        var pending = [root]
        while let node = pending.popLast() {
            pending.append(contentsOf: node.elements)
            pending.append(contentsOf: node.members.map(\.value))
            guard node.kind == .number else { continue }
            let isFine = node.isWholeNumber ? node.int != nil : node.double != nil
            guard isFine else {
                let text = node.sourceText
                let kind = node.isWholeNumber ? "fits into 64 bits" : "is below the largest double"
                throw JSONError(
                    .numberOutOfRange,
                    "no number of a stream is \(text.count > 24 ? text.prefix(24) + "…" : text[...])",
                    hint: "take one that \(kind), or write it as a string: '\"…\"'",
                    at: node
                )
            }
        }
    }

    /// Returns the notation of a value in a diagram: a character, or `'…'`.
    static func text(_ value: JSON) -> String {
        switch value {
        case .int(0...9): return value.description
        case .string(let text):
            var scalars = text.unicodeScalars.makeIterator()
            if let only = scalars.next(), scalars.next() == nil, standsAlone(only) { return text }
            let isPlain = text.unicodeScalars.allSatisfy { isVisible($0) }
            if isPlain, case .string(let same)? = try? self.value(quoted: text), same.utf8.elementsEqual(text.utf8) {
                return quoted(text)
            }
            return quoted(visible(value.description))
        default: return quoted(visible(value.description))
        }
    }

    /// Returns a single character in quotes, for places where it would be read otherwise.
    static func quoted(_ text: String) -> String {
        var quoted = "'"
        for scalar in text.unicodeScalars {
            quoted.unicodeScalars.append(scalar)
            if scalar == "'" { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "'"
    }

    /// Returns a Boolean value that indicates whether a string of this one character needs no quotes.
    private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "-", "(", ")", "|", "#", "^", "!", "'", "0"..."9": return false
        case "a"..."z", "A"..."Z": return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .nonspacingMark, .spacingMark, .enclosingMark:
            return false
        default: return true
        }
    }

    /// Returns a Boolean value that indicates whether the character is visible, and moves nothing around it; joiners of
    /// emoji do no harm.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value >= 0x20 }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return false
        case .format: return scalar == "\u{200C}" || scalar == "\u{200D}"
        default: return true
        }
    }

    /// Returns JSON text with escapes for invisible characters, which occur only within strings.
    private static func visible(_ json: String) -> String {
        if json.unicodeScalars.allSatisfy({ isVisible($0) }) { return json }
        var text = ""
        for scalar in json.unicodeScalars {
            if isVisible(scalar) {
                text.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let code = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - code.count) + code
            }
        }
        return text
    }
}
