/// The source of an operand as a type: constants and variables are read in place, without a call.
protocol Source<Value>: Sendable {
    associatedtype Value
    func get(_ frame: inout Frame) throws(Fault) -> Value
}

/// A variable, or a name that a macro binds, that is stored as bits.
struct IntSlot: Source {
    let slot: Int
    func get(_ frame: inout Frame) throws(Fault) -> Int64 { Int64(bitPattern: frame.numbers[slot]) }
}

struct IntConstant: Source {
    let value: Int64
    func get(_ frame: inout Frame) throws(Fault) -> Int64 { value }
}

/// The remainder by a constant above 1, such as `x % 3`, without a division.
struct IntRemainder: Source {
    let slot: Int
    let divisor: IntDivisor
    func get(_ frame: inout Frame) throws(Fault) -> Int64 {
        divisor.remainder(Int64(bitPattern: frame.numbers[slot]))
    }
}

/// The remainder by a power of two, without a division.
struct IntPowerRemainder: Source {
    let slot: Int
    let mask: Int64
    func get(_ frame: inout Frame) throws(Fault) -> Int64 {
        let value = Int64(bitPattern: frame.numbers[slot])
        // A remainder has the sign of the dividend.
        let bias = (value >> 63) & mask
        return ((value &+ bias) & mask) &- bias
    }
}

// Not one type that is generic over the value, since a generic closure is called through a thunk.

struct IntRun: Source {
    let run: Run<Int64>
    func get(_ frame: inout Frame) throws(Fault) -> Int64 { try run(&frame) }
}

struct DoubleSlot: Source {
    let slot: Int
    func get(_ frame: inout Frame) throws(Fault) -> Double { Double(bitPattern: frame.numbers[slot]) }
}

struct DoubleConstant: Source {
    let value: Double
    func get(_ frame: inout Frame) throws(Fault) -> Double { value }
}

struct DoubleRun: Source {
    let run: Run<Double>
    func get(_ frame: inout Frame) throws(Fault) -> Double { try run(&frame) }
}

struct UintRun: Source {
    let run: Run<UInt64>
    func get(_ frame: inout Frame) throws(Fault) -> UInt64 { try run(&frame) }
}

/// The source of an operand of unknown type.
protocol ValueSource: Source<CELValue> {
    /// Returns the int at the source, if it is one that can be read without evaluating anything.
    func int(_ frame: borrowing Frame) -> Int64?
}

struct ValueSlot: ValueSource {
    let slot: Int
    let offset: Int

    func int(_ frame: borrowing Frame) -> Int64? {
        if case .some(.int(let value)) = frame.values[slot] { value } else { nil }
    }

    func get(_ frame: inout Frame) throws(Fault) -> CELValue {
        if let value = frame.values[slot] { return value }
        throw Fault(.binding, "the variable has no value", at: offset)
    }
}

struct ValueLocal: ValueSource {
    let local: Int

    func int(_ frame: borrowing Frame) -> Int64? {
        if case .int(let value) = frame.locals[local] { value } else { nil }
    }

    func get(_ frame: inout Frame) throws(Fault) -> CELValue { frame.locals[local] }
}

struct ValueInt: ValueSource {
    let value: Int64
    func int(_ frame: borrowing Frame) -> Int64? { value }
    func get(_ frame: inout Frame) throws(Fault) -> CELValue { .int(value) }
}

struct ValueRun: ValueSource {
    let run: Run<CELValue>
    func int(_ frame: borrowing Frame) -> Int64? { nil }
    func get(_ frame: inout Frame) throws(Fault) -> CELValue { try run(&frame) }
}
