import Foundation
import SluiceExpressions

/// Expressions beside the same in Swift, called through a closure that the compiler cannot see into, as whoever takes
/// a predicate calls it.
func expressionRows() throws -> [Row] {
    [try predicateRow(), try arithmeticRow(), try compileRow(), try lookupRow()] + (try stringRows()) + (try listRows())
        + [hostileRow()]
}

/// Something that the compiler cannot see into.
private final class Opaque<Value> {
    var value: Value
    @inline(never)
    @_optimize(none)
    init(_ value: Value) { self.value = value }
}

/// Answers how many of a thousand ints an expression holds for.
private func counting(_ text: String, _ type: CELType) throws -> () -> Void {
    let program = try CELExpression(text, variables: ["x": type])
    let x = try program.slots().index(of: "x")
    return {
        var slots = program.slots()
        var count = 0
        for item in 0..<1000 as Range<Int64> {
            slots.setInt(item, at: x)
            if (try? program.evaluateBool(&slots)) == true { count += 1 }
        }
        keep(count)
    }
}

private func predicateRow() throws -> Row {
    let text = "x % 2 == 0 && x > 10"
    let native = Opaque<(Int64) throws -> Bool> { $0 % 2 == 0 && $0 > 10 }
    let predicate = #Predicate<Int64> { $0 % 2 == 0 && $0 > 10 }
    return Row(
        group: "cel",
        name: "\(text) x 1000",
        bytes: 0,
        peers: [
            Peer(name: "closure") {
                var count = 0
                for item in 0..<1000 as Range<Int64> where (try? native.value(item)) == true { count += 1 }
                keep(count)
            },
            Peer(name: "typed", run: try counting(text, .int)),
            Peer(name: "dynamic", run: try counting(text, .dyn)),
            Peer(
                name: "#Predicate",
                run: {
                    var count = 0
                    for item in 0..<1000 as Range<Int64> where (try? predicate.evaluate(item)) == true { count += 1 }
                    keep(count)
                },
                isOurs: false
            ),
        ]
    )
}

private func arithmeticRow() throws -> Row {
    let text = "(x * 3 + 1) / 2 - x % 7"
    let native = Opaque<(Int64) throws -> Int64> { ($0 * 3 + 1) / 2 - $0 % 7 }
    func adding(_ type: CELType) throws -> () -> Void {
        let program = try CELExpression(text, variables: ["x": type])
        let x = try program.slots().index(of: "x")
        return {
            var slots = program.slots()
            var sum: Int64 = 0
            for item in 0..<1000 as Range<Int64> {
                slots.setInt(item, at: x)
                sum += (try? program.evaluateInt(&slots)) ?? 0
            }
            keep(sum)
        }
    }
    return Row(
        group: "cel",
        name: "\(text) x 1000",
        bytes: 0,
        peers: [
            Peer(name: "closure") {
                var sum: Int64 = 0
                for item in 0..<1000 as Range<Int64> { sum += (try? native.value(item)) ?? 0 }
                keep(sum)
            },
            Peer(name: "typed", run: try adding(.int)), Peer(name: "dynamic", run: try adding(.dyn)),
        ]
    )
}

/// Text to something that runs, beside Swift's own regular expressions, which are compiled from a text too.
private func compileRow() throws -> Row {
    // Twenty literals, names and operators.
    let text = "x % 2 == 0 && x > low && (name.startsWith('ab') || size(name) < 10) && y * 2.0 <= 7.5"
    let variables: [String: CELType] = ["x": .int, "low": .int, "name": .string, "y": .double]
    return Row(
        group: "cel",
        name: "compile 20 nodes",
        bytes: 0,
        peers: [
            Peer(name: "Regex") { keep(try? Regex("(ab|cd+)[a-z]{2,4}(x|y)*z?\\d+(foo|bar)[^q]$")) },
            Peer(name: "typed") { keep(try? CELExpression(text, variables: variables)) },
            Peer(name: "dynamic") { keep(try? CELExpression(dynamic: text)) },
        ]
    )
}

private struct Order {
    var total: Int64
    var customer: String
}

private func lookupRow() throws -> Row {
    let text = "order.total > 100 && order.customer == 'Ada'"
    let order = Order(total: 120, customer: "Ada")
    let native = Opaque<(Order) throws -> Bool> { $0.total > 100 && $0.customer == "Ada" }
    let value: CELValue = ["total": 120, "customer": "Ada"]
    let program = try CELExpression(text, variables: ["order": .dyn])
    var slots = program.slots()
    try slots.set(value, at: try slots.index(of: "order"))
    let prepared = slots
    return Row(
        group: "cel",
        name: "\(text) x 100",
        bytes: 0,
        peers: [
            Peer(name: "closure") { for _ in 0..<100 { keep(try? native.value(order)) } },
            Peer(name: "dynamic") {
                var slots = prepared
                for _ in 0..<100 { keep(try? program.evaluateBool(&slots)) }
            },
        ]
    )
}

