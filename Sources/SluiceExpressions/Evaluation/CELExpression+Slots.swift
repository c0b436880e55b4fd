extension CELExpression {
    /// Slots for the expression's variables, none of them set.
    public func slots() -> CELSlots { CELSlots(self) }

    /// Evaluates with the variables in slots made by this expression.
    /// - Throws: ``CELError`` as ``evaluate(_:)-(Dictionary)`` does.
    public func evaluate(_ slots: inout CELSlots) throws(CELError) -> CELValue {
        try run(code.boxed, &slots)
    }

    /// Evaluates an expression whose answer is a bool, without a box around it.
    /// - Throws: ``CELError`` as `evaluate` does, and where the answer is no bool.
    public func evaluateBool(_ slots: inout CELSlots) throws(CELError) -> Bool {
        if case .bool(let run) = code { return try self.run(run, &slots) }
        let value = try evaluate(&slots)
        guard case .bool(let answer) = value else { throw wrongAnswer("bool", value) }
        return answer
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
        if case .int(let run) = code { return try self.run(run, &slots) }
        let value = try evaluate(&slots)
        guard case .int(let answer) = value else { throw wrongAnswer("int", value) }
        return answer
    }

    /// Evaluates an expression whose answer is a double, without a box around it; an answer that is an int becomes a
    /// double where ``promotesInts`` says so.
    /// - Throws: ``CELError`` as `evaluate` does, and where the answer is no double.
    public func evaluateDouble(_ slots: inout CELSlots) throws(CELError) -> Double {
        if case .double(let run) = code { return try self.run(run, &slots) }
        switch try evaluate(&slots) {
        case .double(let answer): return answer
        case .int(let answer) where promotesInts: return Double(answer)
        case let value: throw wrongAnswer("double", value)
        }
    }

    /// Evaluates an expression whose answer is a string.
    /// - Throws: ``CELError`` as `evaluate` does, and where the answer is no string.
    public func evaluateString(_ slots: inout CELSlots) throws(CELError) -> String {
        if case .string(let run) = code { return try self.run(run, &slots) }
        let value = try evaluate(&slots)
        guard case .string(let answer) = value else { throw wrongAnswer("string", value) }
        return answer
    }

    @inline(never)
    private func wrongAnswer(_ wanted: String, _ value: CELValue) -> CELError {
        CELError(code: .type, "the answer is \(value.typeName), \(wanted) was asked for")
    }

    // Not one function that is generic over the answer: a generic closure is called through a thunk.

    private func run(_ run: Run<Bool>, _ slots: inout CELSlots) throws(CELError) -> Bool {
        try start(&slots)
        do throws(Fault) { return try run(&slots.frame) } catch { throw CELError(error, in: source) }
    }

    private func run(_ run: Run<Int64>, _ slots: inout CELSlots) throws(CELError) -> Int64 {
        try start(&slots)
        do throws(Fault) { return try run(&slots.frame) } catch { throw CELError(error, in: source) }
    }

    private func run(_ run: Run<Double>, _ slots: inout CELSlots) throws(CELError) -> Double {
        try start(&slots)
        do throws(Fault) { return try run(&slots.frame) } catch { throw CELError(error, in: source) }
    }

    private func run(_ run: Run<String>, _ slots: inout CELSlots) throws(CELError) -> String {
        try start(&slots)
        do throws(Fault) { return try run(&slots.frame) } catch { throw CELError(error, in: source) }
    }

    private func run(_ run: Run<CELValue>, _ slots: inout CELSlots) throws(CELError) -> CELValue {
        try start(&slots)
        do throws(Fault) { return try run(&slots.frame) } catch { throw CELError(error, in: source) }
    }

    private func start(_ slots: inout CELSlots) throws(CELError) {
        if slots.missingCount > 0 { throw missing(slots) }
        slots.frame.remainingCost = limits.maximumCost - minimumCost
        if slots.frame.remainingCost < 0 { throw tooDear }
    }

    private var tooDear: CELError {
        CELError(Fault(.limitExceeded, "the evaluation costs more than \(limits.maximumCost)"), in: source)
    }

    @inline(never)
    private func missing(_ slots: CELSlots) -> CELError {
        let name = slots.places.indices.first { !slots.isBound[$0] && slots.places[$0].kind != .value }
        return CELError(code: .binding, "'\(name.map { slots.names[$0] } ?? "")' has no value")
    }
}
