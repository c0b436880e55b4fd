/// The translation of combine-magic's expressions (formats of `NSPredicate` and `NSExpression`, whose `%d` are the
/// values) to CEL.
///
/// Formats with a certain meaning are translated; others are rejected with the name of the unsupported part.
enum PredicateFormat {
    /// The use of an expression, which determines its placeholders.
    enum Use {
        case filter, map, scan

        /// The variables that replace the placeholders, in order.
        var arguments: [String] { self == .scan ? ["acc", "x"] : ["x"] }
    }

    /// An error that explains why a format is rejected.
    struct Fault: Error {
        /// The position of the character, from 1.
        let place: Int
        let message: String
        let hint: String?
    }

    /// The maximum length of a format, in Unicode scalars.
    static let maximumLength = 10_000

    /// Returns the expression in CEL.
    static func cel(_ format: String, _ use: Use) throws(Fault) -> String {
        guard format.unicodeScalars.count <= maximumLength else {
            throw Fault(place: maximumLength, message: "it is longer than \(maximumLength) characters", hint: nil)
        }
        var translator = PredicateTranslator(tokens: try PredicateToken.tokens(format), use: use)
        return try translator.translate()
    }
}

/// The tokens of a format.
enum PredicateToken: Equatable {
    case whole(String), fraction(String)
    case placeholder
    /// A sign: an operator, a parenthesis, a brace, or a comma.
    case sign(String)
    /// A word, in its original case; names of functions have their colons.
    case word(String)
    case end

    /// The token as it was written, for messages.
    var text: String {
        switch self {
        case .whole(let text), .fraction(let text), .sign(let text), .word(let text): "'\(text)'"
        case .placeholder: "'%d'"
        case .end: "the end"
        }
    }

    /// The signs, with their names in CEL.
    private static let signs: [String: String] = [
        "==": "==", "!=": "!=", "<>": "!=", "<=": "<=", "=<": "<=", ">=": ">=", "=>": ">=", "&&": "&&", "||": "||",
        "**": "**", ":=": ":=", "=": "==", "<": "<", ">": ">", "!": "!", "+": "+", "-": "-", "*": "*", "/": "/",
        "(": "(",
        ")": ")", "{": "{", "}": "}", ",": ",",
    ]

    static func tokens(_ format: String) throws(PredicateFormat.Fault) -> [(token: PredicateToken, place: Int)] {
        let scalars = Array(format.unicodeScalars)
        var tokens: [(PredicateToken, Int)] = []
        var index = 0
        func run(from start: Int, _ belongs: (Unicode.Scalar) -> Bool) -> String {
            var end = start
            while end < scalars.count, belongs(scalars[end]) { end += 1 }
            return String(String.UnicodeScalarView(scalars[start..<end]))
        }
        func fault(_ message: String, _ hint: String? = nil) -> PredicateFormat.Fault {
            PredicateFormat.Fault(place: index + 1, message: message, hint: hint)
        }
        while index < scalars.count {
            let scalar = scalars[index]
            let place = index + 1
            if scalar.properties.isWhitespace {
                index += 1
                continue
            }
            if ("0"..."9").contains(scalar) || scalar == "." {
                let text = run(from: index) { ("0"..."9").contains($0) || $0 == "." || isLetter($0) }
                if let value = Int64(text) {
                    // As in CEL: without leading zeros.
                    tokens.append((.whole("\(value)"), place))
                } else if text.wholeMatch(of: /[0-9]+\.[0-9]+/) != nil, Double(text)?.isFinite == true {
                    tokens.append((.fraction(text), place))
                } else {
                    throw fault(
                        "the number '\(text.prefix(24))' is not translated",
                        "write it with digits, within 64 bits"
                    )
                }
                index += text.unicodeScalars.count
                continue
            }
            if scalar == "%" {
                let text = "%" + run(from: index + 1) { isLetter($0) || $0 == "@" }
                guard ["%d", "%i", "%D", "%ld", "%li", "%lld", "%lli", "%@"].contains(text) else {
                    throw fault("the placeholder '\(text.prefix(24))' is not translated", "the program's are %d")
                }
                tokens.append((.placeholder, place))
                index += text.unicodeScalars.count
                continue
            }
            if isLetter(scalar) || ["_", "@", "$"].contains(scalar) {
                let text = run(from: index) {
                    isLetter($0) || ("0"..."9").contains($0) || "_@$.:".unicodeScalars.contains($0)
                }
                tokens.append((.word(text), place))
                index += text.unicodeScalars.count
                continue
            }
            if scalar == "'" || scalar == "\"" {
                throw fault("a text is not translated", "the program's values here are numbers")
            }
            let pair = String(String.UnicodeScalarView(scalars[index..<min(index + 2, scalars.count)]))
            if let sign = signs[pair] {
                tokens.append((.sign(sign), place))
                index += min(2, scalars.count - index)
            } else if let sign = signs[String(scalar)] {
                tokens.append((.sign(sign), place))
                index += 1
            } else {
                throw fault("'\(ShownText.cut(String(scalar), columns: 4))' is not translated")
            }
        }
        tokens.append((.end, scalars.count + 1))
        return tokens
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }
}
