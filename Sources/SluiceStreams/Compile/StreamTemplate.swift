import SluiceExpressions
import SluiceJSON

/// A text with expressions in `${…}` over the item for which its stream was started.
struct StreamTemplate: Sendable {
    /// The place of an expression in a URL, which decides how its text is written.
    enum Place: Sendable {
        case text, authority, path, query
    }

    enum Part: Sendable {
        case text(String)
        case expression(StreamExpression, Place)
        case secret(StreamSecret)
    }

    let parts: [Part]

    /// Returns the text for a subscription. A template with secrets has none; see ``field(_:)``.
    ///
    /// - Throws: ``StreamError`` for an expression that fails, or whose value has no text.
    func text(_ scope: Scope) throws -> String {
        try parts.reduce(into: "") { $0 += try Self.text(of: $1, scope) }
    }

    /// Returns the text of a header field for a subscription. In it, `${secret:NAME}` is a reference to a secret of the
    /// document, and `$${` the text `${`, wherever that comes from: what an item contains is not a reference.
    ///
    /// - Throws: ``StreamError`` as ``text(_:)`` does, and for an item that ends with `$` before a secret.
    func field(_ scope: Scope) throws -> String {
        var (field, plain) = ("", "")
        for part in parts {
            guard case .secret(let secret) = part else {
                plain += try Self.text(of: part, scope)
                continue
            }
            guard !plain.hasSuffix("$") else {
                throw StreamError(message: "a text that ends with '$' can't be followed by a secret")
            }
            field += plain.replacing("${", with: "$${") + "\(StreamSecret.opening)\(secret.name)}"
            plain = ""
        }
        return field + plain.replacing("${", with: "$${")
    }

    private static func text(of part: Part, _ scope: Scope) throws -> String {
        switch part {
        case .text(let piece): piece
        case .expression(let expression, let place):
            try written(text(of: expression.join(scope)([]).json()), at: place)
        case .secret: throw StreamError(message: "a secret can be used in \"headers\" and in credentials only")
        }
    }

    /// Returns the value of a template that is one expression; otherwise its text.
    func value(_ scope: Scope) throws -> JSON {
        if parts.count == 1, case .expression(let expression, _) = parts[0] {
            return try expression.join(scope)([]).json()
        }
        return .string(try text(scope))
    }

    private static func text(of value: JSON) throws -> String {
        switch value {
        case .string(let text): return text
        case .null: throw StreamError(message: "a template gives null: let its expression give a text or a number")
        default: return value.text()
        }
    }

