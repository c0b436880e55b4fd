import SluiceExpressions
import SluiceJSON

// Shared by the fuzzer and by the tests that replay its corpus (a link in Tests/SluiceExpressionsTests/Fuzz).

private enum Answer: Equatable {
    case value(CELValue)
    /// NaN is not equal to itself.
    case notANumber
    case failure(CELError.Code)
}

private let bindings: [String: CELValue] = [
    "i": 7, "j": .int(.min), "d": 2.5, "u": .uint(.max), "s": "añb", "b": true, "l": [1, 2, 3],
    "m": ["a": 1, "b": 2], "x": ["k": [1, 2.5, "t", .null], "o": ["n": 1]], "t": .bytes([0, 255]),
]

private let variables: [String: CELType] = [
    "i": .int, "j": .int, "d": .double, "u": .uint, "s": .string, "b": .bool, "l": .list(.int),
    "m": .map(.string, .int), "x": .dyn, "t": .bytes,
]

/// Reads, checks and evaluates the bytes as an expression in each way that there is, and says what is not as it must
/// be.
func exerciseCEL(_ bytes: [UInt8]) -> [String] {
    var problems: [String] = []
    let text = String(decoding: bytes, as: UTF8.self)
    var limits = CELLimits()
    limits.maximumCost = 2000
    limits.maximumResultSize = 2000
    let unchecked = try? CELExpression(text, variables: variables, isChecked: false, limits: limits)
    let free = unchecked.map { answer($0, bindings, &problems) }
    let dialect = try? CELExpression(dynamic: text, promotesInts: true, limits: limits)
    _ = dialect.map { answer($0, bindings, &problems) }
    let program: CELExpression
    do throws(CELError) {
        program = try CELExpression(text, variables: variables, limits: limits)
    } catch {
        exerciseIssues(error, &problems)
        return problems
    }
    if unchecked == nil { problems.append("checks, and does not compile unchecked") }
    let result = answer(program, bindings, &problems)
    if case .value(let value) = result, !program.type.mayBe(CELType(of: value)) {
        problems.append("\(program.type) is the type, \(value.typeName) the answer")
    }
    if let free, free != result { problems.append("unchecked \(free), checked \(result)") }
    exerciseCanonicalText(program, result, limits, &problems)
    exerciseCost(program, &problems)
    return problems
}

private func answer(_ program: CELExpression, _ bindings: [String: CELValue], _ problems: inout [String]) -> Answer {
    do throws(CELError) {
        let value = try program.evaluate(bindings)
        if value.hasNaN { return .notANumber }
        exerciseJSONText(value, &problems)
        return .value(value)
    } catch {
        exerciseIssues(error, &problems)
        return .failure(error.issues.first?.code ?? .syntax)
    }
}

private func exerciseIssues(_ error: CELError, _ problems: inout [String]) {
    if error.issues.isEmpty { problems.append("an error without issues") }
    for issue in error.issues where issue.line < 0 || issue.line > 0 && issue.column < 1 || issue.message.isEmpty {
        problems.append("bad place or message: \(issue)")
    }
    _ = error.description
}

/// Returns whether an evaluation costs no more than estimated.
private func exerciseCost(_ program: CELExpression, _ problems: inout [String]) {
    let estimate = program.estimatedCost(sizes: bindings.mapValues(\.totalSize))
    var slots = program.slots()
    for (name, value) in bindings {
        guard let index = try? slots.index(of: name) else { continue }
        try? slots.set(value, at: index)
    }
    _ = try? program.evaluate(&slots)
    if !estimate.contains(slots.cost) { problems.append("a cost of \(slots.cost), estimated \(estimate)") }
}

private func exerciseJSONText(_ value: CELValue, _ problems: inout [String]) {
    guard let text = try? value.jsonText() else { return }
    if (try? value.json().text()) != text { problems.append("two JSON texts: \(text)") }
    guard (try? JSONDocument(parsing: text)) != nil else {
        problems.append("no JSON: \(text)")
        return
    }
}

private func exerciseCanonicalText(
    _ program: CELExpression,
    _ result: Answer,
    _ limits: CELLimits,
    _ problems: inout [String]
) {
    // Canonical text may be longer than what was given: brackets and escapes.
    guard let canonical = try? CELExpression(program.description, variables: variables, limits: limits) else {
        problems.append("the canonical text is not read: \(program.description)")
        return
    }
    if canonical.description != program.description {
        problems.append("canonical text changes: \(program.description) and \(canonical.description)")
    }
    let again = answer(canonical, bindings, &problems)
    if again != result { problems.append("canonical text answers \(again), not \(result)") }
}

extension CELValue {
    fileprivate var hasNaN: Bool {
        switch self {
        case .double(let value): value.isNaN
        case .list(let list): list.contains { $0.hasNaN }
        case .map(let map): map.contains { $0.value.hasNaN }
        case .optional(let value): value?.hasNaN ?? false
        default: false
        }
    }
}

extension CELType {
    /// Returns whether a value of a type, known by its outermost kind, is accepted by this type.
    fileprivate func mayBe(_ found: CELType) -> Bool {
        switch (self, found) {
        case (.dyn, _), (.parameter, _), (.list, .list), (.map, .map), (.type, .type), (.optional, .optional): true
        case (.opaque, .null), (.optional, .null), (.timestamp, .null), (.duration, .null): true
        default: self == found
        }
    }
}
