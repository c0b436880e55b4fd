import SluiceExpressions
import Testing

/// Tests of a text by a constant, which have code of their own, against the same tests by a variable.
struct TextTestTests {
    private static let texts = [
        "", "a", "ab", "item 12 in it", "e\u{301}", "\u{E9}", "👩‍👩‍👧", "aab", String(repeating: "x", count: 100),
    ]
    private static let types: [CELType] = [.string, .dyn]

    @Test(arguments: ["startsWith", "endsWith", "contains"], types)
    func aConstantAnswersAsAVariable(_ name: String, _ type: CELType) throws {
        // The text is a variable, a part of a value, a name that a macro binds, and a constant.
        let forms = ["s.\(name)", "m.s.\(name)", "[s].exists(t, t.\(name)", "(s + '').\(name)"]
        for part in Self.texts {
            for form in forms {
                let end = form.contains("exists") ? "))" : ")"
                let variables: [String: CELType] = ["s": type, "m": .map(.string, type), "p": .string]
                let quoted = "'\(part)'"
                let constant = try CELExpression("\(form)(\(quoted)\(end)", variables: variables)
                let variable = try CELExpression("\(form)(p\(end)", variables: variables)
                for text in Self.texts {
                    let bindings: [String: CELValue] = [
                        "s": .string(text), "m": ["s": .string(text)], "p": .string(part),
                    ]
                    #expect(
                        try constant.evaluate(bindings) == variable.evaluate(bindings),
                        "\(constant) of \(text), \(type)"
                    )
                }
            }
        }
    }

    @Test(arguments: ["startsWith", "endsWith", "contains"])
    func aValueThatIsNoTextIsRefusedAtTheSamePlace(_ name: String) throws {
        for (target, value) in [("x", 1), ("x.y", ["y": 1])] as [(String, CELValue)] {
            func issue(_ part: String, _ bindings: [String: CELValue]) throws -> CELError.Issue? {
                let program = try CELExpression("\(target).\(name)(\(part))", variables: ["x": .dyn, "p": .string])
                return #expect(throws: CELError.self) { try program.evaluate(bindings) }?.issues.first
            }
            let constant = try issue("'a'", ["x": value])
            let variable = try issue("p", ["x": value, "p": "a"])
            #expect(constant?.message == variable?.message)
            #expect(constant?.code == variable?.code)
            #expect(constant?.column == variable?.column)
            #expect(try issue("'a'", [:])?.message == issue("p", ["p": "a"])?.message)
        }
    }

    @Test func aLongConstantIsCharged() throws {
        let part = String(repeating: "x", count: 2000)
        for type in Self.types {
            for name in ["startsWith", "endsWith", "contains"] {
                let program = try CELExpression("s.\(name)('\(part)')", variables: ["s": type])
                var slots = program.slots()
                slots.setString(part, at: try slots.index(of: "s"))
                #expect(try program.evaluateBool(&slots))
                #expect(slots.cost >= part.utf8.count / 20)
                #expect(program.estimatedCost(sizes: ["s": part.utf8.count]).contains(slots.cost))
            }
        }
    }
}
