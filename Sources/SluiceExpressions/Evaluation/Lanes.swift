/// The body of a macro over ints, as steps that each handle many elements at once.
///
/// A step can't fail: where an element is no int, a sum overflows, or the like, the elements are left to the closures of
/// the body, which evaluate one after the other and know what to report.
struct Lanes: Sendable {
    /// The number of elements that are handled at once.
    static let width = 128

    /// The operand of a step.
    enum Operand {
        /// The results of an earlier step; 0 has the elements.
        case register(Int)
        /// A value that is the same for all elements.
        case constant(Int)
    }

    /// A value that is the same for all elements.
    enum Constant: Sendable {
        case int(Int64)
        /// A variable or a name that is stored as bits.
        case bits(Int)
        /// A variable of unknown type.
        case value(Int)
        /// A name of unknown type that an outer macro binds.
        case local(Int)

        @inline(__always)
        func int(_ frame: borrowing Frame) -> Int64? {
            switch self {
            case .int(let value): return value
            case .bits(let slot): return Int64(bitPattern: frame.numbers[slot])
            case .value(let slot):
                if case .some(.int(let value)) = frame.values[slot] { return value }
                return nil
            case .local(let slot):
                if case .int(let value) = frame.locals[slot] { return value }
                return nil
            }
        }
    }

    enum Work: Sendable {
        case test(IntTest)
        case quotient(IntDivisor)
        case remainder(IntDivisor)
        /// A step over the results of two earlier ones.
        case each(Kind, Int)
        /// A step over the results of an earlier one and a constant.
        case all(Kind, Int)
        /// The constant itself.
        case fill(Int)
        case not
    }

    enum Kind: Sendable {
        case add, subtract, multiply, equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, and, or
    }

    /// Some work on the results of a register; its own results are in the register of its number plus one.
    struct Step: Sendable {
        var work: Work
        var input: Int
    }

    private(set) var steps: [Step] = []
    private(set) var constants: [Constant] = []
    /// The test, if the body is nothing else.
    private(set) var test: IntTest?

    private static let maximumStepCount = 24

    // MARK: Building

    mutating func add(_ work: Work, _ input: Int = 0) -> Operand? {
        if case .test(let test) = work, steps.isEmpty { self.test = test } else { test = nil }
        guard steps.count < Self.maximumStepCount else { return nil }
        steps.append(Step(work: work, input: input))
        return .register(steps.count)
    }

    mutating func add(_ constant: Constant) -> Operand {
        constants.append(constant)
        return .constant(constants.count - 1)
    }

    /// Returns the register that has the operand for each element.
    mutating func register(_ operand: Operand) -> Int? {
        switch operand {
        case .register(let register): return register
        case .constant(let constant):
            guard case .register(let register) = add(.fill(constant)) else { return nil }
            return register
        }
    }

    mutating func add(_ kind: Kind, _ left: Operand, _ right: Operand) -> Operand? {
        guard let left = register(left) else { return nil }
        switch right {
        case .register(let right): return add(.each(kind, right), left)
        case .constant(let right): return add(.all(kind, right), left)
        }
    }

    // MARK: Evaluating

