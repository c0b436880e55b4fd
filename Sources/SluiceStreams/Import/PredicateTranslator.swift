/// A translator that parses a format by its precedences and writes CEL.
struct PredicateTranslator {
    private enum Kind { case number, predicate, list }

    /// A term in CEL, and its precedence.
    private struct Term {
        let kind: Kind
        let text: String
        var precedence = 9
        let place: Int

        /// Returns the text, in parentheses if its surroundings have a higher precedence.
        func within(_ precedence: Int) -> String { self.precedence < precedence ? "(\(text))" : text }
    }

    private static let deepest = 64

    let tokens: [(token: PredicateToken, place: Int)]
    let use: PredicateFormat.Use
    private var index = 0
    private var depth = 0
    private var taken = 0

    init(tokens: [(token: PredicateToken, place: Int)], use: PredicateFormat.Use) {
        self.tokens = tokens
        self.use = use
    }

    mutating func translate() throws(PredicateFormat.Fault) -> String {
        let term = try disjunction()
        guard token == .end else { throw unexpected() }
        if use == .filter {
            try expect(.predicate, term, "a filter needs a comparison")
        } else {
            try expect(.number, term, "\(use == .map ? "a map" : "a scan") needs a number")
        }
        return term.text
    }

    private var token: PredicateToken { tokens[index].token }
    private var place: Int { tokens[index].place }

    private func fault(_ message: String, _ hint: String? = nil, at place: Int? = nil) -> PredicateFormat.Fault {
        PredicateFormat.Fault(place: place ?? self.place, message: message, hint: hint)
    }

    private func unexpected() -> PredicateFormat.Fault { fault("\(token.text) is not expected here") }

    private func expect(_ kind: Kind, _ term: Term, _ need: String) throws(PredicateFormat.Fault) {
        if term.kind != kind { throw fault("\(need), not '\(term.text)'", at: term.place) }
    }

    /// Takes one of these signs or words, if it is next.
    private mutating func take(_ signs: [String: String]) -> String? {
        let name: String
        switch token {
        case .sign(let sign): name = sign
        case .word(let word): name = word.uppercased()
        default: return nil
        }
        guard let sign = signs[name] else { return nil }
        index += 1
        return sign
    }

    private mutating func take(_ sign: String) throws(PredicateFormat.Fault) {
        guard token == .sign(sign) else { throw fault("'\(sign)' is missing before \(token.text)") }
        index += 1
    }

    // MARK: Predicates

