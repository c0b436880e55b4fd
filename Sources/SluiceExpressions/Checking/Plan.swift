/// An expression with resolved names, types, and overloads: the input of the compiler. It is flat, as the syntax tree
/// is.
struct Plan: Sendable {
    var nodes: [PlanNode] = []
    var root = 0
    /// The types of the names that macros bind.
    var localTypes: [CELType] = []
    var entryCount = 0

    subscript(index: Int) -> PlanNode { nodes[index] }

    mutating func add(_ kind: PlanNode.Kind, _ type: CELType, at offset: Int) -> Int {
        nodes.append(PlanNode(kind: kind, type: type, offset: offset))
        return nodes.count - 1
    }
}

struct PlanNode: Sendable {
    var kind: Kind
    var type: CELType
    var offset: Int

    indirect enum Kind: Sendable {
        case constant(CELValue)
        case variable(Int)
        case local(Int)
        case entry(Int)
        case select(Int, String, isOptional: Bool)
        case has(Int, String)
        case index(Int, Int, isOptional: Bool)
        case call(String, [Overload], [Int])
        case logic(Operator, [Int])
        case conditional(Int, Int, Int)
        case list([SyntaxElement])
        case map([SyntaxEntry])
        case comprehension(Comprehension)
        /// A local's value, then the expression that uses it.
        case bind(Int, Int, Int)
        /// The index of the first entry, the entries, then the expression that uses them.
        case block(Int, [Int], Int)
        /// A local for the target's value, the target, the expression, and whether its result is an optional already.
        case optionalMap(Int, Int, Int, isFlat: Bool)
        /// A part that fails when it is evaluated, in an expression that isn't checked.
        case failure(CELError.Code, String)
    }
}

/// A macro that iterates over a list or the keys of a map.
struct Comprehension: Sendable {
    enum Kind: Sendable { case all, exists, existsOne, map, filter, transformMap, transformMapEntry, sortBy }

    var kind: Kind
    var range: Int
    /// The local of the element or of the key; with two variables, of the index or of the key.
    var first: Int
    /// The local of the second variable: the element or the value.
    var second: Int?
    var condition: Int?
    var body: Int
}
