@testable import SluiceExpressions

/// An expression that is evaluated until the limit of its cost, and what it is evaluated with.
struct CostCase {
    var name: String
    var text: String
    var variables: [String: CELType]
    var bindings: [String: CELValue]

    /// The list that every case goes over.
    static let elements: CELValue = .list((0..<1_000_000).map { .int($0) })

    /// Calls something for every element until the limit, whatever it answers.
    init(_ name: String, _ call: String, _ variables: [String: CELType], _ bindings: [String: CELValue]) {
        self.name = name
        text = "l.exists(i, \(call) == n)"
        self.variables = variables.merging(["l": .list(.int), "n": .dyn]) { $1 }
        self.bindings = bindings.merging(["l": CostCase.elements, "n": .null]) { $1 }
    }

    /// The arguments of a function: each argument in turn at its worst, the others small and then of medium size.
    static func cases(of overload: Overload) -> [CostCase] {
        let candidates = overload.parameters.indices.map { CostArguments.candidates(overload, $0) }
        var chosen: Set<[Int]> = [[Int](repeating: 0, count: candidates.count)]
        for (position, values) in candidates.enumerated() {
            for index in values.indices {
                for others in 0..<2 {
                    var choice = candidates.map { min(others, $0.count - 1) }
                    choice[position] = index
                    chosen.insert(choice)
                }
            }
        }
        for size in 0..<8 { chosen.insert(candidates.map { min(size, $0.count - 1) }) }
        let name = "\(overload.name)(\(overload.parameters.map(\.description).joined(separator: ", ")))"
        return chosen.flatMap { choice in
            var bindings: [String: CELValue] = [:]
            for (position, index) in choice.enumerated() { bindings["v\(position)"] = candidates[position][index] }
            let call = Self.call(overload)
            let types = overload.parameters.map { $0.hasParameter || $0 == .list(.dyn) ? CELType.dyn : $0 }
            let typed = Dictionary(uniqueKeysWithValues: types.enumerated().map { ("v\($0.offset)", $0.element) })
            return [
                CostCase(name, call, typed, bindings),
                CostCase(name + " dynamic", call, typed.mapValues { _ in .dyn }, bindings),
            ]
        }
    }

    /// The form of a function's call.
    private static func call(_ overload: Overload) -> String {
        let arguments = overload.parameters.indices.map { "v\($0)" }
        switch overload.name {
        case "!_": return "(!v0)"
        case "-_": return "(-v0)"
        case "_in_": return "(v0 in v1)"
        case "math.@max": return "math.greatest(\(arguments.joined(separator: ", ")))"
        case "math.@min": return "math.least(\(arguments.joined(separator: ", ")))"
        case let name where name.hasPrefix("_"): return "(v0 \(name.filter { $0 != "_" }) v1)"
        case let name where overload.isMember:
            return "v0.\(name)(\(arguments.dropFirst().joined(separator: ", ")))"
        case let name: return "\(name)(\(arguments.joined(separator: ", ")))"
        }
    }

    /// Costs that aren't those of functions: macros, containers, and errors that are absorbed.
    static let others: [(String, [String: CELValue])] = [
        ("v0[v1]", ["v0": CostArguments.map(1000), "v1": "key7"]),
        ("v0[v1]", ["v0": CostArguments.map(1000), "v1": .string(String(repeating: "k", count: 1_000_000))]),
        ("v0[v1]", ["v0": [1, 2], "v1": .string(String(repeating: "k", count: 1_000_000))]),
        ("v0.missing", ["v0": CostArguments.map(1000)]), ("v0.key7", ["v0": CostArguments.map(1000)]),
        ("v0.\(String(repeating: "k", count: 40_000))", ["v0": CostArguments.map(1000)]),
        ("has(v0.key7)", ["v0": CostArguments.map(1000)]), ("v0.?key7", ["v0": CostArguments.map(1000)]),
        ("v0[?v1]", ["v0": CostArguments.map(1000), "v1": "key7"]),
        ("{v0: 1}", ["v0": .string(String(repeating: "k", count: 100_000))]),
        ("{'a': 1, 'b': 2, 'c': 3, 'd': 4, 'e': 5, 'f': 6, 'g': 7, 'h': 8, 'i': 9, 'j': 10}", [:]),
        ("[1, 2, 3, 'a', v0]", ["v0": 1]), ("v0.map(x, x)", ["v0": CostArguments.map(1000)]),
        ("v0.map(x, x)", ["v0": CostArguments.numbers]), ("v0.map(x, x > 1, x)", ["v0": CostArguments.numbers]),
        ("v0.filter(x, true)", ["v0": CostArguments.numbers]), ("v0.all(x, true)", ["v0": CostArguments.numbers]),
        ("v0.exists_one(x, true)", ["v0": CostArguments.numbers]), ("v0.sortBy(x, -x)", ["v0": CostArguments.numbers]),
        ("v0.transformMap(k, v, v)", ["v0": CostArguments.numbers]),
        ("v0.transformMap(k, v, v)", ["v0": CostArguments.map(1000)]),
        ("v0.transformMapEntry(k, v, {v: k})", ["v0": CostArguments.numbers]),
        ("v0.transformList(k, v, v)", ["v0": CostArguments.map(1000)]), ("cel.bind(a, v0, a)", ["v0": 1]),
        ("cel.block([v0, cel.index(0)], cel.index(1))", ["v0": 1]), ("(v0 ? 1 : 2)", ["v0": true]),
        ("optional.of(v0).optMap(x, x)", ["v0": 1]), ("optional.of(v0).optFlatMap(x, optional.of(x))", ["v0": 1]),
        ("(v0.a.b || v0.a || v0.c)", ["v0": 1]), ("v0.all(x, x.y)", ["v0": CostArguments.numbers]),
        ("(timestamp(v0) == n || ip(v0) == n || int(v0) == n)", ["v0": "no"]),
        ("(1 / v0 == 1 || false)", ["v0": 0]), ("('a'.matches(v0) || false)", ["v0": "("]),
        ("v0.matches('(a|b|ab)*c')", ["v0": .string(String(repeating: "ab", count: 1000))]),
        ("v0.matches('^b')", ["v0": .string(String(repeating: "ab", count: 500_000))]),
        ("v0.matches('(?i)[^\\\\pL]*k')", ["v0": .string(String(repeating: "é1", count: 1000))]),
        ("v0.matches('[a-c\\\\pN\\\\P{Lu}]{200}x')", ["v0": .string(String(repeating: "é\u{10400}", count: 1000))]),
        ("v0.matches('(\\\\b|^|$|\\\\B)*(a{90}){11}')", ["v0": .string(String(repeating: "a b", count: 1000))]),
    ]
}
