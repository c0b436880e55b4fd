import SluiceExpressions
import SluiceJSON

extension Flow where Value: FixedWidthInteger & Sendable {
    /// Emits the sum of all values at the completion: 0 without values. Fails on overflow.
    public func sum() -> Flow {
        reduce(0) { total, value in
            let (sum, overflow) = total.addingReportingOverflow(value)
            if overflow { throw StreamError(message: Total.overflow) }
            return sum
        }
    }
}

extension Flow where Value: FloatingPoint & Sendable {
    /// Emits the sum of all values at the completion: 0 without values.
    public func sum() -> Flow { reduce(0) { $0 + $1 } }
}

/// A sum of numbers, which is whole as long as they are.
enum Total: Sendable {
    case whole(Int64)
    case real(Double)

    static let overflow = "the sum does not fit into 64 bits"

    /// Returns the sum with another number added.
    func adding(_ value: CELValue) throws -> Total {
        switch (self, value) {
        case (.whole(let total), .int(let value)): try Self.whole(total, value)
        case (.whole(let total), .uint(let value)): try Self.whole(total, value)
        case (.whole(let total), .double(let value)): .real(Double(total) + value)
        case (.real(let total), .int(let value)): .real(total + Double(value))
        case (.real(let total), .uint(let value)): .real(total + Double(value))
        case (.real(let total), .double(let value)): .real(total + value)
        default: throw StreamError(message: "expected a number, found \(value.typeName)")
        }
    }

    private static func whole(_ total: Int64, _ value: some BinaryInteger) throws -> Total {
        guard let value = Int64(exactly: value) else { throw StreamError(message: overflow) }
        let (sum, isTooLarge) = total.addingReportingOverflow(value)
        if isTooLarge { throw StreamError(message: overflow) }
        return .whole(sum)
    }

    var value: CELValue {
        switch self {
        case .whole(let total): .int(total)
        case .real(let total): .double(total)
        }
    }
}

extension Total: Savable {
    init(saved json: JSON) throws {
        switch try CELValue(saved: json) {
        case .int(let total): self = .whole(total)
        case .double(let total): self = .real(total)
        default: throw StreamError.unreadable("a number", json)
        }
    }

    var saved: JSON { value.saved }
}

extension Stage {
    /// Returns a function that adds an item, or the expression's result for it, to a total; its errors contain the
    /// operator's path.
    func adding() -> @Sendable (Scope) -> (Total, CELValue) throws -> Total {
        let summand = key
        let path = path
        return { scope in
            let summand = summand(scope)
            return { total, value in
                let number = try summand(value)
                do { return try total.adding(number) } catch {
                    throw StreamError(path: path, message: StreamError(error).message)
                }
            }
        }
    }
}

extension OperatorKind {
    static let sum = OperatorKind(
        "sum",
        summary: "Emits the sum of all values at completion",
        [.expression(isRequired: false), .onError]
    ) { stage in
        let type = stage.optionalExpression(.item)?.type ?? stage.item
        let adding = stage.adding()
        stage.item = type == .int || type == .double ? type : .dyn
        let none = type == .double ? Total.real(0) : .whole(0)
        return stage.input.reducing(none, stage.errorPolicy, adding) { $0.value }
    }
}

extension Operator {
    /// Emits the sum of all values at the completion: 0 without values.
    ///
    /// The sum is a whole number as long as the values are, and an error if it does not fit into 64 bits. A value that
    /// isn't a number is an error too.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"sum": {}}
    /// -------(6|)
    /// ```
    ///
    /// - Parameters:
    ///   - expression: An expression whose result is added in place of the value: `x` is the value, `i` its
    ///     index.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func sum(_ expression: String? = nil, onError: ErrorPolicy = .fail) -> Operator {
        Operator(.sum, ["expression": expression.map { .string($0) }, "onError": onError.argument])
    }
}
