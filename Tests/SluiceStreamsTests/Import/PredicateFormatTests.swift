import SluiceExpressions
import SluiceJSON
import Testing

@testable import SluiceStreams

@Suite struct PredicateFormatTests {
    @Test(arguments: [
        ("%d != 3", "x != 3"), ("%d = 3", "x == 3"), ("%d == 3", "x == 3"), ("%d <> 3", "x != 3"),
        ("%d =< 3", "x <= 3"),
        ("%d => 3", "x >= 3"), ("3<%d", "3 < x"), ("%ld > 2", "x > 2"), ("%@ > 2", "x > 2"), ("%i > 2.5", "x > 2.5"),
        ("%d > 1 AND 1 < 5", "x > 1 && 1 < 5"), ("%d > 1 && 2 > 1 or 1 = 1", "x > 1 && 2 > 1 || 1 == 1"),
        ("%d > 1 && (2 > 1 || 1 = 1)", "x > 1 && (2 > 1 || 1 == 1)"), ("NOT %d > 1", "!(x > 1)"),
        ("!(%d > 1)", "!(x > 1)"),
        ("NOT NOT %d > 1", "x > 1"), ("not (%d in {1, 2, 3})", "!(x in [1, 2, 3])"), ("%d IN {}", "x in []"),
        ("%d BETWEEN {1, 5}", "1 <= x && x <= 5"), ("NOT %d BETWEEN {1, 2 + 3}", "!(1 <= x && x <= 2 + 3)"),
        ("TRUEPREDICATE", "true"), ("FALSEPREDICATE OR %d > 1", "false || x > 1"),
        ("modulus:by:(%d, 2) == 0", "x % 2 == 0"),
        ("((%d)) > ((1))", "x > 1"), ("%d > -1", "x > -1"), ("%d > --1", "x > 1"), ("%d>007", "x > 7"),
    ])
    func filters(_ format: String, _ cel: String) throws {
        let text = try PredicateFormat.cel(format, .filter)
        #expect(text == cel)
        let value = try CELExpression(text, variables: ["x": .dyn]).evaluate(["x": 4])
        #expect([.bool(true), .bool(false)].contains(value))
    }

    @Test(arguments: [
        ("%d * 2", "x * 2", 8), ("%d + 1 * 2", "x + 1 * 2", 6), ("(%d + 1) * 2", "(x + 1) * 2", 10),
        ("%d - (1 - 2)", "x - (1 - 2)", 5),
        ("%d - 1 - 2", "x - 1 - 2", 1), ("10 / %d", "10 / x", 2), ("-%d", "-x", -4), ("-(%d + 1)", "-(x + 1)", -5),
        ("modulus:by:(%d + 1, 3)", "(x + 1) % 3", 2), ("add:to:(%d, 1)", "x + 1", 5),
        ("from:subtract:(%d, 1)", "x - 1", 3),
        ("multiply:by:(%d, 1 + 1)", "x * (1 + 1)", 8), ("divide:by:(%d, 3)", "x / 3", 1),
        ("abs:(-7)", "-7 < 0 ? -(-7) : -7", 7), ("TERNARY(%d > 3, 1, 0)", "x > 3 ? 1 : 0", 1),
        ("TERNARY(%d > 3, 1, 0) + 1", "(x > 3 ? 1 : 0) + 1", 2), ("7", "7", 7), ("12 / (2 * 3)", "12 / (2 * 3)", 2),
    ])
    func maps(_ format: String, _ cel: String, _ result: Int64) throws {
        let text = try PredicateFormat.cel(format, .map)
        #expect(text == cel)
        #expect(try CELExpression(text, variables: ["x": .dyn]).evaluate(["x": 4]) == .int(result))
    }

    @Test func theValuesOfAScanComeInOrder() throws {
        #expect(try PredicateFormat.cel("%d + %d", .scan) == "acc + x")
        #expect(try PredicateFormat.cel("%d * 2", .scan) == "acc * 2")
    }