    private mutating func disjunction() throws(PredicateFormat.Fault) -> Term {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw fault("more than \(Self.deepest) levels of nesting") }
        var term = try conjunction()
        while take(["||": "||", "OR": "||"]) != nil { term = try join(term, "||", try conjunction(), 1) }
        return term
    }

    private mutating func conjunction() throws(PredicateFormat.Fault) -> Term {
        var term = try negation()
        while take(["&&": "&&", "AND": "&&"]) != nil { term = try join(term, "&&", try negation(), 2) }
        return term
    }

    private func join(_ left: Term, _ sign: String, _ right: Term, _ precedence: Int) throws(PredicateFormat.Fault)
        -> Term
    {
        for term in [left, right] { try expect(.predicate, term, "'\(sign)' joins comparisons") }
        let text = "\(left.within(precedence)) \(sign) \(right.within(precedence))"
        return Term(kind: .predicate, text: text, precedence: precedence, place: left.place)
    }

    private mutating func negation() throws(PredicateFormat.Fault) -> Term {
        let place = place
        var count = 0
        while take(["!": "!", "NOT": "!"]) != nil { count += 1 }
        let term = try comparison()
        guard count > 0 else { return term }
        try expect(.predicate, term, "'NOT' turns a comparison round")
        guard count % 2 == 1 else { return term }
        return Term(kind: .predicate, text: "!\(term.within(8))", precedence: 7, place: place)
    }

    private mutating func comparison() throws(PredicateFormat.Fault) -> Term {
        let left = try sum()
        if let sign = take(["==": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="]) {
            let right = try sum()
            for term in [left, right] { try expect(.number, term, "'\(sign)' compares numbers") }
            return Term(
                kind: .predicate,
                text: "\(left.within(4)) \(sign) \(right.within(4))",
                precedence: 3,
                place: left.place
            )
        }
        if take(["IN": "in"]) != nil {
            let (_, list) = try list("IN")
            try expect(.number, left, "'IN' looks for a number")
            return Term(kind: .predicate, text: "\(left.within(4)) in \(list)", precedence: 3, place: left.place)
        }
        if take(["BETWEEN": "between"]) != nil {
            let place = place
            let (bounds, _) = try list("BETWEEN")
            try expect(.number, left, "'BETWEEN' compares a number")
            guard bounds.count == 2 else {
                throw fault("'BETWEEN' takes two bounds, and not \(bounds.count)", "%d BETWEEN {1, 5}", at: place)
            }
            try checkRepeatable(left, "BETWEEN")
            let value = left.within(4)
            return Term(
                kind: .predicate,
                text: "\(bounds[0].within(4)) <= \(value) && \(value) <= \(bounds[1].within(4))",
                precedence: 2,
                place: left.place
            )
        }
        return left
    }

    private mutating func list(_ name: String) throws(PredicateFormat.Fault) -> ([Term], String) {
        guard token == .sign("{") else { throw fault("'\(name)' needs a list", "%d \(name) {1, 5}") }
        let place = place
        let terms = try elements("{", "}")
        for term in terms { try expect(.number, term, "a list holds numbers") }
        return (terms, Term(kind: .list, text: "[\(terms.map(\.text).joined(separator: ", "))]", place: place).text)
    }

    private mutating func elements(_ open: String, _ close: String) throws(PredicateFormat.Fault) -> [Term] {
        try take(open)
        var terms: [Term] = []
        if token != .sign(close) {
            terms.append(try disjunction())
            while token == .sign(",") {
                index += 1
                terms.append(try disjunction())
            }
        }
        try take(close)
        return terms
    }

    // MARK: Numbers

    private mutating func sum() throws(PredicateFormat.Fault) -> Term {
        var term = try product()
        while let sign = take(["+": "+", "-": "-"]) { term = try arithmetic(term, sign, try product()) }
        return term
    }

    private mutating func product() throws(PredicateFormat.Fault) -> Term {
        var term = try signed()
        while let sign = take(["*": "*", "/": "/"]) { term = try arithmetic(term, sign, try signed()) }
        if token == .sign("**") { throw fault("the power '**' is not translated", "CEL has none") }
        return term
    }

    private func arithmetic(_ left: Term, _ sign: String, _ right: Term) throws(PredicateFormat.Fault) -> Term {
        for term in [left, right] { try expect(.number, term, "'\(sign)' takes numbers") }
        let precedence = ["+", "-"].contains(sign) ? 5 : 6
        // The right operand of an operator of the same rank was in parentheses.
        let text = "\(left.within(precedence)) \(sign) \(right.within(precedence + 1))"
        return Term(kind: .number, text: text, precedence: precedence, place: left.place)
    }

    private mutating func signed() throws(PredicateFormat.Fault) -> Term {
        let place = place
        var isNegative = false
        while take(["-": "-"]) != nil { isNegative.toggle() }
        let term = try primary()
        guard isNegative else { return term }
        try expect(.number, term, "'-' takes a number")
        return Term(kind: .number, text: "-\(term.within(8))", precedence: 7, place: place)
    }

    private mutating func primary() throws(PredicateFormat.Fault) -> Term {
        let place = place
        switch token {
        case .whole(let text):
            index += 1
            return Term(kind: .number, text: text, place: place)
        case .fraction(let text):
            // The program cast the result of a map to a whole number; anything else vanished or caused a crash.
            guard use == .filter else {
                throw fault("the fraction '\(text)' is not translated", "the program's results are whole numbers")
            }
            index += 1
            return Term(kind: .number, text: text, place: place)
        case .placeholder:
            guard taken < use.arguments.count else {
                throw fault(
                    "the program has only \(use.arguments.count == 1 ? "one value" : "two values") for the placeholders"
                )
            }
            index += 1
            taken += 1
            return Term(kind: .number, text: use.arguments[taken - 1], place: place)
        case .sign("("):
            index += 1
            var term = try disjunction()
            try take(")")
            term = Term(kind: term.kind, text: term.text, precedence: term.precedence, place: place)
            return term
        case .word(let word): return try named(word)
        case .sign, .end: throw unexpected()
        }
    }

    private static let binary = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/", "modulus:by:": "%",
    ]

    private mutating func named(_ word: String) throws(PredicateFormat.Fault) -> Term {
        let place = place
        index += 1
        switch word.uppercased() {
        case "TRUEPREDICATE": return Term(kind: .predicate, text: "true", place: place)
        case "FALSEPREDICATE": return Term(kind: .predicate, text: "false", place: place)
        case "TERNARY" where token == .sign("("): return try ternary(place)
        default: break
        }
        if let sign = Self.binary[word] {
            let terms = try elements("(", ")")
            guard terms.count == 2 else {
                throw fault("'\(word)' takes two numbers, and not \(terms.count)", at: place)
            }
            guard sign == "%" else { return try arithmetic(terms[0], sign, terms[1]) }
            for term in terms { try expect(.number, term, "'\(word)' takes numbers") }
            return Term(
                kind: .number,
                text: "\(terms[0].within(6)) % \(terms[1].within(7))",
                precedence: 6,
                place: place
            )
        }
        if word == "abs:" {
            let terms = try elements("(", ")")
            guard terms.count == 1 else { throw fault("'abs:' takes one number, and not \(terms.count)", at: place) }
            try expect(.number, terms[0], "'abs:' takes a number")
            try checkRepeatable(terms[0], word)
            let value = terms[0].within(5)
            return Term(
                kind: .number,
                text: "\(value) < 0 ? -\(terms[0].within(8)) : \(terms[0].text)",
                precedence: 0,
                place: place
            )
        }
        let shown = word.count > 24 ? word.prefix(24) + "…" : word[...]
        let hint = word.uppercased() == "MOD" ? "modulus:by:(%d, 2) is" : "rewrite the expression in CEL"
        throw fault("'\(shown)' is not translated", hint, at: place)
    }

    /// Rejects a term that would grow with each level, since CEL has to repeat it.
    private func checkRepeatable(_ term: Term, _ name: String) throws(PredicateFormat.Fault) {
        guard term.text.utf8.count > 200 else { return }
        throw fault("'\(name)' of so long an expression is not translated", "make it a map of its own", at: term.place)
    }

    private mutating func ternary(_ place: Int) throws(PredicateFormat.Fault) -> Term {
        let terms = try elements("(", ")")
        guard terms.count == 3 else { throw fault("'TERNARY' takes three parts, and not \(terms.count)", at: place) }
        try expect(.predicate, terms[0], "'TERNARY' begins with a comparison")
        for term in terms.dropFirst() { try expect(.number, term, "'TERNARY' chooses between numbers") }
        return Term(
            kind: .number,
            text: "\(terms[0].within(1)) ? \(terms[1].within(1)) : \(terms[2].text)",
            precedence: 0,
            place: place
        )
    }
}
