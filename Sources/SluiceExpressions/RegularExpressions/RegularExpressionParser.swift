/// A parser of RE2's syntax that rejects unsupported features by name.
struct RegularExpressionParser {
    /// The flags that a group may change, up to its end.
    struct Flags {
        var isCaseFolded = false
        var isMultiline = false
        var doesDotMatchNewline = false
        var isUngreedy = false
    }

    let scalars: [UInt32]
    var position = 0
    var names: [String?] = []
    var sets: [ScalarSet] = []
    var flags = Flags()
    private var depth = 0
    private var setNumbers: [ScalarSet: Int] = [:]
    private var takenNames: Set<String> = []

    /// The largest count of a repetition, and of nested repetitions together, as in RE2.
    static let maximumRepeats = 1000

    init(_ text: String) { scalars = text.unicodeScalars.map(\.value) }

    /// The syntax tree of a regular expression, with the names of its groups.
    struct Result {
        var node: RegularExpressionNode
        var groups: [String?]
        var sets: [ScalarSet]
    }

    static func parse(_ text: String) throws(Fault) -> Result {
        var parser = RegularExpressionParser(text)
        let node = try parser.choice()
        if parser.position < parser.scalars.count { throw parser.fault("a ')' without '('") }
        return Result(node: node, groups: parser.names, sets: parser.sets)
    }

    func fault(_ message: String) -> Fault {
        Fault(.invalidArgument, "the regular expression has \(message) at position \(position)")
    }

