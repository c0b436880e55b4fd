/// The variables of one expression as slots, for frequent evaluation without looking up names.
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
    @usableFromInline var frame = Frame()
    @usableFromInline var isBound: [Bool]
    /// The number of bit-stored variables without a value; the others are checked when they are read.
    @usableFromInline var missingCount = 0
    @usableFromInline let locations: [Location]
    let names: [String]
    let types: [CELType]

    /// The location of a variable in the frame.
    @usableFromInline
    struct Location: Sendable {
        @usableFromInline
        enum Kind: Sendable {
            case int, uint, double, bool, value, any

            init(_ type: CELType) {
                self =
                    switch type {
                    case .int: .int
                    case .uint: .uint
                    case .double: .double
                    case .bool: .bool
                    case .dyn: .any
                    default: .value
                    }
            }
        }

        @usableFromInline var kind: Kind
        @usableFromInline var slot: Int

        /// A Boolean value that indicates whether the variable is stored as a value, not as bits.
        var isBoxed: Bool { kind == .value || kind == .any }
    }

    init(_ expression: CELExpression) {
        let program = expression.program
        names = program.names
        types = names.map { program.variables[$0] ?? .dyn }
        locations = program.locations
        isBound = [Bool](repeating: false, count: names.count)
        for location in locations where !location.isBoxed { missingCount += 1 }
        frame.numbers = [UInt64](repeating: 0, count: program.numberCount)
        frame.values = [CELValue?](repeating: nil, count: locations.count - missingCount)
        frame.locals = [CELValue](repeating: .null, count: program.localCount)
        frame.entries = [CELValue?](repeating: nil, count: program.entryCount)
        frame.patterns = program.patterns
        frame.maximumCost = program.limits.maximumCost
        frame.remainingCost = program.limits.maximumCost
        frame.maximumResultSize = program.limits.maximumResultSize
    }

    /// Returns the slot of a variable.
    /// - Throws: ``CELError`` if the expression declares no such variable.
    /// - Complexity: O(*n*) in the number of variables.
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

    /// Sets a variable that is declared as int or dyn. A variable of another type loses its value, and evaluation
    /// reports it.
    @inlinable
    public mutating func setInt(_ value: Int64, at index: Int) {
        let location = locations[index]
        switch location.kind {
        case .int: setBits(UInt64(bitPattern: value), location.slot, index)
        case .any: frame.values[location.slot] = .int(value)
        default: box(.int(value), index)
        }
    }

    /// Sets a variable that is declared as double or dyn. A variable of another type loses its value.
    @inlinable
    public mutating func setDouble(_ value: Double, at index: Int) {
        let location = locations[index]
        switch location.kind {
        case .double: setBits(value.bitPattern, location.slot, index)
        case .any: frame.values[location.slot] = .double(value)
        default: box(.double(value), index)
        }
    }

    /// Sets a variable that is declared as bool or dyn. A variable of another type loses its value.
    @inlinable
    public mutating func setBool(_ value: Bool, at index: Int) {
        let location = locations[index]
        switch location.kind {
        case .bool: setBits(value ? 1 : 0, location.slot, index)
        case .any: frame.values[location.slot] = .bool(value)
        default: box(.bool(value), index)
        }
    }

    /// Sets a variable that is declared as string or dyn. A variable of another type loses its value.
    @inlinable
    public mutating func setString(_ value: String, at index: Int) {
        let location = locations[index]
        if location.kind == .any { frame.values[location.slot] = .string(value) } else { box(.string(value), index) }
    }

    /// Sets a variable of any type.
    ///
    /// ```swift
    /// let program = try CELExpression("size(x)", variables: ["x": .dyn])
    /// var slots = program.slots()
    /// try slots.set([1, 2, 3], at: try slots.index(of: "x"))
    /// print(try program.evaluateInt(&slots))   // 3
    /// ```
    ///
    /// - Throws: ``CELError`` if the value is not of the declared type.
    @inlinable
    public mutating func set(_ value: CELValue, at index: Int) throws(CELError) {
        let location = locations[index]
        switch (location.kind, value) {
        case (.any, _): frame.values[location.slot] = value
        case (.int, .int(let value)): setBits(UInt64(bitPattern: value), location.slot, index)
        case (.double, .double(let value)): setBits(value.bitPattern, location.slot, index)
        case (.bool, .bool(let value)): setBits(value ? 1 : 0, location.slot, index)
        default: try setChecked(value, index)
        }
    }

    @usableFromInline
    mutating func setChecked(_ value: CELValue, _ index: Int) throws(CELError) {
        guard accepts(value, index) else {
            throw CELError(
                code: .binding,
                "'\(names[index])' is declared as \(types[index]), the binding is \(value.typeName)"
            )
        }
        store(value, index)
    }

    private func accepts(_ value: CELValue, _ index: Int) -> Bool {
        types[index] == .dyn || types[index].accepts(value) || Compiler.isOpaque(types[index])
    }

    private mutating func store(_ value: CELValue, _ index: Int) {
        let slot = locations[index].slot
        switch (locations[index].kind, value) {
        case (.value, _), (.any, _): frame.values[slot] = value
        case (_, .int(let value)): setBits(UInt64(bitPattern: value), slot, index)
        case (_, .uint(let value)): setBits(value, slot, index)
        case (_, .double(let value)): setBits(value.bitPattern, slot, index)
        case (_, .bool(let value)): setBits(value ? 1 : 0, slot, index)
        default: break
        }
    }

    @usableFromInline
    mutating func box(_ value: CELValue, _ index: Int) {
        if accepts(value, index) {
            store(value, index)
        } else if locations[index].isBoxed {
            frame.values[locations[index].slot] = nil
        } else if isBound[index] {
            isBound[index] = false
            missingCount += 1
        }
    }

    @inlinable
    mutating func setBits(_ bits: UInt64, _ slot: Int, _ index: Int) {
        frame.numbers[slot] = bits
        if !isBound[index] {
            isBound[index] = true
            missingCount -= 1
        }
    }
}

extension Compiler {
    static func isOpaque(_ type: CELType) -> Bool {
        if case .opaque = type { true } else { false }
    }
}
