import SluiceExpressions
import Testing

/// An expression that passes the checks evaluates to the inferred type, or to an error of the language.
/// `SLUICE_CEL_SCALE=625` gives the full count of a million expressions.
struct RandomExpressionTests {
    static let bindings: [String: CELValue] = [
        "i": 7, "j": .int(.min), "d": 2.5, "u": .uint(.max), "s": "añb", "b": true, "l": [1, 2, 3],
        "m": ["a": 1, "b": 2],
    ]
    static let variables: [String: CELType] = [
        "i": .int, "j": .int, "d": .double, "u": .uint, "s": .string, "b": .bool, "l": .list(.int),
        "m": .map(.string, .int),
    ]

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func checkerAndEvaluatorAgree(_ seed: UInt64) throws {
        var generator = ExpressionGenerator(state: seed)
        let (bindings, variables) = (Self.bindings, Self.variables)
        for _ in 0..<400 * scale {
            let wanted = generator.pick([CELType.int, .double, .uint, .string, .bool, .list(.int)])
            let text = generator.expression(wanted, 4)
            guard let program = try? CELExpression(text, variables: variables) else {
                Issue.record("does not check: \(text)")
                continue
            }
            // An empty list has elements of any type, so what is taken from one is dyn.
            let isKnown = program.type.sharesHead(with: wanted) || program.type == .dyn && text.contains("[]")
            #expect(isKnown, "\(text): \(program.type)")
            let unchecked = try CELExpression(text, variables: variables, isChecked: false)
            let dynamic = try CELExpression(text, variables: variables.mapValues { _ in .dyn })
            let canonical = try CELExpression(program.description, variables: variables)
            let answer = Self.answer(program, bindings)
            if case .value(let value) = answer { #expect(CELType(of: value).sharesHead(with: wanted), "\(text)") }
            #expect(Self.answer(unchecked, bindings) == answer, "\(text)")
            #expect(Self.answer(dynamic, bindings) == answer, "\(text)")
            #expect(Self.answer(canonical, bindings) == answer, "\(text)")
            #expect(canonical.description == program.description)
        }
    }

    enum Answer: Equatable {
        case value(CELValue)
        case notANumber
        case failure(CELError.Code)
    }

    static func answer(_ program: CELExpression, _ bindings: [String: CELValue]) -> Answer {
        do {
            let value = try program.evaluate(bindings)
            if case .double(let double) = value, double.isNaN { return .notANumber }
            return .value(value)
        } catch {
            return .failure(error.issues[0].code)
        }
    }
}

extension CELType {
    fileprivate func sharesHead(with other: CELType) -> Bool {
        if case .list = self, case .list = other { return true }
        return self == other
    }
}

/// Writes well-typed expressions, the same ones for the same seed.
struct ExpressionGenerator {
    var state: UInt64

    mutating func next(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }

    mutating func pick<T>(_ choices: [T]) -> T { choices[next(choices.count)] }

    mutating func expression(_ type: CELType, _ depth: Int) -> String {
        if depth == 0 { return leaf(type) }
        if next(8) == 0 {
            return "(\(expression(.bool, depth - 1)) ? \(expression(type, depth - 1)) : \(expression(type, depth - 1)))"
        }
        switch type {
        case .int, .double, .uint: return number(type, depth - 1)
        case .string: return string(depth - 1)
        case .bool: return bool(depth - 1)
        default: return list(depth - 1)
        }
    }

    private mutating func leaf(_ type: CELType) -> String {
        switch type {
        case .int: pick(["i", "j", "0", "1", "-3", "m.a", "l[1]", "m['b']", "m.c"])
        case .double: pick(["d", "0.0", "1.5", "-2.0", "1e300"])
        case .uint: pick(["u", "0u", "3u"])
        case .string: pick(["s", "''", "'a'", "'xyz'", "'ñ'"])
        case .bool: pick(["b", "true", "false"])
        default: pick(["l", "[]", "[1, 2]", "[i]"])
        }
    }

    private mutating func number(_ type: CELType, _ depth: Int) -> String {
        if type == .int, next(3) == 0 {
            return pick([
                "size(\(expression(.string, depth)))", "\(expression(.list(.int), depth)).size()",
                "int(\(expression(.double, depth)))", "int(\(expression(.uint, depth)))",
                "(\(expression(.list(.int), depth)))[\(expression(.int, depth))]",
                "(\(expression(.string, depth))).indexOf(\(expression(.string, depth)))",
                "math.abs(\(expression(.int, depth)))", "-(\(expression(.int, depth)))",
            ])
        }
        let operators = type == .double ? ["+", "-", "*", "/"] : ["+", "-", "*", "/", "%"]
        return "(\(expression(type, depth)) \(pick(operators)) \(expression(type, depth)))"
    }

    private mutating func string(_ depth: Int) -> String {
        pick([
            "(\(expression(.string, depth)) + \(expression(.string, depth)))", "string(\(expression(.int, depth)))",
            "(\(expression(.string, depth))).upperAscii()", "(\(expression(.string, depth))).charAt(\(leaf(.int)))",
            "(\(expression(.string, depth))).substring(\(leaf(.int)))",
            "'%s-%d'.format([\(leaf(.string)), \(leaf(.int))])",
        ])
    }

    private mutating func bool(_ depth: Int) -> String {
        let type = pick([CELType.int, .double, .uint, .string])
        return pick([
            "(\(expression(type, depth)) \(pick(["==", "!=", "<", "<=", ">", ">="])) \(expression(type, depth)))",
            "(\(expression(.bool, depth)) \(pick(["&&", "||", "==", "!="])) \(expression(.bool, depth)))",
            "!\(expression(.bool, depth))", "(\(expression(.int, depth)) in \(expression(.list(.int), depth)))",
            "\(expression(.list(.int), depth)).exists(v, v > \(expression(.int, depth)))",
            "\(expression(.list(.int), depth)).all(v, v != \(expression(.int, depth)))",
            "(\(expression(.string, depth))).startsWith(\(expression(.string, depth)))",
            "(\(expression(.string, depth))).matches('a+|[x-z]*$')", "has(m.a)",
        ])
    }

    private mutating func list(_ depth: Int) -> String {
        pick([
            "[\(expression(.int, depth)), \(expression(.int, depth))]",
            "(\(expression(.list(.int), depth)) + \(expression(.list(.int), depth)))",
            "\(expression(.list(.int), depth)).map(v, v + \(leaf(.int)))",
            "\(expression(.list(.int), depth)).filter(v, v > \(leaf(.int)))",
            "\(expression(.list(.int), depth)).transformList(k, v, k * v)", "\(expression(.list(.int), depth)).sort()",
        ])
    }
}
