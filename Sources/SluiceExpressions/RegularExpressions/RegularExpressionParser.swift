/// Reads RE2's syntax; what is not offered is refused by name.
struct RegularExpressionParser {
    let scalars: [Unicode.Scalar]
    var position = 0
    var groupCount = 0
    var names: [String?] = []
    var depth = 0
    var isCaseFolded = false
    var isMultiline = false
    var doesDotMatchNewline = false
    var isUngreedy = false

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    static func parse(_ text: String) throws(Fault) -> (node: RegularExpressionNode, groups: [String?]) {
        var parser = RegularExpressionParser(text)
        let node = try parser.choice()
        if parser.position < parser.scalars.count { throw parser.fault("a ')' without '('") }
        return (node, parser.names)
    }

    func fault(_ message: String) -> Fault {
        Fault(.invalidArgument, "the regular expression has \(message) at position \(position)")
    }

    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        position + distance < scalars.count ? scalars[position + distance] : nil
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }

    mutating func take(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard scalars[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    mutating func choice() throws(Fault) -> RegularExpressionNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 50 else { throw fault("more than 50 nested groups") }
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(Fault) -> RegularExpressionNode {
        var parts: [RegularExpressionNode] = []
        while let scalar = peek(), scalar != "|", scalar != ")" {
            if take("\\Q") {
                while position < scalars.count, !take("\\E") {
                    parts.append(literal(scalars[position]))
                    position += 1
                }
                continue
            }
            let start = position
            let atom = try atom()
            parts.append(try repeated(atom, from: start))
        }
        return parts.isEmpty ? .empty : .sequence(parts)
    }

    func literal(_ scalar: Unicode.Scalar) -> RegularExpressionNode {
        var set = ScalarSet([scalar.value...scalar.value])
        if isCaseFolded { set.foldCase() }
        return .set(set)
    }

    private mutating func repeated(
        _ atom: RegularExpressionNode,
        from start: Int
    ) throws(Fault) -> RegularExpressionNode {
        var bounds: (Int, Int?)?
        if take("*") {
            bounds = (0, nil)
        } else if take("+") {
            bounds = (1, nil)
        } else if take("?") {
            bounds = (0, 1)
        } else if peek() == "{" {
            bounds = try counted()
        }
        guard let (least, most) = bounds else { return atom }
        let isGreedy = take("?") == isUngreedy
        if peek() == "*" || peek() == "+" || peek() == "?" { throw fault("a repetition of a repetition") }
        return .repetition(atom, least: least, most: most, isGreedy: isGreedy)
    }

    /// `{2}`, `{2,}`, `{2,5}`; any other brace is a letter.
    private mutating func counted() throws(Fault) -> (Int, Int?)? {
        let start = position
        position += 1
        let least = number()
        var most = least
        if take(",") { most = number() }
        let isOpen = position > start && scalars[position - 1] == ","
        guard let least, take("}"), isOpen || most != nil else {
            position = start
            return nil
        }
        guard least <= 1000, (most ?? least) <= 1000, least <= (most ?? least) else {
            throw fault("a repetition beyond 1000 or the wrong way round")
        }
        return (least, isOpen ? nil : most)
    }

    private mutating func number() -> Int? {
        let start = position
        var value = 0
        while let digit = peek()?.value, digit >= 48, digit <= 57, position - start < 6 {
            value = value * 10 + Int(digit) - 48
            position += 1
        }
        return position > start ? value : nil
    }

    private mutating func atom() throws(Fault) -> RegularExpressionNode {
        guard let scalar = peek() else { return .empty }
        switch scalar {
        case "(": return try group()
        case "[": return .set(try bracket())
        case "\\": return try escape()
        case "*", "+", "?": throw fault("a repetition of nothing")
        case "{" where (try counted()) != nil: throw fault("a repetition of nothing")
        default: break
        }
        position += 1
        switch scalar {
        case ".":
            return .set(ScalarSet(doesDotMatchNewline ? [ScalarSet.all] : ScalarSet.complement([10...10])))
        case "^": return .assertion(isMultiline ? .lineStart : .textStart)
        case "$": return .assertion(isMultiline ? .lineEnd : .textEnd)
        default: return literal(scalar)
        }
    }

    private mutating func group() throws(Fault) -> RegularExpressionNode {
        let flags = (isCaseFolded, isMultiline, doesDotMatchNewline, isUngreedy)
        defer { (isCaseFolded, isMultiline, doesDotMatchNewline, isUngreedy) = flags }
        position += 1
        var index: Int?
        if take("?P<") || peek() == "?" && peek(1) == "<" && peek(2) != "=" && peek(2) != "!" && take("?<") {
            var name = ""
            while let scalar = peek(), scalar != ">" {
                name.unicodeScalars.append(scalar)
                position += 1
            }
            guard take(">"), !name.isEmpty else { throw fault("a group whose name does not end") }
            index = groupCount
            names.append(name)
            groupCount += 1
        } else if take("?=") || take("?!") || take("?<=") || take("?<!") {
            throw fault("a look-around, which RE2 does not offer,")
        } else if take("?") {
            if try !flagsEndWithColon() {
                let rest = try choice()
                return rest
            }
        } else {
            index = groupCount
            names.append(nil)
            groupCount += 1
        }
        guard groupCount <= 100 else { throw fault("more than 100 groups") }
        let inner = try choice()
        guard take(")") else { throw fault("a group that does not end") }
        return index.map { .group(inner, $0) } ?? inner
    }

    /// `?i:` opens a group; `?i)` holds to the end of the group around it.
    private mutating func flagsEndWithColon() throws(Fault) -> Bool {
        var isOn = true
        while let scalar = peek() {
            position += 1
            switch scalar {
            case "-": isOn = false
            case "i": isCaseFolded = isOn
            case "m": isMultiline = isOn
            case "s": doesDotMatchNewline = isOn
            case "U": isUngreedy = isOn
            case ":": return true
            case ")": return false
            default: throw fault("the flag '\(scalar)', which is not offered,")
            }
        }
        throw fault("a group that does not end")
    }
}
