#if HTTP
/// A parser for templates with the grammar of RFC 6570, section 2, and its erratum 6937: `'` is allowed in a literal.
struct URITemplateParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// Returns the pieces of the template.
    mutating func parts() throws(URITemplateError) -> [URITemplate.Part] {
        var parts: [URITemplate.Part] = []
        var literal: [UInt8] = []
        while let scalar = current {
            if scalar == "{" {
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = []
                parts.append(try expression())
            } else {
                try appendLiteral(scalar, to: &literal)
            }
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        return parts
    }

    private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    /// The column of the current scalar.
    private var column: Int { position + 1 }

    private mutating func appendLiteral(_ scalar: Unicode.Scalar, to literal: inout [UInt8]) throws(URITemplateError) {
        switch scalar {
        case "}":
            throw URITemplateError(column: column, "} without {", hint: "write %7D for the character itself")
        case "%":
            literal += try escape().utf8
            return
        case _ where !Self.canBeLiteral(scalar):
            let escape = String(scalar).utf8.map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16, uppercase: true) }
            throw URITemplateError(
                column: column,
                "a template cannot have \(Self.name(scalar))",
                hint: "write \(escape.joined()) for it"
            )
        case _ where scalar.isASCII: literal.append(UInt8(scalar.value))
        default: PercentEncoding.append(String(scalar), to: &literal, literal: .unreserved)
        }
        position += 1
    }

    private mutating func expression() throws(URITemplateError) -> URITemplate.Part {
        let start = column
        position += 1
        var kind = URITemplate.Operator.simple
        if let scalar = current {
            if scalar != " ", let operation = URITemplate.Operator(rawValue: Character(scalar)) {
                kind = operation
                position += 1
            } else if "=,!@|".unicodeScalars.contains(scalar) {
                throw URITemplateError(
                    column: column,
                    "the operator \(scalar) is reserved",
                    hint: "operators are + # . / ; ? &"
                )
            }
        }
        var variables: [URITemplate.Variable] = []
        while true {
            variables.append(try variable(of: start))
            switch current {
            case ",": position += 1
            case "}":
                position += 1
                return .expression(kind, variables)
            case nil: throw Self.unclosed(start)
            case let scalar?:
                throw URITemplateError(
                    column: column,
                    "an expression cannot have \(Self.name(scalar)) here",
                    hint: "a name is letters, digits, _, single dots and escapes; , or } follows it"
                )
            }
        }
    }

    private mutating func variable(of start: Int) throws(URITemplateError) -> URITemplate.Variable {
        let column = column
        let name = try name()
        if name.isEmpty {
            guard let scalar = current else { throw Self.unclosed(start) }
            throw URITemplateError(
                column: self.column,
                scalar == "," || scalar == "}"
                    ? "a variable is missing" : "a name cannot have \(Self.name(scalar)) here",
                hint: "a name is letters, digits, _, single dots and escapes"
            )
        }
        var modifier = URITemplate.Variable.Modifier.none
        switch current {
        case "*":
            modifier = .explode
            position += 1
        case ":": modifier = .prefix(try prefix())
        default: break
        }
        return URITemplate.Variable(name: name, modifier: modifier, column: column)
    }

    private mutating func name() throws(URITemplateError) -> String {
        var name = ""
        while let scalar = current {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_":
                name.unicodeScalars.append(scalar)
                position += 1
            case "%": name += try escape()
            case "." where !name.isEmpty && !name.hasSuffix("."):
                name.unicodeScalars.append(scalar)
                position += 1
            default:
                if name.hasSuffix(".") { position -= 1 }
                return name.hasSuffix(".") ? String(name.dropLast()) : name
            }
        }
        return name
    }

    /// Reads the number after a colon.
    private mutating func prefix() throws(URITemplateError) -> Int {
        let column = column
        position += 1
        var number = 0
        var digits = 0
        while let scalar = current, let digit = Self.digit(scalar), digits < 5 {
            number = number * 10 + digit
            digits += 1
            position += 1
        }
        guard (1...9999).contains(number), digits <= 4, scalars[position - digits] != "0" else {
            throw URITemplateError(column: column, "a prefix has a length from 1 to 9999", hint: "as in {name:3}")
        }
        return number
    }

    /// Reads an escape: `%` and two digits.
    private mutating func escape() throws(URITemplateError) -> String {
        guard position + 2 < scalars.count, Self.isHexadecimal(scalars[position + 1]),
            Self.isHexadecimal(scalars[position + 2])
        else {
            throw URITemplateError(
                column: column,
                "% without two hexadecimal digits",
                hint: "write %25 for the character itself"
            )
        }
        defer { position += 3 }
        return String(String.UnicodeScalarView(scalars[position...position + 2]))
    }

    private static func unclosed(_ column: Int) -> URITemplateError {
        URITemplateError(column: column, "{ without }", hint: "write %7B for the character itself")
    }

    private static func digit(_ scalar: Unicode.Scalar) -> Int? {
        ("0"..."9").contains(scalar) ? Int(scalar.value) - 48 : nil
    }

    private static func isHexadecimal(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && PercentEncoding.value(of: UInt8(scalar.value)) != nil
    }

    private static func canBeLiteral(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x20, 0x7F...0x9F: false
        case 0x21...0x7E: !"\"%<>\\^`{|}".unicodeScalars.contains(scalar)
        default: !scalar.properties.isNoncharacterCodePoint
        }
    }

    /// Returns a readable name of a character, since some are invisible.
    private static func name(_ scalar: Unicode.Scalar) -> String {
        if scalar == " " { return "a space" }
        if (0x21...0x7E).contains(scalar.value) { return String(scalar) }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
#endif
