import SluiceExpressions
import Testing

struct MessageTests {
    private func error(_ text: String, _ bindings: [String: CELValue] = [:]) -> CELError.Issue? {
        do {
            _ = try CELExpression(text, variables: bindings.mapValues { CELType(of: $0) }).evaluate(bindings)
            return nil
        } catch {
            return error.issues.first
        }
    }

    @Test(arguments: [
        ("[1, 2, 3].map(x)", "map does not take 1 argument", "write l.map(x, x + 1) or l.map(x, x > 0, x + 1)"),
        ("[1].all(1, 2, 3, 4)", "all does not take 4 arguments", "write l.all(x, x > 0) or m.all(k, v, v > 0)"),
        ("has(1, 2)", "has does not take 2 arguments", "write has(x.name)"),
        ("True", "'True' is not declared", "did you mean true?"),
        ("nul", "'nul' is not declared", "did you mean null?"),
        ("nil", "'nil' is not declared", "did you mean null?"),
        ("flase", "'flase' is not declared", "did you mean false?"),
        ("m.nmae", "no such key: \"nmae\"", "did you mean name?"),
        ("m['nmae']", "no such key: \"nmae\"", "did you mean name?"),
        ("order.totl", "'order.totl' is not declared", "did you mean order.total?"),
        ("s.size", "string has no field 'size'", "call it: .size()"),
        ("s.lowerAsci", "string has no field 'lowerAsci'", "did you mean .lowerAscii()?"),
    ])
    func aHintIsNear(_ text: String, _ message: String, _ hint: String) {
        let issue = error(text, ["m": ["name": 1, "id": 2], "order.total": 1, "s": "a"])
        #expect(issue?.message == message)
        #expect(issue?.hint == hint)
    }

    /// No macro and no function is its own hint.
    @Test(arguments: [
        "all", "exists", "exists_one", "existsOne", "map", "filter", "transformList", "transformMap",
        "transformMapEntry", "optMap", "optFlatMap", "sortBy", "size", "matches", "contains", "format",
    ])
    func nothingIsItsOwnHint(_ name: String) {
        for call in [
            "[1].\(name)()", "[1].\(name)(x)", "\(name)(1)", "\(name)(1, 2, 3, 4, 5)", "x.\(name)(a, b, c, d, e)",
        ] {
            #expect(error(call)?.hint?.contains("did you mean \(name)?") != true, "\(call)")
        }
    }

    @Test func theCaretStandsBelowItsPlace() {
        for before in ["", "\t", "\t\t1 +\t", "'\u{1B}[31m' +", "'é\u{202E}' +\t"] {
            let issue = error(before + " wrong")
            let lines = issue?.excerpt.split(separator: "\n", omittingEmptySubsequences: false) ?? []
            #expect(lines.count == 2)
            let place = lines.first.flatMap { $0.firstRange(of: "wrong") }.map { place in
                lines[0][..<place.lowerBound].unicodeScalars.count
            }
            #expect(place == lines.last.map { $0.unicodeScalars.count - 1 })
            #expect(issue?.excerpt.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 } == true)
        }
    }

    @Test(arguments: [
        "'\u{1B}[2J' + 1", "\u{1B}", "x.`\u{1B}`", "{'\u{1B}': 1}.b['\u{7}']", "int('\u{1B}[2J')",
        "timestamp('\u{9B}x')",
        "'a'.matches('\u{1B}(')", "'%\u{1B}'.format([1])", "ip('\u{202E}')", "{'a': 1}['\u{1B}']",
        "{'\u{1B}': 1, '\u{1B}': 2}",
    ])
    func noControlCharacterReachesATerminal(_ text: String) {
        let issue = error(text)
        #expect(issue != nil)
        let shown = (issue?.message ?? "") + (issue?.hint ?? "") + (issue?.excerpt ?? "")
        for scalar in shown.unicodeScalars where scalar != "\n" {
            #expect(
                !(scalar.value < 32 || 127..<160 ~= scalar.value || scalar == "\u{202E}"),
                "\(shown.debugDescription)"
            )
        }
    }

    @Test(arguments: [
        "", " == 1", ".\(String(repeating: "y", count: 20_000))", "(1)", ".f()",
        " \(String(repeating: "9", count: 20_000))",
        "['\(String(repeating: "z", count: 20_000))']", "{}", " '\(String(repeating: "q", count: 20_000))'",
    ])
    func longTokensAreShortened(_ rest: String) {
        for start in [String(repeating: "x", count: 20_000), "m", String(repeating: "7", count: 20_000)] {
            guard let issue = error(start + rest, ["m": ["a": 1]]) else { continue }
            #expect(issue.message.unicodeScalars.count < 200, "\(issue.message.prefix(100))")
            #expect((issue.hint ?? "").unicodeScalars.count < 300)
        }
    }

    @Test(arguments: [
        ("true &&\n  lists.range(900).all(a, lists.range(900).all(b, true))", 2, 44),
        ("lists.range(1000).map(x, x).map(x, s + s)", 1, 38),
        ("1 + lists.range(900000).size() + lists.range(900000).size()", 1, 40),
    ])
    func anErrorOfCostHasAPlaceAndAHint(_ text: String, _ line: Int, _ column: Int) {
        let issue = error(text, ["s": .string(String(repeating: "s", count: 100_000))])
        #expect(issue?.message == "the evaluation costs more than 1000000")
        #expect(issue?.line == line)
        #expect(issue?.column == column)
        #expect(issue?.hint?.isEmpty == false)
    }
}
