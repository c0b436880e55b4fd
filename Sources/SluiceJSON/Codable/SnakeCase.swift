#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The conversion of keys between `oneTwo` and `one_two`, with the results of Foundation's coders for every key.
package enum SnakeCase {
    /// Returns the key in camel case: `one_two` becomes `oneTwo`. Underscores at both ends stay.
    ///
    /// Every word after the first is capitalized as Foundation's `capitalized` does it, which also capitalizes the letter
    /// after a digit, a dot, or a hyphen: `address_1line` becomes `address1Line`.
    static func removed(from key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" }) else {
            return key
        }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        let joined = words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
        return key[..<first] + joined + key[key.index(after: last)...]
    }

    /// Returns the key in snake case: `oneTwoURL` becomes `one_two_url`, and `myURLProperty` becomes `my_url_property`.
    ///
    /// Capital and small letters are found scalar by scalar, as Foundation does, while the steps from one letter to the next
    /// are whole characters.
    package static func added(to key: String, separator: String = "_") -> String {
        guard !key.isEmpty else { return key }
        var words: [Range<String.Index>] = []
        var wordStart = key.startIndex
        var search = key.index(after: wordStart)..<key.endIndex
        while let upper = letter(in: key, search, isUppercase) {
            words.append(wordStart..<upper.lowerBound)
            search = upper.lowerBound..<search.upperBound
            guard let lower = letter(in: key, search, isLowercase) else {
                wordStart = search.lowerBound
                break
            }
            if lower.lowerBound == key.index(after: upper.lowerBound) {
                wordStart = upper.lowerBound
            } else {
                let before = key.index(before: lower.lowerBound)
                if upper.lowerBound <= before { words.append(upper.lowerBound..<before) }
                wordStart = before
            }
            search = lower.upperBound..<search.upperBound
        }
        words.append(wordStart..<search.upperBound)
        return words.map { key[$0].lowercased() }.joined(separator: separator)
    }

    /// Returns the place of the first scalar in a range that satisfies a condition, or nil.
    private static func letter(
        in key: String,
        _ range: Range<String.Index>,
        _ condition: (Unicode.Scalar) -> Bool
    ) -> Range<String.Index>? {
        let scalars = key[range].unicodeScalars
        guard let index = scalars.firstIndex(where: condition) else { return nil }
        return index..<scalars.index(after: index)
    }

    private static func isUppercase(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        return category == .uppercaseLetter || category == .titlecaseLetter
    }

    private static func isLowercase(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .lowercaseLetter
    }
}
