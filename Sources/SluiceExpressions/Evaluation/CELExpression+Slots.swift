extension CELExpression {
    /// Slots for the expression's variables, none of them set.
    public func slots() -> CELSlots { CELSlots(self) }

    /// Evaluates with the variables in slots made by this expression.
    /// - Throws: ``CELError`` as ``evaluate(_:)-(Dictionary)`` does.
    public func evaluate(_ slots: inout CELSlots) throws(CELError) -> CELValue {
        try program.start(&slots)
        do throws(Fault) { return try program.value(&slots.frame) } catch { throw program.error(error) }
    }

    /// Evaluates an expression whose answer is a bool, without a box around it.
    /// - Throws: ``CELError`` as `evaluate` does, and where the answer is no bool.
    public func evaluateBool(_ slots: inout CELSlots) throws(CELError) -> Bool {
        try program.start(&slots)
        do throws(Fault) { return try program.bool(&slots.frame) } catch { throw program.error(error) }
    }

    /// Evaluates an expression whose answer is an int, without a box around it.
    ///
    /// ```swift
    /// let program = try CELExpression("x * x", variables: ["x": .int])
    /// var slots = program.slots()
    /// slots.setInt(12, at: try slots.index(of: "x"))
    /// print(try program.evaluateInt(&slots))   // 144
    /// ```
    ///
    /// - Throws: ``CELError`` as `evaluate` does, and where the answer is no int.
    public func evaluateInt(_ slots: inout CELSlots) throws(CELError) -> Int64 {
        try program.start(&slots)
        do throws(Fault) { return try program.int(&slots.frame) } catch { throw program.error(error) }
    }

    /// Evaluates an expression whose answer is a double, without a box around it; an answer that is an int becomes a
    /// double where ``promotesInts`` says so.
    /// - Throws: ``CELError`` as `evaluate` does, and where the answer is no double.
    public func evaluateDouble(_ slots: inout CELSlots) throws(CELError) -> Double {
        try program.start(&slots)
        do throws(Fault) { return try program.double(&slots.frame) } catch { throw program.error(error) }
    }

    /// Evaluates an expression whose answer is a string.
    /// - Throws: ``CELError`` as `evaluate` does, and where the answer is no string.
    public func evaluateString(_ slots: inout CELSlots) throws(CELError) -> String {
        try program.start(&slots)
        do throws(Fault) { return try program.string(&slots.frame) } catch { throw program.error(error) }
    }
}
