extension RegularExpressionParser {
    /// Adds the set of an escape such as `\d` or `\pL`; returns false, and reads nothing, for anything else.
    mutating func classEscape(into set: inout ScalarSet) throws(Fault) -> Bool {
        guard peek() == "\\", let letter = peek(1) else { return false }
        switch letter {
        case "d": set.add(ScalarSet.digit)
        case "D": set.addAll(but: ScalarSet.digit)
        case "s": set.add(ScalarSet.blank)
        case "S": set.addAll(but: ScalarSet.blank)
        case "w": set.add(ScalarSet.word)
        case "W": set.addAll(but: ScalarSet.word)
        case "p", "P":
            try category(into: &set)
            return true
        default: return false
        }
        position += 2
        return true
    }

    private mutating func category(into set: inout ScalarSet) throws(Fault) {
        var isNegated = peek(1) == "P"
        position += 2
        var name = ""
        if take("{") {
            while let scalar = peek(), scalar != "}" {
                name.unicodeScalars.append(scalar)
                position += 1
            }
            guard take("}") else { throw fault("a \\p{…} that does not end") }
            if name.hasPrefix("^") {
                isNegated.toggle()
                name.removeFirst()
            }
        } else if let scalar = peek() {
            name = String(scalar)
            position += 1
        }
        guard let categories = ScalarSet.categories(named: name) else {
            throw fault("\\p{\(name.shortened(to: 20))}: general categories are offered, scripts are not,")
        }
        set.add(categories: categories, isNegated: isNegated)
    }

    /// Parses a set in brackets: `[a-z]`, `[^\d]`, `[[:alpha:]]`.
    mutating func bracket() throws(Fault) -> ScalarSet {
        position += 1
        let isNegated = take("^")
        var set = ScalarSet(isFolded: flags.isCaseFolded)
        var isFirst = true
        while true {
            guard let scalar = peek() else { throw fault("a set that does not end") }
            if scalar == "]", !isFirst { break }
            isFirst = false
            if isAt("[:"), let end = endOfClass() {
                try namedClass(to: end, into: &set)
                continue
            }
            if try classEscape(into: &set) { continue }
            let first = try setScalar()
            var last = first
            if peek() == "-", let next = peek(1), next != "]" {
                position += 1
                last = try setScalar()
            }
            guard first <= last else { throw fault("a range the wrong way round") }
            set.add(first...last)
        }
        position += 1
        set.finish(isNegated: isNegated)
        return set
    }

    private mutating func setScalar() throws(Fault) -> UInt32 {
        guard let scalar = peek() else { throw fault("a set that does not end") }
        position += 1
        return scalar == "\\" ? try escapedScalar() : scalar.value
    }

    /// Returns the place of the `:]` that ends a `[:`, or nil without one, when this isn't a class.
    private func endOfClass() -> Int? {
        var index = position + 2
        // No class has a longer name, and each place is visited at most a few times.
        let limit = min(scalars.count - 1, index + 64)
        while index < limit {
            if scalars[index] == 58, scalars[index + 1] == 93 { return index }
            index += 1
        }
        return nil
    }

    private mutating func namedClass(to end: Int, into set: inout ScalarSet) throws(Fault) {
        var name = ""
        for scalar in scalars[(position + 2)..<end] {
            if let scalar = Unicode.Scalar(scalar) { name.unicodeScalars.append(scalar) }
        }
        let isNegated = name.hasPrefix("^")
        if isNegated { name.removeFirst() }
        guard let ranges = RegularExpressionParser.classes(name) else {
            throw fault("no such class [:\(name.shortened(to: 20)):]")
        }
        position = end + 2
        if isNegated { set.addAll(but: ranges) } else { set.add(ranges) }
    }

    private static func classes(_ name: String) -> [ClosedRange<UInt32>]? {
        switch name {
        case "alnum": [48...57, 65...90, 97...122]
        case "alpha": [65...90, 97...122]
        case "ascii": [0...127]
        case "blank": [9...9, 32...32]
        case "cntrl": [0...31, 127...127]
        case "digit": ScalarSet.digit
        case "graph": [33...126]
        case "lower": [97...122]
        case "print": [32...126]
        case "punct": [33...47, 58...64, 91...96, 123...126]
        case "space": [9...13, 32...32]
        case "upper": [65...90]
        case "word": ScalarSet.word
        case "xdigit": [48...57, 65...70, 97...102]
        default: nil
        }
    }
}