    /// Calls `body` with the results for the elements of a list from a position on, many at a time, until it returns
    /// false; charges for the elements.
    ///
    /// - Parameter body: A closure that takes the position of the first element and the results, and returns the number
    ///   of elements that are done, and a Boolean value that indicates whether to go on.
    /// - Returns: The position of the first element that is left to the closures of the body.
    @inline(__always)
    func run(
        _ list: [CELValue],
        cost: Int,
        _ frame: inout Frame,
        _ body: (Int, UnsafeBufferPointer<Int64>) -> (count: Int, goesOn: Bool)
    ) -> Int {
        // Each of a few elements alone takes less time than the preparation.
        guard list.count >= 8 else { return 0 }
        let affordable = min(list.count, frame.remainingCost / cost)
        let width = Self.width
        let registerCount = steps.count + 1
        var position = 0
        let size = registerCount * width + constants.count
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: size) { scratch in
            scratch.initialize(repeating: 0)
            for (index, constant) in constants.enumerated() {
                guard let value = constant.int(frame) else { return }
                scratch[registerCount * width + index] = value
            }
            // The first elements often decide.
            var step = 16
            while position < affordable {
                let count = min(step, affordable - position)
                guard Self.load(list, position, count, scratch), apply(count, scratch) else { return }
                let start = (registerCount - 1) * width
                let (done, goesOn) = body(position, UnsafeBufferPointer(rebasing: scratch[start..<start + count]))
                position += done
                if !goesOn { return }
                step = width
            }
        }
        frame.remainingCost -= position * cost
        return position
    }

    /// Copies ints to the first register; returns false if there is something else among them.
    private static func load(
        _ list: [CELValue],
        _ position: Int,
        _ count: Int,
        _ scratch: UnsafeMutableBufferPointer<Int64>
    ) -> Bool {
        precondition(position >= 0 && count <= width && position + count <= list.count && scratch.count >= width)
        return list.withUnsafeBufferPointer { list in
            for index in 0..<count {
                guard case .int(let value) = list[position &+ index] else { return false }
                scratch[index] = value
            }
            return true
        }
    }

    /// Does all steps; returns false if one of them fails for any element.
    private func apply(_ count: Int, _ scratch: UnsafeMutableBufferPointer<Int64>) -> Bool {
        let width = Self.width
        precondition(count <= width && scratch.count >= (steps.count + 1) * width + constants.count)
        let constants = (steps.count + 1) * width
        for (index, step) in steps.enumerated() {
            let input = UnsafeBufferPointer(rebasing: scratch[step.input * width..<step.input * width + count])
            let output = UnsafeMutableBufferPointer(
                rebasing: scratch[(index + 1) * width..<(index + 1) * width + count]
            )
            switch step.work {
            case .test(let test): Self.each(input, output) { test.holds($0) ? 1 : 0 }
            case .quotient(let divisor): Self.each(input, output, divisor.quotient)
            case .remainder(let divisor): Self.each(input, output, divisor.remainder)
            case .not: Self.each(input, output) { $0 ^ 1 }
            case .fill(let constant):
                let value = scratch[constants + constant]
                Self.each(input, output) { _ in value }
            case .each(let kind, let other):
                let other = UnsafeBufferPointer(rebasing: scratch[other * width..<other * width + count])
                guard Self.pairs(kind, input, output, { other[$0] }) else { return false }
            case .all(let kind, let constant):
                let value = scratch[constants + constant]
                guard Self.pairs(kind, input, output, { _ in value }) else { return false }
            }
        }
        return true
    }

    @inline(__always)
    private static func each(
        _ input: UnsafeBufferPointer<Int64>,
        _ output: UnsafeMutableBufferPointer<Int64>,
        _ body: (Int64) -> Int64
    ) {
        for index in 0..<min(input.count, output.count) { output[index] = body(input[index]) }
    }

    @inline(__always)
    private static func pairs(
        _ kind: Kind,
        _ input: UnsafeBufferPointer<Int64>,
        _ output: UnsafeMutableBufferPointer<Int64>,
        _ other: (Int) -> Int64
    ) -> Bool {
        let count = min(input.count, output.count)
        var overflows: Int64 = 0
        switch kind {
        case .add:
            for index in 0..<count {
                let (value, overflow) = input[index].addingReportingOverflow(other(index))
                output[index] = value
                overflows |= overflow ? 1 : 0
            }
        case .subtract:
            for index in 0..<count {
                let (value, overflow) = input[index].subtractingReportingOverflow(other(index))
                output[index] = value
                overflows |= overflow ? 1 : 0
            }
        case .multiply:
            for index in 0..<count {
                let (value, overflow) = input[index].multipliedReportingOverflow(by: other(index))
                output[index] = value
                overflows |= overflow ? 1 : 0
            }
        case .equal: for index in 0..<count { output[index] = input[index] == other(index) ? 1 : 0 }
        case .notEqual: for index in 0..<count { output[index] = input[index] != other(index) ? 1 : 0 }
        case .less: for index in 0..<count { output[index] = input[index] < other(index) ? 1 : 0 }
        case .lessOrEqual: for index in 0..<count { output[index] = input[index] <= other(index) ? 1 : 0 }
        case .greater: for index in 0..<count { output[index] = input[index] > other(index) ? 1 : 0 }
        case .greaterOrEqual: for index in 0..<count { output[index] = input[index] >= other(index) ? 1 : 0 }
        case .and: for index in 0..<count { output[index] = input[index] & other(index) }
        case .or: for index in 0..<count { output[index] = input[index] | other(index) }
        }
        return overflows == 0
    }
}

extension Lanes {
    /// Returns the position of the first element whose result is `deciding`, if there is one among those that are not
    /// left to the closures of the body.
    func decide(
        _ deciding: Bool,
        _ list: [CELValue],
        cost: Int,
        _ frame: inout Frame
    ) -> (isDecided: Bool, position: Int) {
        if let test { return test.decide(deciding, list, cost: cost, &frame) }
        let wanted: Int64 = deciding ? 1 : 0
        var isDecided = false
        let position = run(list, cost: cost, &frame) { _, results in
            guard let place = results.firstIndex(of: wanted) else { return (results.count, true) }
            isDecided = true
            return (place + 1, false)
        }
        return (isDecided, position)
    }
}

extension Lanes {
    /// Adds the elements of a list for which the body holds; returns the position of the first one that is left to the
    /// closures of the body.
    func filter(_ range: CELValue, cost: Int, _ frame: inout Frame, into kept: inout [CELValue]) -> Int {
        guard case .list(let list) = range else { return 0 }
        return run(list, cost: cost, &frame) { position, results in
            for index in results.indices where results[index] != 0 { kept.append(list[position + index]) }
            return (results.count, true)
        }
    }

