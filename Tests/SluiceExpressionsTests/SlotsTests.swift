import SluiceExpressions
import Testing

struct SlotsTests {
    @Test func everyTypeIsSetAndAnsweredUnboxed() throws {
        let variables: [String: CELType] = ["i": .int, "d": .double, "b": .bool, "s": .string, "any": .dyn]
        func program(_ text: String) throws -> (CELExpression, CELSlots) {
            let program = try CELExpression(text, variables: variables)
            var slots = program.slots()
            slots.setInt(7, at: try slots.index(of: "i"))
            slots.setDouble(2.5, at: try slots.index(of: "d"))
            slots.setBool(true, at: try slots.index(of: "b"))
            slots.setString("añb", at: try slots.index(of: "s"))
            slots.setInt(9, at: try slots.index(of: "any"))
            return (program, slots)
        }
        var (int, slots) = try program("i * 2 + size(s)")
        #expect(int.type == .int)
        #expect(try int.evaluateInt(&slots) == 17)
        var (double, more) = try program("d * d")
        #expect(double.type == .double)
        #expect(try double.evaluateDouble(&more) == 6.25)
        var (string, texts) = try program("s + 'x'")
        #expect(string.type == .string)
        #expect(try string.evaluateString(&texts) == "añbx")
        var (bool, answers) = try program("b && i > 1")
        #expect(bool.type == .bool)
        #expect(try bool.evaluateBool(&answers))
        var (dynamic, values) = try program("any + 1")
        #expect(dynamic.type == .dyn || dynamic.type == .int)
        #expect(try dynamic.evaluateInt(&values) == 10)
        let any = try values.index(of: "any")
        values.setString("x", at: any)
        let error = #expect(throws: CELError.self) { try dynamic.evaluate(&values) }
        #expect(error?.issues.first?.message == "no such overload: +(string, int)")
        values.setDouble(1, at: any)
        #expect(throws: CELError.self) { try dynamic.evaluateInt(&values) }
        int = dynamic
        _ = (double, bool, string)
    }

    @Test func aVariableOfAnotherTypeHasNoValueAfterwards() throws {
        let program = try CELExpression("i > 1 && s == 'a'", variables: ["i": .int, "s": .string])
        var slots = program.slots()
        let (int, string) = (try slots.index(of: "i"), try slots.index(of: "s"))
        slots.setInt(2, at: int)
        slots.setString("a", at: string)
        #expect(try program.evaluateBool(&slots))
        slots.setDouble(2, at: int)
        let number = #expect(throws: CELError.self) { try program.evaluateBool(&slots) }
        #expect(number?.issues.first?.message == "'i' has no value")
        slots.setInt(3, at: int)
        slots.setBool(true, at: string)
        #expect(throws: CELError.self) { try program.evaluateBool(&slots) }
        slots.setString("a", at: string)
        #expect(try program.evaluateBool(&slots))
    }

    @Test func anAnswerOfAnotherTypeIsAnError() throws {
        let program = try CELExpression("1 + 1")
        var slots = program.slots()
        let bool = #expect(throws: CELError.self) { try program.evaluateBool(&slots) }
        #expect(bool?.issues.first?.message == "the answer is int, bool was asked for")
        let double = #expect(throws: CELError.self) { try program.evaluateDouble(&slots) }
        #expect(double?.issues.first?.message == "the answer is int, double was asked for")
        #expect(throws: CELError.self) { try program.evaluateString(&slots) }
        let promoting = try CELExpression("1 + 1", promotesInts: true)
        var others = promoting.slots()
        #expect(try promoting.evaluateDouble(&others) == 2)
    }
}
