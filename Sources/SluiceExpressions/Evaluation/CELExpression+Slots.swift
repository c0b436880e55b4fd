extension CELExpression {
    /// Returns slots for the expression's variables, none of them set.
    public func slots() -> CELSlots { CELSlots(self) }

    /// Evaluates the expression with the variables in slots that it created.
    /// - Throws: ``CELError`` as `evaluate(_:)` does.
    public func evaluate(_ slots: inout CELSlots) throws(CELError) -> CELValue {
        try program.start(&slots)
        do throws(Fault) { return try program.value(&slots.frame) } catch { throw program.error(error) }
    }

    /// Evaluates an expression whose result is a bool, without boxing it.
    /// - Throws: ``CELError`` as `evaluate` does, and if the result isn't a bool.
    public func evaluateBool(_ slots: inout CELSlots) throws(CELError) -> Bool {
        try program.start(&slots)
        do throws(Fault) { return try program.bool(&slots.frame) } catch { throw program.error(error) }
    }

    /// Evaluates an expression whose result is an int, without boxing it.
    ///
    /// ```swift
    /// let program = try CELExpression("x * x", variables: ["x": .int])
    /// var slots = program.slots()
    /// slots.setInt(12, at: try slots.index(of: "x"))
    /// print(try program.evaluateInt(&slots))   // 144
    /// ```
    ///
    /// - Throws: ``CELError`` as `evaluate` does, and if the result isn't an int.
    public func evaluateInt(_ slots: inout CELSlots) throws(CELError) -> Int64 {
        try program.start(&slots)
        do throws(Fault) { return try program.int(&slots.frame) } catch { throw program.error(error) }
    }

    /// Evaluates an expression whose result is a double, without boxing it; with ``promotesInts``, an int becomes a
    /// double.
    /// - Throws: ``CELError`` as `evaluate` does, and if the result isn't a double.
    public func evaluateDouble(_ slots: inout CELSlots) throws(CELError) -> Double {
        try program.start(&slots)
        do throws(Fault) { return try program.double(&slots.frame) } catch { throw program.error(error) }
    }

    /// Evaluates an expression whose result is a string.
    /// - Throws: ``CELError`` as `evaluate` does, and if the result isn't a string.
    public func evaluateString(_ slots: inout CELSlots) throws(CELError) -> String {
        try program.start(&slots)
        do throws(Fault) { return try program.string(&slots.frame) } catch { throw program.error(error) }
    }
}
