/// An expression's syntax tree: a flat array of nodes that refer to each other by index, so that releasing it needs no
/// recursion.
struct SyntaxTree: Sendable {
    var nodes: [SyntaxNode] = []
    var root = 0

    subscript(index: Int) -> SyntaxNode { nodes[index] }

    /// Returns the names of `a.b.c`, if the node is nothing else, and whether it starts with a dot.
    func qualifiedName(_ index: Int) -> (names: [String], isAbsolute: Bool)? {
        var names: [String] = []
        var current = index
        while true {
            switch nodes[current].kind {
            case .identifier(let name, let isAbsolute):
                names.append(name)
                return (names.reversed(), isAbsolute)
            case .select(let operand, let field, isOptional: false, isQuoted: false):
                names.append(field)
                current = operand
            default: return nil
            }
        }
    }
}

struct SyntaxNode: Sendable {
    var kind: Kind
    /// The byte at which an error about the node points.
    var offset: Int
    /// The number of levels from the node down, including itself.
    var height: Int

    enum Kind: Sendable {
        case literal(CELValue)
        case identifier(String, isAbsolute: Bool)
        case select(Int, String, isOptional: Bool, isQuoted: Bool)
        case index(Int, Int, isOptional: Bool)
        case call(target: Int?, name: String, arguments: [Int])
        case unary(Operator, Int)
        case binary(Operator, Int, Int)
        /// `&&` or `||` over two or more operands.
        case logic(Operator, [Int])
        case conditional(Int, Int, Int)
        case list([SyntaxElement])
        case map([SyntaxEntry])
    }
}

struct SyntaxElement: Sendable {
    var value: Int
    var isOptional: Bool
}

struct SyntaxEntry: Sendable {
    var key: Int
    var value: Int
    var isOptional: Bool
}

enum Operator: String, Sendable {
    case or = "||"
    case and = "&&"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contained = "in"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case not = "!"
    case negate = "-_"

    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contained: 3
        case .add, .subtract: 4
        case .multiply, .divide, .remainder: 5
        case .not, .negate: 6
        }
    }

    /// The function of the standard library.
    var function: String { self == .negate ? "-_" : self == .not ? "!_" : "_\(rawValue)_" }

    /// Returns the display form of an operator's name, such as `_+_`.
    static func shownName(_ name: String) -> String {
        name.hasPrefix("math.@") ? "math." + (name.hasSuffix("max") ? "greatest" : "least") : name
    }

    init?(binary token: Token) {
        switch token.kind {
        case .symbol(let symbol) where symbol != "!" && symbol != "-_": self.init(rawValue: symbol)
        case .identifier("in"): self = .contained
        default: return nil
        }
    }
}
