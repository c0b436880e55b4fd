import SluiceExpressions
import Testing

/// Comparisons with a constant, which have code of their own, against the same comparisons with a variable.
struct ValueTestTests {
    private static let values: [CELValue] = [
        .int(.min), -3, -2, 0, 1, 2, 10, 11, .int(.max), .uint(2), 2.0, .double(.nan), .null, true, "", "Ada", "K",
        "\u{212A}", "ada", .string(String(repeating: "x", count: 60)), ["total": 2], [1],
    ]
    private static let comparisons = ["==", "!=", "<", "<=", ">", ">="]

    private struct Outcome: Equatable {
        var value: CELValue?
        var message: String?
    }

    /// Returns the outcomes of an expression for all values.
    private func outcomes(_ text: String, _ constant: CELValue) throws -> [Outcome] {
        let variables: [String: CELType] = ["x": .dyn, "o": .dyn, "n": .int, "c": .dyn]
        let program = try CELExpression(text, variables: variables, isChecked: false)
        return try Self.values.map { value in
            var slots = program.slots()
            let number: CELValue = if case .int = value { value } else { 7 }
            let order: CELValue = ["a": 1, "total": value, "b": "b"]
            for (name, value) in [("x", value), ("o", order), ("n", number), ("c", constant)] {
                try slots.set(value, at: try slots.index(of: name))
            }
            do throws(CELError) { return Outcome(value: try program.evaluate(&slots)) } catch {
                return Outcome(message: error.issues.first?.message)
            }
        }
    }

    @Test(arguments: ["x", "n", "o.total", "o.missing", "x.total", "x % 4", "n % 4", "o.total % 4"])
    func aConstantAnswersAsAVariable(_ subject: String) throws {
        let constants: [(String, CELValue)] = [
            ("2", 2), ("0", 0), ("9223372036854775807", .int(.max)), ("(-9223372036854775807 - 1)", .int(.min)),
            ("'Ada'", "Ada"), ("'K'", "K"), ("'\u{212A}'", "\u{212A}"), ("''", ""), ("2.0", 2.0), ("null", .null),
        ]
        let wholes = ["#", "# && x != 11", "x == 10 || #", "# || n > 3", "o.a == 1 && #"]
        for (number, (text, constant)) in constants.enumerated() {
            for (place, comparison) in Self.comparisons.enumerated() {
                let whole = wholes[(number + place) % wholes.count]
                for (form, other) in [
                    ("\(subject) \(comparison) \(text)", "\(subject) \(comparison) c"),
                    ("\(text) \(comparison) \(subject)", "c \(comparison) \(subject)"),
                ] {
                    let tested = try outcomes(whole.replacing("#", with: form), constant)
                    let expected = try outcomes(whole.replacing("#", with: "(\(other))"), constant)
                    #expect(tested == expected, "\(form) in \(whole)")
                }
            }
        }
    }

    @Test func aComparisonCostsItsNodes() throws {
        for text in ["x % 2 == 0 && x > 10", "o.total > 100 && o.customer == 'Ada'"] {
            let program = try CELExpression(text, variables: ["x": .dyn, "o": .dyn])
            var slots = program.slots()
            for (name, value) in [("x", 12), ("o", ["total": 120, "customer": "Ada"])] as [(String, CELValue)] {
                if let index = try? slots.index(of: name) { try slots.set(value, at: index) }
            }
            #expect(try program.evaluateBool(&slots))
            #expect(slots.cost == program.minimumCost)
        }
    }
}
