/// A comparison as a type, so that code that uses it is specialized.
protocol Relation: Sendable {
    static func holds<T: Comparable>(_ left: T, _ right: T) -> Bool
    static func holds(_ order: CELValue.Order) -> Bool
    /// A Boolean value that indicates whether it is `==` or `!=`, which any two values support.
    static var isEquality: Bool { get }
}

extension Relation {
    static var isEquality: Bool { false }
}

enum Equal: Relation {
    static func holds<T: Comparable>(_ left: T, _ right: T) -> Bool { left == right }
    static func holds(_ order: CELValue.Order) -> Bool { order == .same }
    static var isEquality: Bool { true }
}

enum NotEqual: Relation {
    static func holds<T: Comparable>(_ left: T, _ right: T) -> Bool { left != right }
    static func holds(_ order: CELValue.Order) -> Bool { order != .same }
    static var isEquality: Bool { true }
}

enum Less: Relation {
    static func holds<T: Comparable>(_ left: T, _ right: T) -> Bool { left < right }
    static func holds(_ order: CELValue.Order) -> Bool { order == .before }
}

enum LessOrEqual: Relation {
    static func holds<T: Comparable>(_ left: T, _ right: T) -> Bool { left <= right }
    static func holds(_ order: CELValue.Order) -> Bool { order == .before || order == .same }
}

enum Greater: Relation {
    static func holds<T: Comparable>(_ left: T, _ right: T) -> Bool { left > right }
    static func holds(_ order: CELValue.Order) -> Bool { order == .after }
}

enum GreaterOrEqual: Relation {
    static func holds<T: Comparable>(_ left: T, _ right: T) -> Bool { left >= right }
    static func holds(_ order: CELValue.Order) -> Bool { order == .after || order == .same }
}

/// An arithmetic operator as a type.
protocol Arithmetic: Sendable {
    /// Returns the result, with a flag that indicates overflow.
    static func apply<T: FixedWidthInteger>(_ left: T, _ right: T) -> (partialValue: T, overflow: Bool)
    /// Returns the result for doubles; nil if doubles don't support the operator.
    static func apply(_ left: Double, _ right: Double) -> Double?
    static var symbol: String { get }
}

extension Arithmetic {
    /// Returns the fault for a missing result.
    @inline(never)
    static func fault<T: FixedWidthInteger>(_ right: T, at offset: Int) -> Fault {
        if right == 0, symbol == "/" { return Fault(.divisionByZero, "division by zero", at: offset) }
        if right == 0, symbol == "%" { return Fault(.divisionByZero, "modulus by zero", at: offset) }
        return Fault.overflow(symbol).located(offset)
    }
}

enum Add: Arithmetic {
    static func apply<T: FixedWidthInteger>(_ left: T, _ right: T) -> (partialValue: T, overflow: Bool) {
        left.addingReportingOverflow(right)
    }
    static func apply(_ left: Double, _ right: Double) -> Double? { left + right }
    static var symbol: String { "+" }
}

enum Subtract: Arithmetic {
    static func apply<T: FixedWidthInteger>(_ left: T, _ right: T) -> (partialValue: T, overflow: Bool) {
        left.subtractingReportingOverflow(right)
    }
    static func apply(_ left: Double, _ right: Double) -> Double? { left - right }
    static var symbol: String { "-" }
}

enum Multiply: Arithmetic {
    static func apply<T: FixedWidthInteger>(_ left: T, _ right: T) -> (partialValue: T, overflow: Bool) {
        left.multipliedReportingOverflow(by: right)
    }
    static func apply(_ left: Double, _ right: Double) -> Double? { left * right }
    static var symbol: String { "*" }
}

enum Divide: Arithmetic {
    static func apply<T: FixedWidthInteger>(_ left: T, _ right: T) -> (partialValue: T, overflow: Bool) {
        left.dividedReportingOverflow(by: right)
    }
    static func apply(_ left: Double, _ right: Double) -> Double? { left / right }
    static var symbol: String { "/" }
}

enum Remainder: Arithmetic {
    static func apply<T: FixedWidthInteger>(_ left: T, _ right: T) -> (partialValue: T, overflow: Bool) {
        left.remainderReportingOverflow(dividingBy: right)
    }
    static func apply(_ left: Double, _ right: Double) -> Double? { nil }
    static var symbol: String { "%" }
}
