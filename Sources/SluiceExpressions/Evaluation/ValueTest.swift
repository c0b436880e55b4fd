/// A test of a value that needs no call, can't fail, and costs no more than its nodes.
///
/// Tests are types, so that code that uses them is specialized.
protocol ValueTest: Sendable {
    /// Returns the result; nil for a value that has to be compared in another way.
    func holds(_ frame: borrowing Frame) -> Bool?
}

/// A comparison of an int that is stored as bits.
struct BitsTest: ValueTest {
    let slot: Int
    let test: IntTest

    @inline(__always)
    func holds(_ frame: borrowing Frame) -> Bool? { answer(frame) }

    @inline(__always)
    func answer(_ frame: borrowing Frame) -> Bool { test.holds(Int64(bitPattern: frame.numbers[slot])) }
}

/// A comparison of a variable that may be an int.
struct VariableTest: ValueTest {
    let slot: Int
    let test: IntTest

    @inline(__always)
    func holds(_ frame: borrowing Frame) -> Bool? {
        guard case .some(.int(let value)) = frame.values[slot] else { return nil }
        return test.holds(value)
    }
}

/// A comparison of a variable's field that may be an int.
struct FieldTest: ValueTest {
    let path: FieldPath
    let test: IntTest

    @inline(__always)
    func holds(_ frame: borrowing Frame) -> Bool? {
        path.read(frame) { value in
            guard case .int(let value) = value else { return nil }
            return test.holds(value)
        }
    }
}

/// A comparison of a variable's field with a short text, for equality or the opposite.
struct TextFieldTest: ValueTest {
    let path: FieldPath
    let text: FieldName
    let isEqual: Bool

    @inline(__always)
    func holds(_ frame: borrowing Frame) -> Bool? {
        path.read(frame) { value in
            guard case .string(let string) = value else { return nil }
            return text.matches(string) == isEqual
        }
    }
}

/// A field of a variable that is read in place.
struct FieldPath: Sendable {
    let slot: Int
    let field: FieldName

    @inline(__always)
    func read(_ frame: borrowing Frame, _ body: (borrowing CELValue) -> Bool?) -> Bool? {
        guard case .some(.map(let map)) = frame.values[slot] else { return nil }
        return map.withValue(of: field, body)
    }
}

/// A name that is compared with many strings by code points.
struct FieldName: Sendable {
    let text: String
    private let count: Int
    private let isASCII: Bool

    init(_ text: String) {
        self.text = text
        count = text.utf8.count
        isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    }

    @inline(__always)
    func matches(_ other: borrowing String) -> Bool {
        guard other.utf8.count == count else { return false }
        // Text that is equivalent to ASCII without being the same has more bytes.
        return isASCII ? other == text : other.hasSameScalars(as: text)
    }
}

extension Compiler {
    /// Returns the test that a comparison with a constant is.
    func valueTest(_ index: Int) -> (any ValueTest)? {
        guard case .call(let name, _, let arguments) = plan[index].kind, arguments.count == 2 else { return nil }
        return valueTest(name, arguments)
    }

    func valueTest(_ name: String, _ arguments: [Int]) -> (any ValueTest)? {
        if let (subject, test) = intTest(name, arguments) {
            if let slot = slot(subject, .int) { return BitsTest(slot: slot, test: test) }
            if let slot = slot(subject, .any), case .variable = plan[subject].kind {
                return VariableTest(slot: slot, test: test)
            }
            return fieldPath(subject).map { FieldTest(path: $0, test: test) }
        }
        guard name == "_==_" || name == "_!=_" else { return nil }
        for (subject, other) in [(arguments[0], arguments[1]), (arguments[1], arguments[0])] {
            // Comparing longer ones has a cost of its own.
            guard case .constant(.string(let text)) = plan[other].kind, text.utf8.count < 20 else { continue }
            return fieldPath(subject).map { TextFieldTest(path: $0, text: FieldName(text), isEqual: name == "_==_") }
        }
        return nil
    }

    /// Returns the path to a field of a variable.
    private func fieldPath(_ index: Int) -> FieldPath? {
        // The cost of the node includes looking up a short name.
        guard case .select(let operand, let field, isOptional: false) = plan[index].kind, field.utf8.count < 40,
            case .variable(let variable) = plan[operand].kind, locations[variable].isBoxed
        else { return nil }
        return FieldPath(slot: locations[variable].slot, field: FieldName(field))
    }

    /// Returns a closure that tests, and calls `run` where the test doesn't suffice.
    func testing(_ test: some ValueTest, _ run: @escaping Run<Bool>) -> Run<Bool> {
        { frame throws(Fault) in
            if let answer = test.holds(frame) { return answer }
            return try run(&frame)
        }
    }

    /// Compiles `&&` and `||` of two tests; `run` is for values for which one of them doesn't suffice.
    func logic(_ deciding: Bool, _ first: some ValueTest, _ second: any ValueTest, _ run: @escaping Run<Bool>) -> Run<
        Bool
    > {
        switch second {
        case let second as BitsTest: Compiler.both(deciding, first, second, run)
        case let second as VariableTest: Compiler.both(deciding, first, second, run)
        case let second as FieldTest: Compiler.both(deciding, first, second, run)
        case let second as TextFieldTest: Compiler.both(deciding, first, second, run)
        default: run
        }
    }

    private static func both<First: ValueTest, Second: ValueTest>(
        _ deciding: Bool,
        _ first: First,
        _ second: Second,
        _ run: @escaping Run<Bool>
    ) -> Run<Bool> {
        if deciding {
            return { frame throws(Fault) in
                guard let left = first.holds(frame) else { return try run(&frame) }
                if left { return true }
                guard let right = second.holds(frame) else { return try run(&frame) }
                return right
            }
        }
        return { frame throws(Fault) in
            guard let left = first.holds(frame) else { return try run(&frame) }
            if !left { return false }
            guard let right = second.holds(frame) else { return try run(&frame) }
            return right
        }
    }
}
