import Foundation
import SluiceExpressions
import SluiceJSON
import Testing

struct EvaluationTests {
    @Test func slotsAndDictionariesAndJSONAnswerAlike() throws {
        let program = try CELExpression("x % 2 == 0 && x > low", variables: ["x": .int, "low": .int])
        #expect(try program.evaluate(["x": 12, "low": 10]) == true)
        #expect(try program.evaluate(JSON(parsing: #"{"x": 12, "low": 12}"#)) == false)
        #expect(try program.evaluate(encoding: ["x": 12, "low": 10]) == true)
        var slots = program.slots()
        slots.setInt(12, at: try slots.index(of: "x"))
        #expect(throws: CELError.self) { try program.evaluateBool(&slots) }
        slots.setInt(10, at: try slots.index(of: "low"))
        #expect(try program.evaluateBool(&slots))
    }

    @Test func aBindingThatDoesNotFitIsNamed() throws {
        let program = try CELExpression("x > 1", variables: ["x": .int])
        let missing = #expect(throws: CELError.self) { try program.evaluate([:]) }
        #expect(missing?.issues.first?.message == "'x' has no value")
        let wrong = #expect(throws: CELError.self) { try program.evaluate(["x": "a"]) }
        #expect(wrong?.issues.first?.message == "'x' is declared as int, the binding is string")
    }

    @Test(arguments: [
        ("x * 2 + size(name)", #"{"x": 20, "name": "ab"}"#, "42"), ("b'hi'", "{}", #""aGk=""#),
        ("[duration('1.5s'), 0.0 / 0.0, type(1), 1u]", "{}", #"["1.5s","NaN","int",1]"#),
        ("x.a.b", #"{"x": {"a": {"b": 1.0}}}"#, "1.0"), ("{1: null}", "{}", #"{"1":null}"#),
    ])
    func jsonInJSONOut(_ text: String, _ bindings: String, _ answer: String) throws {
        #expect(try CELExpression.evaluateJSON(text, bindings: bindings) == answer)
    }

    @Test func aBindingOutsideInt64IsAnErrorWithItsPlace() throws {
        let error = #expect(throws: CELError.self) {
            try CELExpression.evaluateJSON("x", bindings: #"{"x": 9223372036854775808}"#)
        }
        #expect(
            error?.issues.first?.message
                == "bindings: 1:7 at x: the integer 9223372036854775808 does not fit into 64 bits with sign"
        )
    }

    @Test func functionsOfTheHostAreCalled() throws {
        let twice = CELFunction("twice", [.int], .int) { arguments in
            guard case .int(let value) = arguments[0] else { return .null }
            return .int(value * 2)
        }
        #expect(try CELExpression("twice(21)", functions: [twice]).evaluate() == 42)
    }

    @Test func anExpressionIsCodableAsItsText() throws {
        let program = try JSONDecoder().decode(CELExpression.self, from: Data(#""[1].map(v, flag, v + x)""#.utf8))
        #expect(program.variables == ["flag": .dyn, "x": .dyn])
        #expect(try program.evaluate(["flag": true, "x": 1]) == [2])
        #expect(String(decoding: try JSONEncoder().encode(program), as: UTF8.self) == #""[1].map(v, flag, v + x)""#)
        #expect(program.description == "[1].map(v, flag, v + x)")
    }

    @Test(arguments: [
        ("ip('::ffff:c0a8:1') == ip('192.168.0.1')", "true"), ("ip('::ffff:c0a8:1') == ip('192.168.10.1')", "false"),
        ("ip('192.168.0.1') in [ip('::ffff:c0a8:1')]", "true"), ("math.sign(-0.0)", "0.0"),
        ("1.0 / math.sign(-0.0)", "double(\"Infinity\")"),
        ("math.sign(0.0 / 0.0)", "double(\"NaN\")"), ("-7 % -1", "0"), ("dyn(-7) % dyn(-1)", "0"),
    ])
    func valuesAreThoseOfOtherImplementations(_ text: String, _ answer: String) throws {
        #expect(try CELExpression(text).evaluate().description == answer)
    }

    @Test(arguments: [
        "-9223372036854775808 % -1", "dyn(-9223372036854775808) % dyn(-1)", "[-9223372036854775808].map(x, x % -1)",
    ])
    func theLeastIntHasNoRemainderByMinusOne(_ text: String) {
        let error = #expect(throws: CELError.self) { try CELExpression(text).evaluate() }
        #expect(error?.issues.first?.code == .overflow)
    }
}
