/// `oneTwo` to `one_two` and back, as Foundation's coders do it.
package enum SnakeCase {
    /// `one_two` becomes `oneTwo`; underscores at both ends stay.
    static func removed(from key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" }) else {
            return key
        }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        let joined = words[0].lowercased() + words.dropFirst().map(capitalized).joined()
        return key[..<first] + joined + key[key.index(after: last)...]
    }

    private static func capitalized(_ word: Substring) -> String {
        word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }

    /// `oneTwoURL` becomes `one_two_url`, `myURLProperty` becomes `my_url_property`; with a separator of your own.
    package static func added(to key: String, separator: String = "_") -> String {
        guard !key.isEmpty else { return key }
        var words: [Range<String.Index>] = []
        var wordStart = key.startIndex
        var search = key.index(after: wordStart)..<key.endIndex
        while let upper = key[search].firstIndex(where: isUppercase) {
            words.append(wordStart..<upper)
            search = upper..<search.upperBound
            guard let lower = key[search].firstIndex(where: isLowercase) else {
                wordStart = search.lowerBound
                break
            }
            if lower == key.index(after: upper) {
                wordStart = upper
            } else {
                let before = key.index(before: lower)
                words.append(upper..<before)
                wordStart = before
            }
            search = key.index(after: lower)..<search.upperBound
        }
        words.append(wordStart..<search.upperBound)
        return words.map { key[$0].lowercased() }.joined(separator: separator)
    }

    private static func isUppercase(_ character: Character) -> Bool {
        character.unicodeScalars.first.map { $0.properties.generalCategory }.map {
            $0 == .uppercaseLetter || $0 == .titlecaseLetter
        } ?? false
    }

    private static func isLowercase(_ character: Character) -> Bool {
        character.unicodeScalars.first.map { $0.properties.generalCategory == .lowercaseLetter } ?? false
    }
}
