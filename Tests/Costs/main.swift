import Foundation

@testable import SluiceExpressions

// Evaluates the worst cases of every function until the default limit of the cost, and prints how much processor time
// that takes: `bin/test costs`. It is not a test of Swift Testing, which takes a backtrace of every error.
//
// Other work on the machine can only add to a time, and comes and goes. So every case is evaluated once to a tenth of
// the limit, the dear ones once in full, and those beyond the limit again, in passes over all of them, beside the
// reference of `Reference.swift`. What stays beyond the limit after the last pass is a failure.

/// The processor time that an evaluation may take, in milliseconds: a million units of 50 ns.
let limit = 50.0

/// The part of the limit that is left to the noise of a shared machine, in percent.
let margin = Double(ProcessInfo.processInfo.environment["SLUICE_COSTS_MARGIN"] ?? "") ?? 0

/// The most passes over the cases that are beyond the limit.
let passes = 20

/// The processor time of the calling thread in milliseconds.
func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
}

/// Evaluates a case, and returns the processor time in milliseconds, nil where it doesn't compile.
func time(_ item: CostCase, maximumCost: Int? = nil) -> Double? {
    var limits = CELLimits()
    limits.maximumCost = maximumCost ?? limits.maximumCost
    guard
        let program = try? CELExpression(item.text, variables: item.variables, promotesInts: true, limits: limits)
    else { return nil }
    let start = threadTime()
    _ = try? program.evaluate(item.bindings)
    return threadTime() - start
}

/// The time of a function, and the case that takes it.
struct Row {
    var name: String
    var milliseconds: Double
    var item: CostCase

    /// The arguments of the case.
    var arguments: String {
        let values = item.bindings.filter { $0.key.hasPrefix("v") }.sorted { $0.key < $1.key }
        let shown = values.map { "\($0.key): \($0.value.shown.prefix(40))" }.joined(separator: ", ")
        return item.name.hasSuffix(" dynamic") ? "dynamic " + shown : shown
    }
}

/// Measures the cases of a function. Adds each that is beyond the limit to `dear`, and returns the worst of the others
/// and whether any compiles.
func measure(_ name: String, _ cases: [CostCase], dear: inout [Row]) -> (worst: Row?, compiles: Bool) {
    var worst: Row?
    var compiles = false
    for item in cases {
        guard let tenth = time(item, maximumCost: CELLimits().maximumCost / 10) else { continue }
        compiles = true
        var milliseconds = 10 * tenth
        // A case may exceed a tenth of the limit at once, and take long below the limit.
        if milliseconds > 0.7 * limit || milliseconds < 0.1 * limit { milliseconds = time(item) ?? 0 }
        let row = Row(name: name, milliseconds: milliseconds, item: item)
        if milliseconds > limit {
            dear.append(row)
        } else if milliseconds > worst?.milliseconds ?? -1 {
            worst = row
        }
    }
    return (worst, compiles)
}

var rows: [String: Row] = [:]
var dear: [Row] = []
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
for (index, (name, cases)) in measured.enumerated() {
    let found = measure(name, cases, dear: &dear)
    // Some functions have the same name and are measured apart.
    if let worst = found.worst { rows["\(name) \(index)"] = worst }
    if !found.compiles {
        missing += 1
        print("no case of \(name) compiles: add arguments to Tests/Costs/CostArguments.swift")
    }
}

/// Measures what is beyond the limit again. The machine may be slower than the one that the limit is for: then the limit
/// grows as the least time of the reference does.
var reference = Reference.milliseconds()
var scaled: Double { limit * max(1, reference / Reference.nominal) * (1 + margin / 100) }
let again = dear.count
for _ in 0..<passes where dear.contains(where: { $0.milliseconds > scaled }) {
    reference = min(reference, Reference.milliseconds())
    for index in dear.indices where dear[index].milliseconds > scaled {
        dear[index].milliseconds = min(dear[index].milliseconds, time(dear[index].item) ?? .infinity)
    }
}

let failures = dear.filter { $0.milliseconds > scaled }
let worst = Dictionary(grouping: Array(rows.values) + dear, by: \.name).compactMap { name, rows in
    rows.max { $0.milliseconds < $1.milliseconds }
}
for row in worst.sorted(by: { $0.milliseconds > $1.milliseconds }).prefix(40) {
    let mark = row.milliseconds > scaled ? "FAILED: beyond \(Int(scaled)) ms: " : ""
    print(String(format: "%7.1f ms  ", row.milliseconds) + mark + row.name + "  [" + row.arguments + "]")
}
print(
    String(
        format: "%d of the cases again; the reference takes %.1f ms, nominally %.1f ms, so the limit is %.0f ms",
        again,
        reference,
        Reference.nominal,
        scaled
    )
)
let failed = missing + Set(failures.map(\.name)).count
print("\(measured.count - failed) passed, \(failed) failed")
exit(failed == 0 ? 0 : 1)
