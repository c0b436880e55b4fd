/// The search for the place of an expression's error in the JSON string that contains the expression.
enum ExpressionPlace {
    /// Returns the number of code points of a JSON string, including its quote, before a place in the text that it
    /// represents.
    ///
    /// An escape is several code points of the string, and one of the text. Text after a parameter (`${name}`) has no
    /// place, since the parameter is replaced before the expression is parsed.
    ///
    /// - Parameters:
    ///   - source: The string as it is written in the document, with its quotes.
    ///   - text: The text that the string represents.
    ///   - line: The line of the text, from 1.
    ///   - column: The code point of the line, from 1.
    /// - Complexity: O(*n*)
    static func distance(in source: String, of text: String, line: Int, column: Int) -> Int? {
        var index = 0
        var rest = line
        var characters = text.unicodeScalars[...]
        while rest > 1 {
            guard let next = characters.popFirst() else { return nil }
            index += 1
            if next == "\n" { rest -= 1 }
        }
        index += max(0, column - 1)
        let prefix = String(String.UnicodeScalarView(text.unicodeScalars.prefix(index)))
        if prefix.contains("${") { return nil }
        var written = source.unicodeScalars.dropFirst()
        var distance = 1
        for _ in 0..<index {
            let length = length(of: written)
            guard length > 0 else { return nil }
            written = written.dropFirst(length)
            distance += length
        }
        return distance
    }

    /// Returns the number of code points in the string for the next code point of the text.
    private static func length(of written: Substring.UnicodeScalarView) -> Int {
        guard written.first == "\\" else { return written.isEmpty ? 0 : 1 }
        guard written.dropFirst().first == "u" else { return 2 }
        // Two escapes represent one code point beyond U+FFFF.
        let digits = String(String.UnicodeScalarView(written.dropFirst(2).prefix(4)))
        guard let unit = UInt16(digits, radix: 16), unit & 0xFC00 == 0xD800 else { return 6 }
        return 12
    }
}
