import Foundation

@testable import SluiceExpressions

// Evaluates the worst cases of every function until the default limit of the cost, and prints how much processor time
// that takes: `bin/test costs`. It is not a test of Swift Testing, which takes a backtrace of every error.

/// The processor time that an evaluation may take, in milliseconds: a million units of 50 ns.
let limit = 50.0

/// The processor time of the calling thread in milliseconds.
func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
}

/// The worst of the cases of a function, nil where none of them compiles.
func worst(_ cases: [CostCase]) -> (milliseconds: Double, what: String)? {
    var worst: (milliseconds: Double, what: String)?
    for item in cases {
        guard let program = try? CELExpression(item.text, variables: item.variables, promotesInts: true) else {
            continue
        }
        var least = Double.infinity
        // The least of some, and of more near the limit: other work on the machine can only add to a time.
        for round in 0..<30 where least > (round < 4 ? 0.8 : 0.95) * limit {
            let start = threadTime()
            _ = try? program.evaluate(item.bindings)
            least = min(least, threadTime() - start)
        }
        guard least > worst?.milliseconds ?? -1 else { continue }
        let values = item.bindings.filter { $0.key.hasPrefix("v") }.sorted { $0.key < $1.key }
        let what = values.map { "\($0.key): \($0.value.shown.prefix(40))" }.joined(separator: ", ")
        worst = (least, item.name.hasSuffix(" dynamic") ? "dynamic " + what : what)
    }
    return worst
}

var rows: [(name: String, milliseconds: Double, what: String)] = []
var missing = 0
var measured: [(String, [CostCase])] = Library.promoting.all.map { overload in
    let types = overload.parameters.map(\.description).joined(separator: ", ")
    return ("\(overload.name)(\(types))", CostCase.cases(of: overload))
}
measured += CostCase.others.map { call, bindings in
    let types = bindings.mapValues { CELType(of: $0) }
    return (
        String(call.prefix(60)),
        [
            CostCase(call, call, types, bindings),
            CostCase(call + " dynamic", call, types.mapValues { _ in .dyn }, bindings),
        ]
    )
}
for (name, cases) in measured {
    if let found = worst(cases) {
        rows.append((name, found.milliseconds, found.what))
    } else {
        missing += 1
        print("no case of \(name) compiles: add arguments to Tests/Costs/CostArguments.swift")
    }
}
rows.sort { $0.milliseconds > $1.milliseconds }
for row in rows {
    let mark = row.milliseconds > limit ? "beyond \(Int(limit)) ms: " : ""
    print(String(format: "%7.1f ms  ", row.milliseconds) + mark + row.name + "  [" + row.what + "]")
}
let failed = missing + rows.count { $0.milliseconds > limit }
print("\(rows.count + missing - failed) passed, \(failed) failed")
exit(failed == 0 ? 0 : 1)
