extension String {
    /// The text for an error on a terminal: control characters, and characters that change the text direction, are
    /// written as escapes.
    package var shown: String {
        guard unicodeScalars.contains(where: \.isUnshowable) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isUnshowable {
                text += scalar.escape
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Returns the text for an error, with at most `limit` code points, and an ellipsis if there are more.
    ///
    /// - Complexity: O(`limit`)
    func shortened(to limit: Int = 60) -> String {
        let kept = unicodeScalars.prefix(limit)
        return String(String.UnicodeScalarView(kept)).shown + (kept.endIndex == unicodeScalars.endIndex ? "" : "…")
    }

    /// The text in quotes for an error: its first 30 code points, and an ellipsis if there are more.
    var shortlyQuoted: String {
        // An expression may create many errors: most texts need no escape.
        let beginning = utf8.prefix(30)
        if beginning.allSatisfy({ (32..<127).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            return "\"\(Substring(beginning))\"" + (beginning.endIndex == endIndex ? "" : "…")
        }
        let kept = unicodeScalars.prefix(30)
        let isWhole = kept.endIndex == unicodeScalars.endIndex
        return String(String.UnicodeScalarView(kept)).quoted.shown + (isWhole ? "" : "…")
    }
}

extension Unicode.Scalar {
    /// A Boolean value that indicates whether a terminal would act on the code point instead of showing it.
    package var isUnshowable: Bool {
        switch value {
        case 0..<32, 127..<160, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    fileprivate var escape: String {
        switch value {
        case 9: return "\\t"
        case 10: return "\\n"
        case 13: return "\\r"
        default:
            let digits = String(value, radix: 16)
            return "\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        }
    }
}

extension CELValue {
    /// The value for an error: as an expression's text, shortened without visiting all of it.
    ///
    /// - Complexity: O(1)
    var shown: String {
        switch self {
        case .string(let text): text.shortlyQuoted
        case .bytes(let bytes):
            bytes.count <= 20 ? description : CELValue.bytes(Array(bytes.prefix(20))).description + "…"
        case .list(let list): "a list of \(list.count) elements"
        case .map(let map): "a map of \(map.count) entries"
        case .optional: "an optional"
        default: description
        }
    }
}