    private static func written(_ text: String, at place: Place) throws -> String {
        switch place {
        case .text: return text
        case .authority:
            guard !text.isEmpty, !text.hasPrefix("."), !text.hasSuffix("."), !text.contains(".."),
                text.utf8.count <= 253, text.utf8.allSatisfy(isOfName)
            else {
                throw StreamError(message: "url: \(JSON.string(String(text.prefix(100)))) is not a part of a host name")
            }
            return text
        case .path, .query:
            var result = ""
            for byte in text.utf8 {
                if isOfName(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~") {
                    result.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    let digits = String(byte, radix: 16, uppercase: true)
                    result += digits.count == 1 ? "%0" + digits : "%" + digits
                }
            }
            return result
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// A piece of the text of a template.
    enum Piece: Equatable {
        case text(String)
        case expression(String)
        case secret(StreamSecret)
    }

    /// Returns the pieces of a template: `$${` is the text `${`.
    ///
    /// - Throws: ``StreamError`` for a brace that is not closed, or a reference to a secret without a valid name.
    static func pieces(_ text: String) throws(StreamError) -> [Piece] {
        var pieces: [Piece] = []
        var (literal, rest) = ("", Substring(text))
        while let character = rest.first {
            if rest.hasPrefix("$${") {
                literal += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                let isSecret = rest.hasPrefix(StreamSecret.opening)
                guard let end = end(of: rest.dropFirst(2)) else {
                    throw StreamError(
                        message: isSecret ? "a reference to a secret is not closed" : "an expression is not closed"
                    )
                }
                if !literal.isEmpty { pieces.append(.text(literal)) }
                literal = ""
                let reference = String(rest[...end])
                if isSecret {
                    guard let secret = StreamSecret(reference: reference) else {
                        let name = JSON.string(String(reference.dropFirst(StreamSecret.opening.count).dropLast()))
                        throw StreamError(message: "\(name) is not the name of a secret")
                    }
                    pieces.append(.secret(secret))
                } else {
                    pieces.append(.expression(String(reference.dropFirst(2).dropLast())))
                }
                rest = rest[rest.index(after: end)...]
            } else {
                literal.append(character)
                rest = rest.dropFirst()
            }
        }
        if !literal.isEmpty || pieces.isEmpty { pieces.append(.text(literal)) }
        return pieces
    }

    /// Returns the place of the brace that closes an expression, which may have braces and strings with braces in it.
    private static func end(of text: Substring) -> Substring.Index? {
        var (depth, quote, isEscaped) = (0, Character?.none, false)
        for index in text.indices {
            let character = text[index]
            if let open = quote {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == open {
                    quote = nil
                }
                continue
            }
            switch character {
            case "'", "\"": quote = character
            case "{": depth += 1
            case "}":
                if depth == 0 { return index }
                depth -= 1
            default: break
            }
        }
        return nil
    }
}

extension Stage {
    /// Returns the template of a text.
    ///
    /// - Parameter isURL: A Boolean value that indicates whether the text is a URL, in which the texts of expressions are
    ///   percent-encoded for their component.
    func template(_ text: String, _ name: String, isURL: Bool = false) -> StreamTemplate {
        let pieces = pieces(text, name)
        var (parts, url) = ([StreamTemplate.Part](), URLBeginning())
        for piece in pieces {
            let expression: String
            switch piece {
            case .text(let text):
                parts.append(.text(text))
                if isURL { url.add(text) }
                continue
            case .secret(let secret):
                guard name == "headers" else {
                    note(name, "a secret can be used in \"headers\" and in credentials only")
                    return StreamTemplate(parts: [])
                }
                parts.append(.secret(secret))
                continue
            case .expression(let text): expression = text
            }
            let place = isURL ? url.nextPlace() : .text
            if place == nil, let parameter = scope.parameters[expression]?.string {
                // The base of a URL, from the document or from what refers to it.
                parts.append(.text(parameter))
                url.add(parameter)
                continue
            }
            guard let place else {
                note(name, "a URL begins with http:// or https://, before any expression")
                return StreamTemplate(parts: [])
            }
            parts.append(.expression(templateExpression(expression, name), place))
        }
        return StreamTemplate(parts: parts)
    }

    /// Returns the pieces of a template; records an error in it.
    func pieces(_ text: String, _ name: String) -> [StreamTemplate.Piece] {
        do throws(StreamError) { return try StreamTemplate.pieces(text) } catch {
            note(name, error.message, hint: "write ${EXPRESSION} or ${secret:NAME}, and $${ for the text ${")
            return []
        }
    }
}

/// The beginning of a URL, whose pieces are added one after another: each character is looked at once.
struct URLBeginning {
    /// The place after the pieces; `nil` where no scheme has been found.
    private var place: StreamTemplate.Place?
    /// The pieces, until a scheme has been found in them.
    private var pieces = ""
    /// A Boolean value that indicates whether the pieces can't get a scheme any more.
    private var isRefused = false

    /// Adds a text of the document.
    mutating func add(_ text: String) {
        if place != nil { advance(over: text) } else if !isRefused { pieces += text }
    }

    /// Returns the place of an expression that comes next; `nil` where there is no scheme yet.
    mutating func nextPlace() -> StreamTemplate.Place? {
        guard place == nil, !isRefused else { return place }
        let lowercased = pieces.lowercased()
        if let scheme = ["http://", "https://"].first(where: lowercased.hasPrefix) {
            place = .authority
            advance(over: pieces.dropFirst(scheme.count))
            pieces = ""
        } else if pieces.utf8.count >= "https://".utf8.count {
            // More text can't make another beginning of these bytes.
            isRefused = true
            pieces = ""
        }
        return place
    }

    private mutating func advance(over text: some StringProtocol) {
        guard place != .query else { return }
        for character in text {
            if character == "?" || character == "#" {
                place = .query
                return
            }
            if character == "/" { place = .path }
        }
    }
}
