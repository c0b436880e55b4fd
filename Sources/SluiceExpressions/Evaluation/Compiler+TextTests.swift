/// A test of a text by a constant, such as `name.startsWith('a')`.
private protocol TextTest: Sendable {
    init(part: String)

    /// Returns the cost of the test beyond the one unit of every node.
    func cost(_ text: String) -> Int

    /// Returns a Boolean value that indicates whether the text passes.
    func holds(_ text: String) -> Bool
}

private struct PrefixTest: TextTest {
    let part: String
    let cost: Int

    init(part: String) {
        self.part = part
        cost = part.utf8.count / 20
    }

    func cost(_ text: String) -> Int { cost }
    func holds(_ text: String) -> Bool { text.hasScalarPrefix(part) }
}

private struct SuffixTest: TextTest {
    let part: String
    let cost: Int

    init(part: String) {
        self.part = part
        cost = part.utf8.count / 20
    }

    func cost(_ text: String) -> Int { cost }
    func holds(_ text: String) -> Bool { text.hasScalarSuffix(part) }
}

private struct ContentTest: TextTest {
    let part: String

    func cost(_ text: String) -> Int { 1 + (text.utf8.count + part.utf8.count) / 10 }
    func holds(_ text: String) -> Bool { text.containsScalars(part) }
}

extension Compiler {
    /// Compiles a test of a text by a constant. The text may be of unknown type; a variable is read in place.
    func textTest(_ name: String, _ overloads: [Overload], _ arguments: [Int], at offset: Int) -> Code? {
        guard arguments.count == 2, case .constant(.string(let part)) = plan[arguments[1]].kind,
            overloads.count == 1, overloads[0].parameters == [.string, .string], !overloads[0].isHost
        else { return nil }
        return switch name {
        case "startsWith": .bool(test(PrefixTest(part: part), part, overloads[0], arguments[0], at: offset))
        case "endsWith": .bool(test(SuffixTest(part: part), part, overloads[0], arguments[0], at: offset))
        case "contains": .bool(test(ContentTest(part: part), part, overloads[0], arguments[0], at: offset))
        default: nil
        }
    }

    private func test<Test: TextTest>(
        _ test: Test,
        _ part: String,
        _ overload: Overload,
        _ argument: Int,
        at offset: Int
    ) -> Run<Bool> {
        let slow = slowTest(test, part, overload, argument, at: offset)
        guard case .variable(let variable) = plan[argument].kind, locations[variable].isBoxed else { return slow }
        let slot = locations[variable].slot
        return { frame throws(Fault) in
            guard case .some(.string(let text)) = frame.values[slot] else { return try slow(&frame) }
            let cost = test.cost(text)
            if cost > 0 { try frame.charge(cost, at: offset) }
            return test.holds(text)
        }
    }

    /// Compiles the test of a text that has to be evaluated first.
    private func slowTest<Test: TextTest>(
        _ test: Test,
        _ part: String,
        _ overload: Overload,
        _ argument: Int,
        at offset: Int
    ) -> Run<Bool> {
        if plan[argument].type == .string {
            let text = string(argument)
            return { frame throws(Fault) in
                let text = try text(&frame)
                try frame.charge(test.cost(text), at: offset)
                return test.holds(text)
            }
        }
        let value = boxed(argument)
        return { frame throws(Fault) in
            let value = try value(&frame)
            guard case .string(let text) = value else {
                throw Fault.noOverload(overload.name, [value, .string(part)]).located(offset)
            }
            try frame.charge(test.cost(text), at: offset)
            return test.holds(text)
        }
    }
}
