internal import Foundation
public import SluiceJSON

extension CELExpression {
    /// Evaluates a text with the members of a JSON object as variables and returns the output of `sluice eval`: one
    /// line of JSON.
    ///
    /// ```swift
    /// let line = try CELExpression.evaluateJSON("x * 2 + size(name)", bindings: #"{"x": 20, "name": "ab"}"#)   // 42
    /// ```
    ///
    /// The variables have the type `dyn`, as the items of a stream from JSON do. An int that meets a double becomes a
    /// double, as in the expressions of documents.
    /// - Throws: ``CELError``; for bindings that aren't a JSON object, with their line and column in the message.
    /// - Complexity: O(*n*) in both texts, plus the cost of the expression.
    public static func evaluateJSON(
        _ text: String,
        bindings: String = "{}",
        limits: CELLimits = CELLimits()
    ) throws(CELError) -> String {
        var variables: [String: CELType] = [:]
        var values: [String: CELValue] = [:]
        let root: JSONDocument
        do throws(JSONError) { root = try JSONDocument(parsing: bindings) } catch {
            throw CELError(code: .binding, "bindings: \(error)")
        }
        guard root.root.kind == .object else {
            throw CELError(code: .binding, "bindings: 1:1: expected an object, found \(root.root.kind)")
        }
        for member in root.root.members {
            let value: CELValue
            do throws(CELError) { value = try CELValue(member.value) } catch {
                throw CELError(code: .binding, "bindings: \(error.issues.first?.message ?? "")")
            }
            values[member.key] = value
            variables[member.key] = .dyn
        }
        let program = try CELExpression(text, variables: variables, promotesInts: true, limits: limits)
        return try program.evaluate(values).jsonText()
    }

    /// Evaluates with the members of a Codable value as variables, read through its JSON.
    ///
    /// ```swift
    /// struct Order: Encodable { var total: Int }
    /// let isLarge = try CELExpression("total > 10", variables: ["total": .int]).evaluate(encoding: Order(total: 12))
    /// ```
    ///
    /// - Throws: The error of the value's `encode(to:)`, and ``CELError`` as ``evaluate(_:)-(JSON)`` does.
    /// - Complexity: O(*n*) in the value, plus the cost of the expression.
    public func evaluate(encoding value: some Encodable) throws -> CELValue {
        try evaluate(JSON(parsing: JSONEncoder().encode(value)))
    }

    /// Evaluates with the members of a JSON object as variables.
    ///
    /// ```swift
    /// let program = try CELExpression("order.total > 10", variables: ["order": .dyn])
    /// let isLarge = try program.evaluate(JSON(parsing: #"{"order": {"total": 12}}"#))   // true
    /// ```
    ///
    /// - Throws: ``CELError`` as `evaluate(_:)` does, and for JSON that isn't an object.
    /// - Complexity: O(*n*) in the JSON of declared variables, plus the cost of the expression.
    public func evaluate(_ bindings: JSON) throws(CELError) -> CELValue {
        guard case .object(let object) = bindings else {
            throw CELError(code: .binding, "the bindings are a JSON object")
        }
        var slots = slots()
        for (index, name) in program.names.enumerated() {
            guard let json = object[name] else { continue }
            var value = try CELValue(json)
            if slots.types[index] == .double, case .int(let whole) = value { value = .double(Double(whole)) }
            if slots.types[index] == .uint, case .int(let whole) = value, whole >= 0 { value = .uint(UInt64(whole)) }
            try slots.set(value, at: index)
        }
        return try evaluate(&slots)
    }
}

extension CELType {
    /// Creates the type of a value by its outermost kind; the contents of containers are `dyn`.
    public init(of value: CELValue) {
        self =
            switch value {
            case .null: .null
            case .bool: .bool
            case .int: .int
            case .uint: .uint
            case .double: .double
            case .string: .string
            case .bytes: .bytes
            case .list: .list(.dyn)
            case .map: .map(.dyn, .dyn)
            case .type: .type(.dyn)
            case .duration: .duration
            case .timestamp: .timestamp
            case .optional: .optional(.dyn)
            case .address: .address
            case .network: .network
            }
    }
}
