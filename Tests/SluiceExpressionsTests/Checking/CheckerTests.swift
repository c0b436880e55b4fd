import SluiceExpressions
import Testing

struct CheckerTests {
    private func error(_ text: String, _ variables: [String: CELType] = [:]) -> String {
        do {
            _ = try CELExpression(text, variables: variables)
            return "no error"
        } catch {
            return error.description
        }
    }

    @Test func anErrorShowsItsLineAndAHint() {
        #expect(
            error("x == 1 &&\n  nme.size() > 2", ["x": .int, "name": .string]) == """
                2:3: error: 'nme' is not declared
                  nme.size() > 2
                  ^
                hint: did you mean name?
                """
        )
        #expect(
            error("x = 1", ["x": .int]) == """
                1:3: error: '=' is not an operator
                x = 1
                  ^
                hint: use == to compare
                """
        )
        #expect(
            error("x + 1.5", ["x": .int]) == """
                1:3: error: + does not take (int, double)
                x + 1.5
                  ^
                hint: numbers are not converted by themselves: use double(…)
                """
        )
        #expect(
            error("'a'.startWith('b')") == """
                1:5: error: there is no function 'startWith'
                'a'.startWith('b')
                    ^
                hint: did you mean startsWith?
                """
        )
        #expect(
            error("x.contains(1)", ["x": .string]) == """
                1:3: error: string has no contains(int)
                x.contains(1)
                  ^
                hint: it takes string.contains(string)
                """
        )
    }

    @Test func allErrorsComeAtOnce() throws {
        let error = #expect(throws: CELError.self) {
            try CELExpression("a && b > 'x' && c + 1 == 2 && [1].all(x, x)", variables: ["b": .int])
        }
        #expect(
            error?.issues.map(\.message) == [
                "'a' is not declared", "> does not take (int, string)", "'c' is not declared",
                "the macro's condition is a bool, found int",
            ]
        )
    }

    @Test(arguments: [
        ("1 + 2", CELType.int), ("[1, 'a']", .list(.dyn)), ("{'a': [1.0]}", .map(.string, .list(.double))),
        ("[1, 2].map(x, string(x))", .list(.string)), ("optional.of(1).orValue(2)", .int),
        ("{'a': 1}.?a", .optional(.int)), ("type(1)", .type(.int)), ("timestamp(0) - timestamp(0)", .duration),
        ("{1: 'a'}.transformMap(k, v, size(v))", .map(.int, .int)), ("math.greatest(1, 2)", .int),
        ("cel.bind(a, [1], a[0])", .int), ("[].map(x, x)", .list(.dyn)), ("true ? 1 : dyn(2)", .dyn),
    ])
    func typesAreFound(_ text: String, _ type: CELType) throws {
        #expect(try CELExpression(text).type == type)
    }
}
