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

    /// What a function is called with: each argument in turn at its worst, the others small and then of middle size.
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

    /// How a function is called.
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
}
