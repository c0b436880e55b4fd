internal import Foundation
internal import SluiceJSON

extension CELValue {
    /// Returns the result of the language's `==`: numbers by mathematical value, strings by code points, other types
    /// never equal.
    package func isEqual(to other: CELValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameScalars(as: right)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.type(let left), .type(let right)): left == right
        case (.duration(let left), .duration(let right)): left == right
        case (.timestamp(let left), .timestamp(let right)): left == right
        case (.address(let left), .address(let right)): left == right
        case (.network(let left), .network(let right)): left == right
        case (.list(let left), .list(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
        case (.map(let left), .map(let right)):
            left.count == right.count
                && left.allSatisfy { entry in right[entry.key].map { entry.value.isEqual(to: $0) } ?? false }
        case (.optional(let left), .optional(let right)):
            if let left, let right { left.isEqual(to: right) } else { left == nil && right == nil }
        default: numericOrder(with: other) == .same
        }
    }

    /// The order of two values.
    package enum Order { case before, same, after, none }

    /// Returns the order of two numbers of any types; `none` for NaN or a value that isn't a number.
    func numericOrder(with other: CELValue) -> Order {
        switch (self, other) {
        case (.int(let left), .int(let right)): Self.order(left, right)
        case (.uint(let left), .uint(let right)): Self.order(left, right)
        case (.double(let left), .double(let right)): Self.order(left, right)
        case (.int(let left), .uint(let right)): left < 0 ? .before : Self.order(UInt64(left), right)
        case (.uint(let left), .int(let right)): right < 0 ? .after : Self.order(left, UInt64(right))
        case (.int(let left), .double(let right)): Self.order(left, right)
        case (.uint(let left), .double(let right)): Self.order(left, right)
        case (.double, .int), (.double, .uint): other.numericOrder(with: self).reversed
        default: .none
        }
    }

    /// Returns the order of two values of a type that has one, otherwise nil; NaN has no order.
    package func order(with other: CELValue) -> Order? {
        switch (self, other) {
        case (.bool(let left), .bool(let right)): Self.order(left ? 1 : 0, right ? 1 : 0)
        case (.string(let left), .string(let right)): left.scalarOrder(with: right)
        case (.bytes(let left), .bytes(let right)):
            left == right ? .same : left.lexicographicallyPrecedes(right) ? .before : .after
        case (.duration(let left), .duration(let right)): Self.order(left.nanoseconds, right.nanoseconds)
        case (.timestamp(let left), .timestamp(let right)):
            left == right ? .same : left < right ? .before : .after
        case (.int, .int), (.int, .uint), (.int, .double), (.uint, .int), (.uint, .uint), (.uint, .double),
            (.double, .int), (.double, .uint), (.double, .double):
            numericOrder(with: other)
        default: nil
        }
    }

    static func order<T: Comparable>(_ left: T, _ right: T) -> Order {
        left < right ? .before : left > right ? .after : left == right ? .same : .none
    }

    /// Compares a whole number with a double as two doubles, as in the specification's test cases.
    static func order<T: FixedWidthInteger>(_ left: T, _ right: Double) -> Order { order(Double(left), right) }
}

extension CELValue.Order {
    var reversed: CELValue.Order {
        switch self {
        case .before: .after
        case .after: .before
        case .same, .none: self
        }
    }
}

extension String {
    /// Returns a Boolean value that indicates whether both have the same code points; Swift's own `==` treats
    /// canonically equivalent texts as equal.
    func hasSameScalars(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return withBytes { left in
            other.withBytes { right in
                guard let start = left.baseAddress, let otherStart = right.baseAddress else { return true }
                return memcmp(start, otherStart, left.count) == 0
            }
        }
    }

    /// Returns the order by code points, which is that of the UTF-8 bytes.
    func scalarOrder(with other: String) -> CELValue.Order {
        if hasSameScalars(as: other) { return .same }
        return utf8.lexicographicallyPrecedes(other.utf8) ? .before : .after
    }
}
