/// An expression whose names, types and overloads are known: what the compiler reads. Flat, as the syntax tree is.
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
        /// A local's value, then what is computed with it.
        case bind(Int, Int, Int)
        /// The first entry's index, the entries, then what is computed with them.
        case block(Int, [Int], Int)
        /// A local for the target's value, the target, what is computed, whether that is an optional already.
        case optionalMap(Int, Int, Int, isFlat: Bool)
        /// What fails when it is reached, in an expression that is not checked.
        case failure(CELError.Code, String)
    }
}

/// A macro that goes over a list or the keys of a map.
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
