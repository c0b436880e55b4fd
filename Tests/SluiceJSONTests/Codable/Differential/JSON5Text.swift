/// Makes up JSON5 texts: values, each spelled in one of the ways that JSON5 has for it.
struct JSON5Text {
    var random: SeededGenerator
    /// A Boolean value that indicates whether a token is occasionally dropped, doubled, or inserted.
    var isDamaged = false
    /// Without it the texts are strict JSON, but for their trailing commas.
    var isJSON5 = true

    private mutating func one(of choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

    mutating func space() -> String {
        switch Int.random(in: 0..<(isJSON5 ? 12 : 5), using: &random) {
        case 0...2: return ""
        case 3: return " "
        case 4: return one(of: ["\n", "\r\n", "\t", "\r", "  "])
        case 5: return "/* a * / \"b\" // */"
        case 6: return "// to the end, 'b' /*\n"
        case 7: return one(of: ["\u{B}", "\u{C}", "/**/", "/***/", "//\r", "/* \n é */ "])
        default: return ""
        }
    }

    /// A token, with space around it, and damaged now and then.
    private mutating func token(_ text: String) -> String {
        let token = space() + text + space()
        guard isDamaged, Int.random(in: 0..<40, using: &random) == 0 else { return token }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return ""
        case 1: return token + " " + token
        case 2:
            return token + " "
                + one(of: [",", ":", "{", "}", "[", "]", "'", "\"", "null", "a", "true", "1 ", "#", "\\", "é"])
        default:
            return one(of: ["tru", "nul", "Nan", "undefined", "-", "'a", "\"\\q\"", "\"\\v\"", "'\\0'", "/", "/*", "@"])
                + " "
        }
    }

    mutating func value(_ depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: return token(one(of: ["null", "true", "false"]))
        case 1...2: return token(number())
        case 3...4: return token(string())
        case 5...6:
            var text = token("{")
            let count = Int.random(in: 0...3, using: &random)
            for index in 0..<count {
                text += token(key(index)) + token(":") + value(depth - 1)
                if index < count - 1 || Bool.random(using: &random) { text += token(",") }
            }
            return text + token("}")
        default:
            var text = token("[")
            let count = Int.random(in: 0...3, using: &random)
            for index in 0..<count {
                text += value(depth - 1)
                if index < count - 1 || Bool.random(using: &random) { text += token(",") }
            }
            return text + token("]")
        }
    }

    /// The members of an object without its braces.
    mutating func members() -> String {
        let count = Int.random(in: 0...3, using: &random)
        var text = space()
        for index in 0..<count {
            text += token(key(index)) + token(":") + value(2)
            if index < count - 1 || Int.random(in: 0..<4, using: &random) == 0 { text += token(",") }
        }
        return text + space()
    }

    private mutating func number() -> String {
        let digits = one(of: ["0", "7", "42", "123456789", "9007199254740993", "1.5", "0.25", "1e3", "2E-2", "1.5e+2"])
        guard isJSON5 else { return one(of: ["", "-"]) + digits }
        let text = one(of: [
            digits, digits, ".5", "5.", "0.", ".25e1", "5.e2", "0x1F", "0XaB", "0x0", "0xFFFFFFFF", "Infinity", "NaN",
        ])
        return one(of: ["", "", "-", "+"]) + text
    }

    private mutating func string() -> String {
        let quote = isJSON5 ? one(of: ["\"", "'"]) : "\""
        var text = quote
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let plain = one(of: [
                "a", "Z", " ", "é", "漢", "😀", "/", "\\n", "\\t", "\\\\", "\\\"", "\\/", "\\u00e9", "\\ud83d\\ude00",
                "//", "/*", ",", "]", "}", ":", "\u{2028}",
            ])
            guard isJSON5 else {
                text += plain
                continue
            }
            text += one(of: [
                plain, plain, "\\'", quote == "'" ? "\"" : "'", "\\x41", "\\xe9", "\\\n", "\\\r\n", "\\\r", "\\b\\f\\r",
            ])
        }
        return text + quote
    }

    private mutating func key(_ index: Int) -> String {
        guard isJSON5 else { return "\"k\(index)\"" }
        let names = [
            "a", "$b", "_c", "é", "ß1", "漢字", "null", "true", "Infinity", "NaN", "x1_$", "A\u{301}", "a\u{200C}b", "ⅷ",
        ]
        return one(of: [one(of: names), one(of: names), "'k\(index)'", "\"k \(index)\"", "k\(index)"])
    }
}
