extension SyntaxTree {
    /// Returns the canonical text: one blank around operators, brackets only where they are needed.
    /// - Complexity: O(*n* · depth)
    func text(_ index: Int) -> String {
        switch nodes[index].kind {
        case .literal(let value): value.description
        case .identifier(let name, let isAbsolute): (isAbsolute ? "." : "") + name
        case .select(let operand, let field, let isOptional, let isQuoted):
            self.operand(operand) + (isOptional ? ".?" : ".") + (isQuoted ? "`\(field)`" : field)
        case .index(let operand, let key, let isOptional):
            self.operand(operand) + (isOptional ? "[?" : "[") + text(key) + "]"
        case .call(let target, let name, let arguments):
            (target.map { operand($0) + "." } ?? "") + name + "(" + arguments.map(text).joined(separator: ", ") + ")"
        case .unary(let symbol, let inner): String(symbol.rawValue.prefix(1)) + unary(inner, under: symbol)
        case .binary(let symbol, let left, let right):
            bracketed(left, below: symbol.precedence) + " \(symbol.rawValue) "
                + bracketed(right, below: symbol.precedence + 1)
        case .logic(let symbol, let operands):
            operands.map { bracketed($0, below: symbol.precedence + 1) }.joined(separator: " \(symbol.rawValue) ")
        case .conditional(let condition, let first, let second):
            bracketed(condition, below: 1) + " ? " + bracketed(first, below: 1) + " : " + text(second)
        case .list(let elements):
            "[" + elements.map { ($0.isOptional ? "?" : "") + text($0.value) }.joined(separator: ", ") + "]"
        case .map(let entries):
            "{"
                + entries.map { ($0.isOptional ? "?" : "") + text($0.key) + ": " + text($0.value) }
                .joined(separator: ", ") + "}"
        }
    }

    private func precedence(_ index: Int) -> Int {
        switch nodes[index].kind {
        case .conditional: 0
        case .binary(let symbol, _, _), .logic(let symbol, _): symbol.precedence
        case .unary: 6
        case .literal(.int(let value)) where value < 0: 6
        case .literal(.double(let value)) where value.sign == .minus: 6
        default: 7
        }
    }

    private func bracketed(_ index: Int, below limit: Int) -> String {
        precedence(index) < limit ? "(" + text(index) + ")" : text(index)
    }

    private func operand(_ index: Int) -> String { bracketed(index, below: 7) }

    /// Returns the text of a unary operator, in brackets where a minus before a number would become part of the number.
    private func unary(_ index: Int, under symbol: Operator) -> String {
        let text = bracketed(index, below: 6)
        guard symbol == .negate, let first = text.utf8.first else { return text }
        if case .literal = nodes[index].kind { return "(" + text + ")" }
        return Lexer.isDigit(first) || first == UInt8(ascii: ".") ? "(" + text + ")" : text
    }
}
