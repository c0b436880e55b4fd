import SluiceExpressions
import Testing

/// The dialect in which an int that meets a double becomes a double.
struct PromotionTests {
    private static let cases: [(String, CELValue)] = [
        ("x + y", CELValue.double(3.5)), ("y - x", -0.5), ("x * y", 3.0), ("y / x", 0.75), ("x == 2.0", true),
        ("y != x", true), ("x < y", false), ("x >= 2.0", true), ("x in [1.5, 2.0]", true), ("y in [1, 2]", false),
        ("x / 4", 0), ("x + 1", 3), ("-x + y", -0.5), ("(x + y) * x", 7.0), ("x == 2.0 && y < x", true),
        ("[1, 2].map(v, v * y)", [1.5, 3.0]),
    ]

    @Test(arguments: cases)
    func anIntThatMeetsADoubleBecomesADouble(_ text: String, _ expected: CELValue) throws {
        let bindings: [String: CELValue] = ["x": 2, "y": 1.5]
        for (first, second) in [(CELType.int, CELType.double), (.dyn, .double), (.int, .dyn), (.dyn, .dyn)] {
            let program = try CELExpression(text, variables: ["x": first, "y": second], promotesInts: true)
            #expect(try program.evaluate(bindings) == expected, "\(text) with \(first) and \(second)")
        }
    }

    @Test func typesAreFound() throws {
        let variables: [String: CELType] = ["x": .int, "y": .double, "z": .dyn]
        func type(_ text: String) throws -> CELType {
            try CELExpression(text, variables: variables, promotesInts: true).type
        }
        #expect(try type("x + y") == .double)
        #expect(try type("y * z") == .double)
        #expect(try type("x * z") == .dyn)
        #expect(try type("x == y") == .bool)
        #expect(try type("x % 2") == .int)
    }

    @Test func theLanguageItselfStaysStrict() throws {
        #expect(throws: CELError.self) { try CELExpression("x + 1.5", variables: ["x": .int]) }
        #expect(throws: CELError.self) { try CELExpression("x == 1.5", variables: ["x": .int]) }
        let program = try CELExpression("x + 1.5", variables: ["x": .dyn])
        let error = #expect(throws: CELError.self) { try program.evaluate(["x": 1]) }
        #expect(error?.issues.first?.message == "no such overload: +(int, double)")
        let unchecked = try CELExpression("x + 1.5", variables: ["x": .int], isChecked: false)
        #expect(throws: CELError.self) { try unchecked.evaluate(["x": 1]) }
        #expect(try CELExpression("x == 1.5", variables: ["x": .int], isChecked: false).evaluate(["x": 1]) == false)
    }

    @Test func aModulusOfADoubleIsAnErrorStill() throws {
        #expect(throws: CELError.self) { try CELExpression("1.5 % 2", promotesInts: true) }
    }

    @Test func expressionsOfOtherDialectsAreNotEqual() throws {
        #expect(try CELExpression("1 + 2", promotesInts: true) != CELExpression("1 + 2"))
        #expect(try CELExpression(dynamic: "x + 1.5", promotesInts: true).evaluate(["x": 1]) == 2.5)
    }
}
