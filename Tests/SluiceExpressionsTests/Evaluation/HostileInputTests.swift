import Foundation
import SluiceExpressions
import Testing

struct HostileInputTests {
    /// The size of a small stack. The frames of a sanitizer's build are several times as large.
    #if SLUICE_SANITIZER
    private static let smallStack = 16 << 20
    #else
    private static let smallStack = 512 << 10
    #endif

    /// Returns what an expression answers on a thread with a stack of 512 KB.
    private func onSmallStack(_ body: @escaping @Sendable () -> String) async -> String {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = Self.smallStack
            thread.start()
        }
    }

    private static func answer(_ text: String, _ bindings: [String: CELValue] = [:]) -> String {
        do {
            let variables = bindings.mapValues { CELType(of: $0) }
            return try CELExpression(text, variables: variables).evaluate(bindings).description
        } catch {
            return error.issues.first?.message ?? "no issue"
        }
    }

    private static func nested(_ before: String, _ middle: String, _ after: String, _ count: Int) -> String {
        String(repeating: before, count: count) + middle + String(repeating: after, count: count)
    }

    @Test(arguments: [
        (nested("(", "1", ")", 44), "1"),
        (nested("!", "true", "", 40), "true"),
        (nested("-(", "1", ")", 44), "1"),
        (nested("[", "1", "]", 44) + " == []", "false"),
        (nested("size([", "1", "])", 22), "1"),
        (nested("[1].map(x, ", "1", ")[0]", 40), "1"),
        (nested("true ? 1 : ", "2", "", 40), "1"),
        (nested("1 + ", "1", "", 90), "91"),
        (nested("cel.bind(a, 1, ", "a", ")", 44), "1"),
        (nested("{'a': ", "1", "}", 44) + ".b", "no such key: \"b\""),
        (nested("optional.of(", "1", ")", 44) + " == optional.none()", "false"),
    ])
    func whatNestsWithinTheLimitsFitsASmallStack(_ text: String, _ answer: String) async {
        #expect(await onSmallStack { HostileInputTests.answer(text) } == answer)
    }

    @Test(arguments: [
        ("((((", 250_000), ("[[[[", 10_000), ("{1:{1:", 8000), ("!!!!", 15_000), ("----", 15_000), ("a?b:", 15_000),
        ("a.b(", 15_000), ("a[", 30_000), ("1+", 30_000), ("a||", 20_000), ("[?", 30_000), ("f(f(", 15_000),
    ])
    func whatNestsBeyondTheLimitsIsAnError(_ part: String, _ count: Int) async {
        let text = String(repeating: part, count: count)
        let answer = await onSmallStack { HostileInputTests.answer(text) }
        #expect(["limit", "nests deeper", "nodes", "operand"].contains { answer.contains($0) })
    }

    @Test(arguments: [
        "[1,2,3,4,5,6,7,8,9].map(a, [1,2,3,4,5,6,7,8,9].map(b, [1,2,3,4,5,6,7,8,9].map(c, [1,2,3,4,5,6,7,8,9].map(d, [1,2,3,4,5,6,7,8,9].map(e, [1,2,3,4,5,6,7,8,9].map(f, [1,2,3,4,5,6,7,8,9].map(g, 1)))))))",
        "lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, true)))",
        "lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, true))) || true",
        "lists.range(1000000).exists(x, 'a'.matches('(((a{9}){9}){9})'))",
        "cel.bind(a, lists.range(1000), cel.bind(b, a.map(x, a), cel.bind(c, b.map(x, b), cel.bind(d, c.map(x, c), d == d))))",
        "cel.bind(a, lists.range(1000), cel.bind(b, a.map(x, a), cel.bind(c, b.map(x, b), '%s'.format([c]))))",
    ])
    func productsEndAtTheCostLimit(_ text: String) {
        #expect(HostileInputTests.answer(text) == "the evaluation costs more than 1000000")
    }

    @Test func resultsEndAtTheSizeLimit() {
        let text = "cel.bind(a, s + s, cel.bind(b, a + a, cel.bind(c, b + b, c + c)))"
        let answer = HostileInputTests.answer(text, ["s": .string(String(repeating: "x", count: 100_000))])
        #expect(answer == "a result has 1600000 bytes or elements, the limit is 1000000")
        #expect(
            HostileInputTests.answer("lists.range(2000000)")
                == "a result has 2000000 bytes or elements, the limit is 1000000"
        )
        #expect(
            HostileInputTests.answer("lists.range(9223372036854775807)").hasPrefix("a result has 9223372036854775807")
        )
    }

    @Test(arguments: [("(a+)+$", "false"), ("(a|aa)*b", "false"), ("(a*)*(a*)*$", "true"), ("a{1,100}b", nil)])
    func regularExpressionsAreLinear(_ expression: String, _ expected: String?) {
        let text = String(repeating: "a", count: 50_000) + "!"
        let answer = HostileInputTests.answer("s.matches('\(expression)')", ["s": .string(text)])
        if let expected { #expect(answer == expected) }
    }

    @Test(arguments: [
        ("9223372036854775807 + 1", "+ overflows"), ("-9223372036854775808 / -1", "/ overflows"),
        ("-9223372036854775808 % -1", "% overflows"), ("-(-9223372036854775808)", "- overflows"),
        ("1 / 0", "division by zero"), ("1u % 0u", "modulus by zero"), ("int(1e300)", "int() overflows"),
        ("int(0.0 / 0.0)", "int() overflows"), ("uint(-1.0)", "uint() overflows"),
        ("[1][9223372036854775807]", "index 9223372036854775807 is out of range: there are 1"),
        ("[1][-1]", "index -1 is out of range: there are 1"), ("[1][dyn(1e300)]", "1e+300 is not an index of a list"),
        ("math.abs(-9223372036854775808)", "math.abs overflows"),
        ("'a'.charAt(9223372036854775807)", "index 9223372036854775807 is out of range: the string has 1 code points"),
        ("duration('9223372036s') + duration('9223372036s')", "+ overflows"),
        ("'%.9999f'.format([1.0])", "a format's precision is a number up to 1000"),
        ("timestamp('2024-02-30T00:00:00Z')", "\"2024-02-30T00:00:00Z\" is not a timestamp"),
        ("timestamp(0).getHours('Nowhere/Land')", "\"Nowhere/Land\" is not a time zone"),
        ("[1, 2].slice(1, 9223372036854775807)", "a slice of 2 elements from 1 to 9223372036854775807"),
        ("'ab'.split('', -9223372036854775808)", "[\"a\", \"b\"]"), ("'ab'.replace('', '-')", "\"-a-b-\""),
        ("math.bitShiftLeft(1, -9223372036854775808)", "a shift by -9223372036854775808: negative"),
        ("'x'.matches('(?=x)')", "the regular expression has a look-around, which RE2 does not offer, at position 1"),
        ("'x'.matches('(')", "the regular expression has a group that does not end at position 1"),
        (
            "'x'.matches('(((a{1000}){1000}){1000})')",
            "the regular expression has a repetition beyond 1000, with those inside it, or the wrong way round at position 11"
        ),
        (
            "'x'.matches('" + String(repeating: "a{1000}", count: 11) + "')",
            "a regular expression of more than 10000 steps"
        ),
    ])
    func nothingTraps(_ text: String, _ answer: String) {
        #expect(HostileInputTests.answer(text) == answer)
    }
}
