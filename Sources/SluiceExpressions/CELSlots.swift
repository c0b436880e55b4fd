/// The variables of one expression as slots, for those who evaluate it often: no names are looked up.
///
/// ```swift
/// let program = try CELExpression("x % 2 == 0", variables: ["x": .int])
/// var slots = program.slots()
/// let x = try slots.index(of: "x")
/// for number in 0..<10 as Range<Int64> {
///     slots.setInt(number, at: x)
///     print(try program.evaluateBool(&slots))
/// }
/// ```
public struct CELSlots: Sendable {
    var frame = Frame()
    var isBound: [Bool]
    var missing: Int
    let names: [String]
    let types: [CELType]
    let storage: [Compiler.VariableStorage]
    /// For each variable that is declared as int its place in the frame, else -1.
    let intSlots: [Int]

    init(_ expression: CELExpression) {
        names = expression.names
        types = names.map { expression.variables[$0] ?? .dyn }
        storage = expression.storage
        intSlots = zip(types, storage).map { type, place in
            if type == .int, case .number(let slot) = place { slot } else { -1 }
        }
        isBound = [Bool](repeating: false, count: names.count)
        missing = 0
        var values = 0
        for place in storage {
            if case .number = place { missing += 1 } else { values += 1 }
        }
        frame.numbers = [UInt64](repeating: 0, count: missing)
        frame.values = [CELValue?](repeating: nil, count: values)
        frame.locals = [CELValue](repeating: .null, count: expression.localCount)
        frame.entries = [CELValue?](repeating: nil, count: expression.entryCount)
        frame.maximumCost = expression.limits.maximumCost
        frame.maximumResultSize = expression.limits.maximumResultSize
    }

    /// The slot of a variable.
    /// - Throws: ``CELError`` if the expression declares no such variable.
    /// - Complexity: O(*n*) in the count of variables.
    public func index(of name: String) throws(CELError) -> Int {
        guard let index = names.firstIndex(of: name) else {
            throw CELError(
                code: .binding,
                "'\(name)' is not declared",
                hint: nearest(to: name, among: names).map {
                    "did you mean \($0)?"
                }
            )
        }
        return index
    }

    /// Sets a variable that is declared as int; a slot of another type stays as it is.
    public mutating func setInt(_ value: Int64, at index: Int) {
        let slot = intSlots[index]
        guard slot >= 0 else { return }
        setBits(UInt64(bitPattern: value), slot, index)
    }

    /// Sets a variable of any type.
    /// - Throws: ``CELError`` if the value is not of the declared type.
    public mutating func set(_ value: CELValue, at index: Int) throws(CELError) {
        guard types[index] == .dyn || types[index].accepts(value) || Compiler.isOpaque(types[index]) else {
            throw CELError(
                code: .binding,
                "'\(names[index])' is declared as \(types[index]), the binding is \(value.typeName)"
            )
        }
        switch (storage[index], value) {
        case (.value(let slot), _):
            frame.values[slot] = value
            isBound[index] = true
        case (.number(let slot), .int(let value)): setBits(UInt64(bitPattern: value), slot, index)
        case (.number(let slot), .uint(let value)): setBits(value, slot, index)
        case (.number(let slot), .double(let value)): setBits(value.bitPattern, slot, index)
        case (.number(let slot), .bool(let value)): setBits(value ? 1 : 0, slot, index)
        default: break
        }
    }

    private mutating func setBits(_ bits: UInt64, _ slot: Int, _ index: Int) {
        frame.numbers[slot] = bits
        if !isBound[index] {
            isBound[index] = true
            missing -= 1
        }
    }
}

extension Compiler {
    static func isOpaque(_ type: CELType) -> Bool {
        if case .opaque = type { true } else { false }
    }
}

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

    func wrongAnswer(_ wanted: String, _ value: CELValue) -> CELError {
        CELError(code: .type, "the answer is \(value.typeName), \(wanted) was asked for")
    }

    /// Not generic over the answer: a generic closure is called through a thunk.
    private func run(_ run: Run<Bool>, _ slots: inout CELSlots) throws(CELError) -> Bool {
        try start(&slots)
        do throws(Fault) { return try run(&slots.frame) } catch { throw CELError(error, in: source) }
    }

    private func run(_ run: Run<CELValue>, _ slots: inout CELSlots) throws(CELError) -> CELValue {
        try start(&slots)
        do throws(Fault) { return try run(&slots.frame) } catch { throw CELError(error, in: source) }
    }

    private func start(_ slots: inout CELSlots) throws(CELError) {
        if slots.missing > 0 { throw missing(slots) }
        slots.frame.remainingCost = limits.maximumCost - minimumCost
        if slots.frame.remainingCost < 0 {
            throw CELError(
                Fault(.limitExceeded, "the evaluation costs more than \(limits.maximumCost)"),
                in: source
            )
        }
    }

    private func missing(_ slots: CELSlots) -> CELError {
        let name = slots.names.indices.first { index in
            if case .number = slots.storage[index] { !slots.isBound[index] } else { false }
        }
        return CELError(code: .binding, "'\(name.map { slots.names[$0] } ?? "")' has no value")
    }
}