private func stringRows() throws -> [Row] {
    let items = (0..<100).map { "item \($0) with a text that has a needle\($0 % 3) in it" }
    func row(_ text: String, _ native: @escaping (String) throws -> Bool) throws -> Row {
        let native = Opaque<(String) throws -> Bool>(native)
        func counting(_ type: CELType) throws -> () -> Void {
            let program = try CELExpression(text, variables: ["s": type])
            let s = try program.slots().index(of: "s")
            return {
                var slots = program.slots()
                var count = 0
                for item in items {
                    slots.setString(item, at: s)
                    if (try? program.evaluateBool(&slots)) == true { count += 1 }
                }
                keep(count)
            }
        }
        return Row(
            group: "cel",
            name: "\(text) x 100",
            bytes: 0,
            peers: [
                Peer(name: "closure") {
                    var count = 0
                    for item in items where (try? native.value(item)) == true { count += 1 }
                    keep(count)
                },
                Peer(name: "typed", run: try counting(.string)), Peer(name: "dynamic", run: try counting(.dyn)),
            ]
        )
    }
    return [
        try row("s.startsWith('item 1') && s.endsWith('it')") { $0.hasPrefix("item 1") && $0.hasSuffix("it") },
        try row("s.contains('needle1')") { $0.contains("needle1") },
        try row("size(s) > 40 && s != ''") { $0.unicodeScalars.count > 40 && $0 != "" },
    ]
}

private func listRows() throws -> [Row] {
    let ints = (0..<1000).map(Int64.init)
    let list = CELValue.list(ints.map(CELValue.int))
    func row(_ text: String, _ native: @escaping ([Int64]) throws -> Any) throws -> Row {
        let native = Opaque<([Int64]) throws -> Any>(native)
        func evaluating(_ type: CELType) throws -> () -> Void {
            let program = try CELExpression(text, variables: ["l": type])
            var slots = program.slots()
            try slots.set(list, at: try slots.index(of: "l"))
            let prepared = slots
            return {
                var slots = prepared
                keep(try? program.evaluate(&slots))
            }
        }
        return Row(
            group: "cel",
            name: "\(text), 1000 elements",
            bytes: 0,
            peers: [
                Peer(name: "closure") { keep(try? native.value(ints)) },
                Peer(name: "typed", run: try evaluating(.list(.int))), Peer(name: "dynamic", run: try evaluating(.dyn)),
            ]
        )
    }
    return [
        try row("l.all(v, v >= 0)") { $0.allSatisfy { $0 >= 0 } },
        try row("l.exists(v, v == 999)") { $0.contains { $0 == 999 } },
        try row("l.filter(v, v % 2 == 0)") { $0.filter { $0 % 2 == 0 } },
        try row("l.map(v, v * v)") { $0.map { $0 * $0 } },
        try row("l.filter(v, v % 3 == 0).map(v, v + 1).exists(v, v > 990)") {
            $0.filter { $0 % 3 == 0 }.map { $0 + 1 }.contains { $0 > 990 }
        },
    ]
}

/// Returns a row of expressions that were written to take long: each has to end within the limit of the first peer.
private func hostileRow() -> Row {
    let letters = String(repeating: "a", count: 50_000)
    let words = CELValue.list((0..<1000).map { .string("word \($0)") })
    let digits = (0..<7).map { "[1,2,3,4,5,6,7,8,9].map(v\($0), " }.joined() + "1" + String(repeating: ")", count: 7)
    let texts: [(String, String)] = [
        ("all in all", "lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, true)))"),
        ("map in map", digits),
        ("format", "cel.bind(a, lists.range(1000), cel.bind(b, a.map(x, a), '%s'.format([b.map(x, b)])))"),
        ("format %f", "lists.range(1000000).map(x, '%.1000f'.format([1e300]))"),
        ("equal", "cel.bind(a, lists.range(1000), cel.bind(b, a.map(x, a), b.all(x, b == b)))"),
        ("sets", "sets.equivalent(w, w) && sets.contains(w, w)"), ("distinct", "w.map(x, [x]).distinct().size() > 0"),
        ("sort", "lists.range(40000).map(x, -x).sort().size() > 0"), ("join", "w.map(x, w.join('-')).size() > 0"),
        ("replace", "s.replace('a', 'aaaaaaaaaa').replace('a', 'bb').size() > 0"), ("split", "s.split('').size() > 0"),
        ("matches (a+)+$", "s.matches('(a+)+$')"), ("matches (a|aa)*b", "s.matches('(a|aa)*b')"),
        ("matches in a macro", "lists.range(100000).exists(x, s.matches('(a|b|c)*d'))"),
        ("regex.replace", "regex.replace(s, '(a)(a)', r'\\2\\1').size() > 0"),
        ("reach", "lists.range(100000).all(x, s.charAt(49999) == 'a')"),
        ("strings", "lists.range(100000).all(x, s + 'b' != s)"),
        ("1 MB of (", String(repeating: "(", count: 1_000_000)), ("64 KB of (", String(repeating: "(", count: 65_000)),
        ("64 KB of 1+", String(repeating: "1+", count: 32_000) + "1"),
        (
            "64 KB of names",
            String(repeating: "a.contain(", count: 40) + String(repeating: "sizee(1)||", count: 6000) + "b"
        ),
    ]
    let peers = texts.map { name, text in
        Peer(name: name) {
            var limits = CELLimits()
            limits.maximumDepth = 48
            let program = try? CELExpression(text, variables: ["s": .string, "w": .list(.string)], limits: limits)
            keep(try? program?.evaluate(["s": .string(letters), "w": words]))
        }
    }
    // Of the processor, so that what else runs meets this one too.
    let whole = Peer(name: "50 ms") {
        let start = clock()
        while clock() - start < CLOCKS_PER_SEC / 20 {}
    }
    return Row(group: "cel", name: "hostile", bytes: 0, peers: [whole] + peers, isLimit: true)
}
