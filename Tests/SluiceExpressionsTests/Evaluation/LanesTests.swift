import Testing

@testable import SluiceExpressions

/// Macros over ints, which evaluate many elements at once, against the macros of two variables, which do not.
struct LanesTests {
    private static let edges: [Int64] = [
        .min, .min + 1, -1_000_001, -7, -3, -2, -1, 0, 1, 2, 3, 4, 7, 8, 9, 1_000_001, .max - 1, .max,
    ]
    private static let types: [CELType] = [.list(.int), .dyn]

    /// Lists around the sizes of the chunks, of small numbers and with edges at places.
    private static let lists: [[CELValue]] = [0, 1, 7, 8, 15, 16, 17, 143, 144, 145, 300].flatMap { count in
        let small = (0..<count).map { CELValue.int(Int64($0 * 7 % 23 - 11)) }
        var last = small
        if let place = last.indices.last { last[place] = .int(.max) }
        var other = small
        if count > 20 { other[20] = .double(2.5) }
        return [small, last, other, (0..<count).map { .int(edges[$0 * 5 % edges.count]) }]
    }

    private static let conditions = [
        "v >= 0", "v % 2 == 0", "0 > v", "v != 3", "v % 3 == 0", "v % 8 == -3", "v > 9223372036854775807",
        "v < -9223372036854775807 - 1", "v * 2 > k", "v > 0 && v < k", "v == 1 || v == k || v > 100", "!(v > 0)",
        "v + 1 > v", "k - v < d", "v / 3 == 2", "v / 4 == 1", "(v * 3 + 1) / 2 - v % 7 > 2", "d > v", "v > 2.0",
        "k > 0", "v == v",
    ]

    private struct Outcome: Equatable {
        var value: CELValue?
        var message: String?
        var cost: Int
    }

    /// Returns the outcomes of an expression for lists.
    private func outcomes(
        _ text: String,
        _ type: CELType,
        _ lists: [[CELValue]] = lists,
        _ limits: CELLimits = CELLimits()
    ) throws -> [Outcome] {
        let program = try CELExpression(text, variables: ["l": type, "k": .int, "d": .dyn], limits: limits)
        return try lists.map { list in
            var slots = program.slots()
            try slots.set(.list(list), at: try slots.index(of: "l"))
            slots.setInt(5, at: try slots.index(of: "k"))
            slots.setInt(2, at: try slots.index(of: "d"))
            do throws(CELError) {
                return Outcome(value: try program.evaluate(&slots), cost: slots.cost)
            } catch {
                return Outcome(message: error.issues.first?.message, cost: slots.cost)
            }
        }
    }

    @Test(arguments: types)
    func anElementHasTheSameResultAndCostAsAlone(_ type: CELType) throws {
        for body in Self.conditions where type == .dyn || !body.contains("2.0") {
            for macro in ["all", "exists"] {
                let expected = try outcomes("l.\(macro)(i, v, \(body))", type)
                #expect(try outcomes("l.\(macro)(v, \(body))", type) == expected, "\(macro) \(body)")
            }
            let kept = try outcomes("l.transformList(i, v, \(body), v)", type)
            let filtered = try outcomes("l.filter(v, \(body))", type)
            #expect(filtered.map(\.value) == kept.map(\.value), "\(body)")
            #expect(filtered.map(\.message) == kept.map(\.message), "\(body)")
        }
        for body in ["v * v", "v + 1", "k - v", "v % 7", "v / 10", "v % 4 + d", "(v * 3 + 1) / 2 - v % 7", "-v", "3"] {
            let expected = try outcomes("l.transformList(i, v, \(body))", type)
            #expect(try outcomes("l.map(v, \(body))", type) == expected, "\(body)")
        }
    }

    @Test func theLimitIsExceededAtTheSameElement() throws {
        var limits = CELLimits()
        let lists = [(0..<300).map { CELValue.int(Int64($0)) }]
        for maximum in [20, 100, 399, 400, 401, 700, 1_199, 1_202, 1_203] {
            limits.maximumCost = maximum
            for (macro, other) in [("all", "all"), ("map", "transformList")] {
                let body = macro == "all" ? "v >= 0" : "v + 1"
                let expected = try outcomes("l.\(other)(i, v, \(body))", .dyn, lists, limits)
                #expect(try outcomes("l.\(macro)(v, \(body))", .dyn, lists, limits) == expected, "\(macro) \(maximum)")
            }
        }
    }

    @Test func aBodyOverOuterNamesSeesThem() throws {
        let text = "lists.range(20).all(a, lists.range(20).exists(b, b == a))"
        #expect(try CELExpression(text).evaluate() == true)
        let sums = try CELExpression("[1, 2].map(a, lists.range(9).map(b, a * b))").evaluate()
        #expect(sums == .list([1, 2].map { a in .list((0..<9).map { .int(a * Int64($0)) }) }))
    }

    @Test func aQuotientByAConstantIsThatOfTheDivision() {
        var divisors = (2...1000).map { Int64($0) }
        for bit in 10...62 { divisors += [1 << bit, (1 << bit) - 1, (1 << bit) + 1] }
        divisors.append(.max)
        for number in divisors {
            guard let divisor = IntDivisor(number) else {
                Issue.record("\(number)")
                continue
            }
            var values = Self.edges + [number, -number, number &* 2, number - 1, 1 - number]
            for factor in [3, 1_000_003, Int64.max / number] { values += [factor &* number, factor &* number &- 1] }
            for value in values {
                #expect(divisor.quotient(value) == value / number && divisor.remainder(value) == value % number)
            }
        }
        #expect(IntDivisor(1) == nil && IntDivisor(0) == nil && IntDivisor(-3) == nil)
    }

    /// The condition of a filter was compiled twice, and so 2⁴⁰ times at forty levels.
    @Test func nestedFiltersAreCompiledOnce() throws {
        let text = (0..<22).reduce("true") { body, level in "[1].filter(v\(level), \(body)).size() > 0" }
        #expect(try CELExpression(text).evaluate() == true)
    }
}
