extension RegularExpressionParser {
    /// What stands after a backslash.
    mutating func escape() throws(Fault) -> RegularExpressionNode {
        if let set = try classEscape() { return .set(set) }
        position += 1
        guard let scalar = peek() else { throw fault("a backslash at its end") }
        switch scalar {
        case "A", "z", "b", "B":
            position += 1
            let assertions: [Unicode.Scalar: RegularExpressionNode.Assertion] = [
                "A": .textStart, "z": .textEnd, "b": .wordBoundary, "B": .noWordBoundary,
            ]
            return assertions[scalar].map { .assertion($0) } ?? .empty
        case "C": throw fault("\\C, which is not offered,")
        case "1"..."9": throw fault("a back reference, which RE2 does not offer,")
        default: return literal(try escapedScalar())
        }
    }

    /// `\d`, `\pL` and their like, or nil with nothing read.
    private mutating func classEscape() throws(Fault) -> ScalarSet? {
        guard peek() == "\\", let letter = peek(1) else { return nil }
        let sets: [Unicode.Scalar: ScalarSet] = [
            "d": .digit, "D": ScalarSet(ScalarSet.complement(ScalarSet.digit.ranges)), "s": .blank,
            "S": ScalarSet(ScalarSet.complement(ScalarSet.blank.ranges)), "w": .word,
            "W": ScalarSet(ScalarSet.complement(ScalarSet.word.ranges)),
        ]
        if let set = sets[letter] {
            position += 2
            return set
        }
        guard letter == "p" || letter == "P" else { return nil }
        position += 2
        var name = ""
        if take("{") {
            while let scalar = peek(), scalar != "}" {
                name.unicodeScalars.append(scalar)
                position += 1
            }
            guard take("}") else { throw fault("a \\p{…} that does not end") }
        } else if let scalar = peek() {
            name = String(scalar)
            position += 1
        }
        var isNegated = letter == "P"
        if name.hasPrefix("^") {
            isNegated.toggle()
            name.removeFirst()
        }
        guard ScalarSet.names.contains(Substring(name)) else {
            throw fault("\\p{\(name.prefix(20))}: general categories are offered, scripts are not,")
        }
        var set = ScalarSet([])
        if isNegated { set.negatedCategories = [Substring(name)] } else { set.categories = [Substring(name)] }
        return set
    }

    /// The code point of an escape, after its backslash.
    private mutating func escapedScalar() throws(Fault) -> Unicode.Scalar {
        guard let scalar = peek() else { throw fault("a backslash at its end") }
        position += 1
        let controls: [Unicode.Scalar: Unicode.Scalar] = [
            "a": "\u{7}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{B}",
        ]
        if let control = controls[scalar] { return control }
        if scalar == "x" { return try hexadecimal() }
        if scalar == "0" {
            var value: UInt32 = 0
            for _ in 0..<2 {
                guard let digit = peek()?.value, digit >= 48, digit < 56 else { break }
                value = value * 8 + digit - 48
                position += 1
            }
            return Unicode.Scalar(value) ?? "\0"
        }
        let isLetter = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        if isLetter { throw fault("the escape \\\(scalar), which is not offered,") }
        return scalar
    }

    private mutating func hexadecimal() throws(Fault) -> Unicode.Scalar {
        var digits = ""
        if take("{") {
            while let scalar = peek(), scalar != "}", digits.utf8.count < 8 {
                digits.unicodeScalars.append(scalar)
                position += 1
            }
            guard take("}") else { throw fault("a \\x{…} that does not end") }
        } else {
            while let scalar = peek(), digits.utf8.count < 2 {
                digits.unicodeScalars.append(scalar)
                position += 1
            }
            guard digits.utf8.count == 2 else { throw fault("a \\x without two digits") }
        }
        guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
            throw fault("a \\x that is no code point")
        }
        return scalar
    }

    /// `[a-z]`, `[^\d]`, `[[:alpha:]]`.
    mutating func bracket() throws(Fault) -> ScalarSet {
        position += 1
        var set = ScalarSet([], isNegated: take("^"))
        var isFirst = true
        while true {
            guard let scalar = peek() else { throw fault("a set that does not end") }
            if scalar == "]", !isFirst { break }
            isFirst = false
            if take("[:") {
                set.ranges += try posix()
                continue
            }
            if let known = try classEscape() {
                set.ranges += known.ranges
                set.categories += known.categories
                set.negatedCategories += known.negatedCategories
                continue
            }
            let first = try setScalar()
            var last = first
            if peek() == "-", let next = peek(1), next != "]" {
                position += 1
                last = try setScalar()
            }
            guard first <= last else { throw fault("a range the wrong way round") }
            set.ranges.append(first.value...last.value)
        }
        position += 1
        if isCaseFolded { set.foldCase() }
        return set
    }

    private mutating func setScalar() throws(Fault) -> Unicode.Scalar {
        guard let scalar = peek() else { throw fault("a set that does not end") }
        position += 1
        return scalar == "\\" ? try escapedScalar() : scalar
    }

    private mutating func posix() throws(Fault) -> [ClosedRange<UInt32>] {
        var name = ""
        while let scalar = peek(), scalar != ":", scalar != "]" {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard take(":]") else { throw fault("a [:…:] that does not end") }
        let isNegated = name.hasPrefix("^")
        let classes: [String: [ClosedRange<UInt32>]] = [
            "alnum": [48...57, 65...90, 97...122], "alpha": [65...90, 97...122], "ascii": [0...127],
            "blank": [9...9, 32...32], "cntrl": [0...31, 127...127], "digit": [48...57], "graph": [33...126],
            "lower": [97...122], "print": [32...126], "punct": [33...47, 58...64, 91...96, 123...126],
            "space": [9...13, 32...32], "upper": [65...90], "word": ScalarSet.word.ranges,
            "xdigit": [48...57, 65...70, 97...102],
        ]
        guard let ranges = classes[isNegated ? String(name.dropFirst()) : name] else {
            throw fault("no such class [:\(name.prefix(20)):]")
        }
        return isNegated ? ScalarSet.complement(ranges) : ranges
    }
}
