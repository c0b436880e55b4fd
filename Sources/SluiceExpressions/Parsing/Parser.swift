/// A precedence-climbing parser of expressions; its recursion depth counts against the limit.
struct Parser {
    let limits: CELLimits
    let maximumDepth: Int
    var lexer: Lexer
    var token = Token(kind: .end, offset: 0)
    var tree = SyntaxTree()
    var depth = 0
    let budget: CompilationBudget

    static func parse(
        _ source: SourceText,
        limits: CELLimits,
        budget: CompilationBudget = CompilationBudget(maximumTextLength: .max, maximumNodeCount: .max / 64)
    ) throws(SyntaxFault) -> SyntaxTree {
        let length = source.text.utf8.count
        guard length <= limits.maximumTextLength else {
            throw SyntaxFault(
                code: .limitExceeded,
                message: "the text has \(length) bytes, the limit is \(limits.maximumTextLength)",
                offset: 0
            )
        }
        try budget.takeText(length)
        var parser = Parser(
            budget: budget,
            limits: limits,
            maximumDepth: min(48, limits.maximumDepth),
            lexer: Lexer(source.bytes)
        )
        parser.tree.nodes.reserveCapacity(min(length / 2 + 1, 64))
        try parser.advance()
        if parser.token.kind == .end { throw SyntaxFault(message: "the expression is empty", offset: 0) }
        parser.tree.root = try parser.expression()
        guard parser.token.kind == .end else { throw parser.unexpected("an operator or the end of the text") }
        return parser.tree
    }

    private init(budget: CompilationBudget, limits: CELLimits, maximumDepth: Int, lexer: Lexer) {
        self.budget = budget
        self.limits = limits
        self.maximumDepth = maximumDepth
        self.lexer = lexer
    }

    mutating func advance() throws(SyntaxFault) { token = try lexer.next() }

    func isAt(_ symbol: String) -> Bool { token.kind == .symbol(symbol) }

    mutating func take(_ symbol: String) throws(SyntaxFault) -> Bool {
        guard isAt(symbol) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: String) throws(SyntaxFault) {
        guard try take(symbol) else { throw unexpected("'\(symbol)'") }
    }

    func unexpected(_ wanted: String) -> SyntaxFault {
        var hint: String?
        if case .identifier(let word) = token.kind {
            hint = ["and": "use &&", "or": "use ||", "not": "use !", "is": "use =="][word.lowercased()]
        }
        let message =
            token.kind == .end
            ? "unfinished expression: expected \(wanted)" : "expected \(wanted), found \(token.shown)"
        return SyntaxFault(message: message, offset: token.offset, hint: hint)
    }

    mutating func add(_ kind: SyntaxNode.Kind, at offset: Int, below children: [Int] = []) throws(SyntaxFault) -> Int {
        guard tree.nodes.count < limits.maximumNodeCount else {
            throw SyntaxFault(
                code: .limitExceeded,
                message: "the expression has more than \(limits.maximumNodeCount) nodes",
                offset: offset
            )
        }
        try budget.takeNode(at: offset)
        var height = 0
        for child in children { height = max(height, tree[child].height) }
        guard height < 2 * maximumDepth else { throw tooDeep(offset) }
        tree.nodes.append(SyntaxNode(kind: kind, offset: offset, height: height + 1))
        return tree.nodes.count - 1
    }

    func tooDeep(_ offset: Int) -> SyntaxFault {
        SyntaxFault(
            code: .limitExceeded,
            message: "the expression nests deeper than \(maximumDepth) levels",
            offset: offset
        )
    }

    /// Parses a whole expression: a condition with its two results, or operators over operands.
    mutating func expression() throws(SyntaxFault) -> Int {
        depth += 1
        defer { depth -= 1 }
        guard depth <= maximumDepth else { throw tooDeep(token.offset) }
        let condition = try operators(above: 0)
        let offset = token.offset
        guard try take("?") else { return condition }
        let first = try operators(above: 0)
        try expect(":")
        let second = try expression()
        return try add(.conditional(condition, first, second), at: offset, below: [condition, first, second])
    }

    /// Parses operands joined by operators that bind tighter than a precedence.
    private mutating func operators(above precedence: Int) throws(SyntaxFault) -> Int {
        var left = try unary()
        while let symbol = Operator(binary: token), symbol.precedence > precedence {
            left = symbol == .and || symbol == .or ? try logic(symbol, left) : try binary(symbol, left)
        }
        return left
    }

    private mutating func logic(_ symbol: Operator, _ left: Int) throws(SyntaxFault) -> Int {
        let offset = token.offset
        var operands = [left]
        while Operator(binary: token) == symbol {
            try advance()
            operands.append(try operators(above: symbol.precedence))
        }
        return try add(.logic(symbol, operands), at: offset, below: operands)
    }

    private mutating func binary(_ symbol: Operator, _ left: Int) throws(SyntaxFault) -> Int {
        let offset = token.offset
        try advance()
        let right = try operators(above: symbol.precedence)
        return try add(.binary(symbol, left, right), at: offset, below: [left, right])
    }

    /// Parses any number of `!` or of `-`, then an operand.
    private mutating func unary() throws(SyntaxFault) -> Int {
        var prefixes = try prefixes()
        let operand: Int
        if let literal = try negativeLiteral(&prefixes) {
            operand = try postfix(literal)
        } else {
            operand = try postfix(try primary())
        }
        return prefixes.isEmpty ? operand : try add(prefixes, to: operand)
    }

    private mutating func prefixes() throws(SyntaxFault) -> [(Operator, Int)] {
        var prefixes: [(Operator, Int)] = []
        while isAt("!") || isAt("-") {
            prefixes.append((isAt("!") ? .not : .negate, token.offset))
            guard prefixes.count <= maximumDepth else { throw tooDeep(token.offset) }
            try advance()
        }
        return prefixes
    }

    private mutating func negativeLiteral(_ prefixes: inout [(Operator, Int)]) throws(SyntaxFault) -> Int? {
        guard let last = prefixes.last, last.0 == .negate, let literal = try negativeNumber() else { return nil }
        prefixes.removeLast()
        return try add(.literal(literal), at: last.1)
    }

    private mutating func add(_ prefixes: [(Operator, Int)], to operand: Int) throws(SyntaxFault) -> Int {
        var operand = operand
        for (symbol, offset) in prefixes.reversed() {
            operand = try add(.unary(symbol, operand), at: offset, below: [operand])
        }
        return operand
    }
}
