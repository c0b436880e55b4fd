/// A comparison, as a type: what is made of it is specialized.
protocol Relation: Sendable {
    static func holds<T: Comparable>(_ left: T, _ right: T) -> Bool
    static func holds(_ order: CELValue.Order) -> Bool
    /// Whether it is `==` or `!=`, which every two values have.
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

/// An operator of arithmetic, as a type.
protocol Arithmetic: Sendable {
    /// The result, or that there is none.
    static func apply<T: FixedWidthInteger>(_ left: T, _ right: T) -> (partialValue: T, overflow: Bool)
    /// The result for doubles; nil where they have no such operator.
    static func apply(_ left: Double, _ right: Double) -> Double?
    static var symbol: String { get }
}

extension Arithmetic {
    /// Why there is no result.
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
