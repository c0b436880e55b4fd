import Foundation
import Testing

@testable import SluiceExpressions

/// Whether the cost of every function is proportional to its work: `bin/test costs` runs this in release mode, in a
/// process of its own.
struct CostTableTests {
    static let isAsked = ProcessInfo.processInfo.environment["SLUICE_COSTS"] != nil

    /// The processor time that an evaluation may take at the default limits, in milliseconds.
    static let limit = 50.0

    /// What is no function: macros, containers, and errors that are absorbed.
    private static let others: [(String, [String: CELValue])] = [
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

    /// A function that is new has to have arguments here.
    @Test func everyFunctionHasCases() {
        for overload in Library.promoting.all {
            #expect(!CostCase.cases(of: overload).isEmpty, "\(overload.name)")
            for position in overload.parameters.indices {
                let accepted = CostArguments.candidates(overload, position).filter(
                    overload.parameters[position].accepts
                )
                #expect(!accepted.isEmpty, "\(overload.name): no argument \(position)")
            }
        }
    }

    @Test(.enabled(if: isAsked, "bin/test costs runs it"))
    func everyFunctionCostsWhatItTakes() throws {
        var table: [(name: String, milliseconds: Double, what: String)] = []
        func measure(_ cases: [CostCase]) throws {
            var worst: (name: String, milliseconds: Double, what: String)?
            for item in cases {
                guard let program = try? CELExpression(item.text, variables: item.variables, promotesInts: true) else {
                    continue
                }
                var least = Double.infinity
                // The least of some: what else runs on the machine only adds.
                for _ in 0..<3 where least > CostTableTests.limit / 2 {
                    let start = ThreadTime.now
                    _ = try? program.evaluate(item.bindings)
                    least = min(least, ThreadTime.now - start)
                }
                if least > worst?.milliseconds ?? -1 {
                    let values = item.bindings.filter { $0.key.hasPrefix("v") }.sorted { $0.key < $1.key }
                    let what = values.map { "\($0.key): \($0.value.shown.prefix(40))" }.joined(separator: ", ")
                    worst = (item.name, least, what)
                }
            }
            let found = try #require(worst, "no case of \(cases.first?.name ?? "") compiles")
            table.append(found)
            #expect(found.milliseconds <= CostTableTests.limit, "\(found.name) with \(found.what)")
        }
        for overload in Library.promoting.all { try measure(CostCase.cases(of: overload)) }
        for (call, bindings) in CostTableTests.others {
            let types = bindings.mapValues { CELType(of: $0) }
            let name = String(call.prefix(60))
            try measure([
                CostCase(name, call, types, bindings),
                CostCase(name + " dynamic", call, types.mapValues { _ in .dyn }, bindings),
            ])
        }
        for row in table.sorted(by: { $0.milliseconds > $1.milliseconds }) {
            print(String(format: "%7.1f ms  %@  [%@]", row.milliseconds, row.name, row.what))
        }
    }
}

/// The processor time of the calling thread.
enum ThreadTime {
    /// In milliseconds.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }
}