    @Test(arguments: [
        ("", "1: the end is not expected here"),
        ("%d", "1: a filter needs a comparison, not 'x'"),
        ("%d >", "5: the end is not expected here"),
        ("%d > 1 > 2", "8: '>' is not expected here"),
        ("%d > %d", "6: the program has only one value for the placeholders"),
        ("%f > 1", "1: the placeholder '%f' is not translated (the program's are %d)"),
        ("%d % 2 == 0", "4: the placeholder '%' is not translated (the program's are %d)"),
        ("%d MOD 2 = 0", "4: 'MOD' is not expected here"),
        ("MOD(%d, 2) = 0", "1: 'MOD' is not translated (modulus:by:(%d, 2) is)"),
        ("SELF > 1", "1: 'SELF' is not translated (rewrite the expression in CEL)"),
        ("%d = nil", "6: 'nil' is not translated (rewrite the expression in CEL)"),
        ("%d = YES", "6: 'YES' is not translated (rewrite the expression in CEL)"),
        ("%d == '3'", "7: a text is not translated (the program's values here are numbers)"),
        ("%d CONTAINS 3", "4: 'CONTAINS' is not expected here"),
        ("%d ** 2 > 1", "4: the power '**' is not translated (CEL has none)"),
        ("sqrt:(%d) > 1", "1: 'sqrt:' is not translated (rewrite the expression in CEL)"),
        ("1 AND %d > 2", "1: '&&' joins comparisons, not '1'"),
        ("(%d > 1) + 1 > 2", "1: '+' takes numbers, not 'x > 1'"),
        ("%d BETWEEN {1}", "12: 'BETWEEN' takes two bounds, and not 1 (%d BETWEEN {1, 5})"),
        ("%d IN 3", "7: 'IN' needs a list (%d IN {1, 5})"),
        ("%d > 0x1F", "6: the number '0x1F' is not translated (write it with digits, within 64 bits)"),
        (
            "%d > 99999999999999999999",
            "6: the number '99999999999999999999' is not translated (write it with digits, within 64 bits)"
        ),
        ("(%d > 1", "8: ')' is missing before the end"),
        ("%d & 1 > 0", "4: '&' is not translated"),
        ("%d > $LOW", "6: '$LOW' is not translated (rewrite the expression in CEL)"),
    ])
    func filtersThatAreRefused(_ format: String, _ message: String) {
        expectFault(format, .filter, message)
    }

    @Test(arguments: [
        ("%d > 3", "1: a map needs a number, not 'x > 3'"),
        ("%d * 1.5", "6: the fraction '1.5' is not translated (the program's results are whole numbers)"),
        ("TERNARY(1, 2, 3)", "9: 'TERNARY' begins with a comparison, not '1'"),
        ("TERNARY(1 > 0, 2)", "1: 'TERNARY' takes three parts, and not 2"),
        ("modulus:by:(%d)", "1: 'modulus:by:' takes two numbers, and not 1"),
        ("abs:(1, 2)", "1: 'abs:' takes one number, and not 2"),
    ])
    func mapsThatAreRefused(_ format: String, _ message: String) {
        expectFault(format, .map, message)
    }

    private func expectFault(_ format: String, _ use: PredicateFormat.Use, _ message: String) {
        do throws(PredicateFormat.Fault) {
            let text = try PredicateFormat.cel(format, use)
            Issue.record("\(format) became \(text)")
        } catch {
            #expect("\(error.place): \(error.message)" + (error.hint.map { " (\($0))" } ?? "") == message)
        }
    }

    private static let hostileFormats = [
        String(repeating: "(", count: 9000), String(repeating: "-", count: 9000) + "1 > 0",
        String(repeating: "NOT ", count: 2000) + "1 > 0", String(repeating: "abs:(", count: 60),
        "1 > " + String(repeating: "1 + ", count: 2000) + "1",
        String(repeating: "abs:(", count: 50) + "1" + String(repeating: ")", count: 50) + " > 1",
        String(repeating: "%d", count: 20_000),
        String(repeating: "1 BETWEEN {", count: 900),
    ]

    /// Processor time is measured in a process of its own.
    @Test func hostileFormatsAreAnsweredSoon() async {
        await #expect(processExitsWith: .success) {
            for format in Self.hostileFormats {
                let took = processorSeconds {
                    let text = try? PredicateFormat.cel(format, .filter)
                    #expect((text?.utf8.count ?? 0) < 40_000, "\(format.prefix(30))")
                }
                #expect(took < 5, "\(format.prefix(30))")
            }
        }
    }

    /// `Int($0)`, and what is no number vanishes.
    @Test(arguments: [
        (JSON.string("12"), JSON.int(12)), ("-3", -3), ("+5", 5), ("007", 7), ("A", nil), ("", nil), (" 1", nil),
        ("1.0", nil), ("1e3", nil),
        ("99999999999999999999", nil), (4, 4),
    ])
    func numbersAreMadeAsTheProgramDid(_ value: JSON, _ number: JSON) throws {
        let text = try #require(SeedReader.numbers[["compactMap", "expression"]]?.string)
        let expression = try CELExpression(text, variables: ["x": .dyn])
        let argument: CELValue = value.int.map { .int(Int64($0)) } ?? .string(value.string ?? "")
        let expected: CELValue = number.int.map { .int(Int64($0)) } ?? .null
        #expect(try expression.evaluate(["x": argument]) == expected)
    }
}