    // MARK: Characters

    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        position + distance < scalars.count ? Unicode.Scalar(scalars[position + distance]) : nil
    }

    func isAt(_ text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard scalars.count - position >= wanted.count else { return false }
        for (index, byte) in wanted.enumerated() where scalars[position + index] != UInt32(byte) { return false }
        return true
    }

    mutating func take(_ text: StaticString) -> Bool {
        guard isAt(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    // MARK: Structure

    mutating func choice() throws(Fault) -> RegularExpressionNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 50 else { throw fault("more than 50 nested groups") }
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return .choice(branches)
    }

    private mutating func sequence() throws(Fault) -> RegularExpressionNode {
        var parts: [RegularExpressionNode] = []
        // A repetition may not directly follow another one.
        var repetition: Int?
        while let scalar = peek(), scalar != "|", scalar != ")" {
            let start = position
            if scalar == "\\", peek(1) == "Q" {
                quoted(&parts)
            } else if scalar == "(", peek(1) == "?", try flagGroup() {
                // Only flags, so that a repetition after them applies to the part before them.
            } else if let bounds = try bounds() {
                guard let last = parts.popLast() else { throw fault("a repetition of nothing", at: start) }
                guard repetition != start else { throw fault("a repetition of a repetition", at: start) }
                parts.append(try repeated(last, bounds, at: start))
                repetition = position
            } else {
                parts.append(try atom(scalar))
            }
        }
        return .sequence(parts)
    }

    private func fault(_ message: String, at start: Int) -> Fault {
        var parser = self
        parser.position = start
        return parser.fault(message)
    }

    /// Parses `\Q…\E`, whose content is literal.
    private mutating func quoted(_ parts: inout [RegularExpressionNode]) {
        position += 2
        while position < scalars.count, !take("\\E") {
            parts.append(literal(scalars[position]))
            position += 1
        }
    }

    /// Returns the part that matches a code point, ignoring case if the flags say so.
    mutating func literal(_ scalar: UInt32) -> RegularExpressionNode {
        guard flags.isCaseFolded else { return RegularExpressionNode(kind: .one(scalar)) }
        let ring = CaseFolding.ring(scalar)
        return ring.count == 1 ? RegularExpressionNode(kind: .one(scalar)) : set(ScalarSet(ring.map { $0...$0 }))
    }

    /// Returns the part that matches a set; equal sets are stored once.
    mutating func set(_ set: ScalarSet) -> RegularExpressionNode {
        if let number = setNumbers[set] { return RegularExpressionNode(kind: .set(number)) }
        sets.append(set)
        setNumbers[set] = sets.count - 1
        return RegularExpressionNode(kind: .set(sets.count - 1))
    }

    private mutating func atom(_ scalar: Unicode.Scalar) throws(Fault) -> RegularExpressionNode {
        switch scalar {
        case "(": return try group()
        case "[": return set(try bracket())
        case "\\": return try escape()
        default: break
        }
        position += 1
        switch scalar {
        case ".": return set(flags.doesDotMatchNewline ? .everything : .noNewline)
        case "^": return .assertion(flags.isMultiline ? .lineStart : .textStart)
        case "$": return .assertion(flags.isMultiline ? .lineEnd : .textEnd)
        default: return literal(scalar.value)
        }
    }

    // MARK: Repetitions

    private struct Bounds {
        var least: Int
        var most: Int?
        var isCounted = false
    }

    /// Parses a repetition, or reads nothing and returns nil.
    private mutating func bounds() throws(Fault) -> Bounds? {
        if take("*") { return Bounds(least: 0) }
        if take("+") { return Bounds(least: 1) }
        if take("?") { return Bounds(least: 0, most: 1) }
        return peek() == "{" ? counted() : nil
    }

    private mutating func repeated(
        _ part: RegularExpressionNode,
        _ bounds: Bounds,
        at start: Int
    ) throws(Fault) -> RegularExpressionNode {
        let isGreedy = take("?") == flags.isUngreedy
        let most = bounds.most ?? bounds.least
        if bounds.isCounted {
            let isValid =
                max(bounds.least, most) <= RegularExpressionParser.maximumRepeats && bounds.least <= most
                && (most < 2 || part.repeats * most <= RegularExpressionParser.maximumRepeats)
            guard isValid else {
                throw fault("a repetition beyond 1000, with those inside it, or the wrong way round", at: start)
            }
        }
        return part.repeated(
            least: bounds.least,
            most: bounds.most,
            isCounted: bounds.isCounted,
            isGreedy: isGreedy
        )
    }

    /// Parses `{2}`, `{2,}`, or `{2,5}`; any other brace is a literal.
    private mutating func counted() -> Bounds? {
        let start = position
        position += 1
        if let least = number() {
            if take("}") { return Bounds(least: least, most: least, isCounted: true) }
            if take(",") {
                if take("}") { return Bounds(least: least, isCounted: true) }
                if let most = number(), take("}") { return Bounds(least: least, most: most, isCounted: true) }
            }
        }
        position = start
        return nil
    }

    /// Parses a number without leading zeros; numbers beyond a million are treated as equal.
    private mutating func number() -> Int? {
        let start = position
        var value = 0
        while let digit = peek()?.value, digit >= 48, digit <= 57 {
            value = min(1_000_000, value * 10 + Int(digit) - 48)
            position += 1
        }
        guard position > start, position == start + 1 || scalars[start] != 48 else { return nil }
        return value
    }

    // MARK: Groups

    private mutating func group() throws(Fault) -> RegularExpressionNode {
        let outer = flags
        defer { flags = outer }
        position += 1
        var index: Int?
        if take("?P<") || isAt("?<") && !isAt("?<=") && !isAt("?<!") && take("?<") {
            names.append(try groupName())
            index = names.count - 1
        } else if isAt("?=") || isAt("?!") || isAt("?<") {
            throw fault("a look-around, which RE2 does not offer,")
        } else if take("?") {
            _ = try readFlags()
        } else {
            names.append(nil)
            index = names.count - 1
        }
        guard names.count <= 100 else { throw fault("more than 100 groups") }
        let inner = try choice()
        guard take(")") else { throw fault("a group that does not end") }
        return index.map { .group(inner, $0) } ?? inner
    }

    private mutating func groupName() throws(Fault) -> String {
        var name = ""
        while let scalar = peek(), scalar != ">" {
            let properties = scalar.properties
            guard scalar == "_" || properties.isAlphabetic || properties.numericType != nil else {
                throw fault("a group whose name is not made of letters, digits, and '_',")
            }
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard take(">"), !name.isEmpty else { throw fault("a group whose name does not end") }
        guard takenNames.insert(name).inserted else { throw fault("two groups named \(name.shortened(to: 40))") }
        return name
    }

    /// Parses `(?i)`, which applies to the end of the enclosing group; returns false, and reads nothing, for anything
    /// else.
    private mutating func flagGroup() throws(Fault) -> Bool {
        guard let letter = peek(2), "imsU-)".unicodeScalars.contains(letter) else { return false }
        let (start, outer) = (position, flags)
        position += 2
        if try readFlags() { return true }
        (position, flags) = (start, outer)
        return false
    }

    /// Parses flags up to `:` or `)`, and returns whether they end with the latter.
    private mutating func readFlags() throws(Fault) -> Bool {
        var isOn = true
        // A '-' must be followed by a flag.
        var isIncomplete = false
        while let scalar = peek() {
            position += 1
            switch scalar {
            case "-" where isOn: (isOn, isIncomplete) = (false, true)
            case "i": flags.isCaseFolded = isOn
            case "m": flags.isMultiline = isOn
            case "s": flags.doesDotMatchNewline = isOn
            case "U": flags.isUngreedy = isOn
            case ":" where !isIncomplete: return false
            case ")" where !isIncomplete: return true
            default:
                position -= 1
                throw fault("the flag '\(String(scalar).shown)', which is not offered,")
            }
            if scalar != "-" { isIncomplete = false }
        }
        throw fault("a group that does not end")
    }
}

extension ScalarSet {
    fileprivate static let everything = ScalarSet([all])
    fileprivate static let noNewline = ScalarSet(complement([10...10]))
}
