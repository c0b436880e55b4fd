#if HTTP
/// A media type or a range of them (RFC 9110, 8.3.1 and 12.5.1), without its parameters.
struct MediaType: Equatable, CustomStringConvertible {
    let type: Substring
    let subtype: Substring

    /// Reads `type/subtype`, ignoring anything after a semicolon; returns `nil` for an invalid type.
    init?(_ text: some StringProtocol) {
        let essence = Substring(text).prefix { $0 != ";" }.trimmed.lowercased()
        let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else { return nil }
        type = parts[0]
        subtype = parts[1]
    }

    /// Returns whether `other` is in this range; `*` matches anything.
    func includes(_ other: MediaType) -> Bool {
        (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }

    /// Returns the ranges that an `Accept` field accepts; a range with weight 0 is not accepted.
    static func accepted(_ field: String) -> [MediaType] {
        FieldList.elements(field).compactMap { element in
            let weight = element.split(separator: ";").dropFirst().map { $0.trimmed.lowercased() }
                .first { $0.hasPrefix("q=") }
            if let weight, let number = Double(weight.dropFirst(2)), number <= 0 { return nil }
            return MediaType(element)
        }
    }

    var description: String { "\(type)/\(subtype)" }
}

/// Functions for a list in a field value (RFC 9110, 5.6.1).
enum FieldList {
    /// Returns the elements between commas outside quoted strings, without surrounding space; empty ones are left out.
    static func elements(_ value: some StringProtocol) -> [Substring] { split(value, ",") }

    /// Returns the elements between other separators, by the same rules.
    static func split(_ value: some StringProtocol, _ separator: Character) -> [Substring] {
        let value = Substring(value)
        var elements: [Substring] = []
        var start = value.startIndex
        var (isQuoted, isEscaped) = (false, false)
        for index in value.indices {
            let character = value[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted && character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == separator && !isQuoted {
                elements.append(value[start..<index].trimmed)
                start = value.index(after: index)
            }
        }
        elements.append(value[start...].trimmed)
        return elements.filter { !$0.isEmpty }
    }

    /// Returns the text of a token or of a quoted string.
    static func unquoted(_ text: Substring) -> String {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
        var result = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if character == "\\" && !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }
}
#endif