    /// Returns the results of the body for the first elements of a list, up to the first one that is left to the closures
    /// of the body.
    func map(_ list: [CELValue], cost: Int, _ frame: inout Frame) -> [CELValue] {
        let capacity = min(list.count, frame.remainingCost / cost)
        return [CELValue](unsafeUninitializedCapacity: capacity) { mapped, count in
            count = run(list, cost: cost, &frame) { position, results in
                precondition(position >= 0 && position + results.count <= mapped.count)
                guard let start = mapped.baseAddress else { return (0, false) }
                for index in 0..<results.count { (start + position + index).initialize(to: .int(results[index])) }
                return (results.count, true)
            }
        }
    }
}

extension IntTest {
    /// Finds the first element for which the test answers `deciding`; charges for the elements up to it.
    fileprivate func decide(
        _ deciding: Bool,
        _ list: [CELValue],
        cost: Int,
        _ frame: inout Frame
    ) -> (isDecided: Bool, position: Int) {
        let affordable = min(list.count, frame.remainingCost / cost)
        let (count, isDecided) = list.withUnsafeBufferPointer { list in
            for position in 0..<min(affordable, list.count) {
                guard case .int(let value) = list[position] else { return (position, false) }
                if holds(value) == deciding { return (position + 1, true) }
            }
            return (min(affordable, list.count), false)
        }
        frame.remainingCost -= count * cost
        return (isDecided, count)
    }
}

extension Compiler {
    /// Returns the steps of a macro's body over ints, if it consists of nothing that needs more.
    func lanes(_ body: Int, _ element: Int, answers isBool: Bool) -> Lanes? {
        var lanes = Lanes()
        guard let result = operand(body, element, isBool, &lanes), let register = lanes.register(result) else {
            return nil
        }
        // The results are those of the last step.
        guard register == lanes.steps.count, register > 0 else { return nil }
        return lanes
    }

    private func operand(_ index: Int, _ element: Int, _ isBool: Bool, _ lanes: inout Lanes) -> Lanes.Operand? {
        if isBool {
            if let (subject, test) = intTest(index) {
                guard let subject = operand(subject, element, false, &lanes), let input = lanes.register(subject) else {
                    return nil
                }
                return lanes.add(.test(test), input)
            }
            switch plan[index].kind {
            case .logic(let symbol, let operands):
                var result: Lanes.Operand?
                for part in operands {
                    guard let part = operand(part, element, true, &lanes) else { return nil }
                    guard let before = result else {
                        result = part
                        continue
                    }
                    result = lanes.add(symbol == .or ? .or : .and, before, part)
                    if result == nil { return nil }
                }
                return result
            case .call(let name, let overloads, let arguments) where !overloads.contains(where: \.isHost):
                if name == "!_", arguments.count == 1 {
                    guard let part = operand(arguments[0], element, true, &lanes), let input = lanes.register(part)
                    else { return nil }
                    return lanes.add(.not, input)
                }
                guard let kind = Compiler.comparisons[name] else { return nil }
                return pair(kind, arguments, element, &lanes)
            default: return nil
            }
        }
        switch plan[index].kind {
        case .constant(.int(let value)): return lanes.add(.int(value))
        case .local(element): return .register(0)
        case .local(let local):
            switch locals[local].kind {
            case .int: return lanes.add(.bits(locals[local].slot))
            case .any: return lanes.add(.local(locals[local].slot))
            default: return nil
            }
        case .variable(let variable):
            switch locations[variable].kind {
            case .int: return lanes.add(.bits(locations[variable].slot))
            case .any: return lanes.add(.value(locations[variable].slot))
            default: return nil
            }
        case .call(let name, let overloads, let arguments) where !overloads.contains(where: \.isHost):
            switch name {
            case "_+_": return pair(.add, arguments, element, &lanes)
            case "_-_": return pair(.subtract, arguments, element, &lanes)
            case "_*_": return pair(.multiply, arguments, element, &lanes)
            case "_/_", "_%_":
                guard arguments.count == 2, case .constant(.int(let value)) = plan[arguments[1]].kind,
                    let divisor = IntDivisor(value),
                    let dividend = operand(arguments[0], element, false, &lanes),
                    let input = lanes.register(dividend)
                else { return nil }
                return lanes.add(name == "_/_" ? .quotient(divisor) : .remainder(divisor), input)
            default: return nil
            }
        default: return nil
        }
    }

    private func pair(_ kind: Lanes.Kind, _ arguments: [Int], _ element: Int, _ lanes: inout Lanes) -> Lanes.Operand? {
        guard arguments.count == 2, let left = operand(arguments[0], element, false, &lanes),
            let right = operand(arguments[1], element, false, &lanes)
        else { return nil }
        return lanes.add(kind, left, right)
    }

    private static let comparisons: [String: Lanes.Kind] = [
        "_==_": .equal, "_!=_": .notEqual, "_<_": .less, "_<=_": .lessOrEqual, "_>_": .greater, "_>=_": .greaterOrEqual,
    ]
}
