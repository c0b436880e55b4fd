import SluiceExpressions
import SluiceJSON

extension Flow where Value: FixedWidthInteger & Sendable {
    /// Passes on, at the completion, the sum of all values; 0 of none. Fails when it does not fit.
    public func sum() -> Flow {
        reduce(0) { total, value in
            let (sum, overflow) = total.addingReportingOverflow(value)
            if overflow { throw StreamError(message: Total.overflow) }
            return sum
        }
    }
}

extension Flow where Value: FloatingPoint & Sendable {
    /// Passes on, at the completion, the sum of all values; 0 of none.
    public func sum() -> Flow { reduce(0) { $0 + $1 } }
}

/// A sum of numbers: whole as long as they are.
enum Total: Sendable {
    case whole(Int64)
    case real(Double)

    static let overflow = "the sum does not fit into 64 bits"

    /// The sum with one number more.
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
    /// What makes of a total and an item the next total, by the expression if there is one; an error bears the
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
    static let sum = OperatorKind("sum", [.expression(isRequired: false), .onError]) { stage in
        let type = stage.optionalExpression(.item)?.type ?? stage.item
        let adding = stage.adding()
        stage.item = type == .int || type == .double ? type : .dyn
        let none = type == .double ? Total.real(0) : .whole(0)
        return stage.input.reducing(none, stage.errorRoute, adding) { $0.value }
    }
}

extension Operator {
    /// Passes on, at the completion, the sum of all values; 0 of none.
    ///
    /// It is a whole number as long as the values are, and an error when that does not fit into 64 bits; what is no
    /// number is an error too.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"sum": {}}
    /// -------(6|)
    /// ```
    ///
    /// - Parameter expression: what is added in place of the value: `x` is the value, `i` its index.
    public static func sum(_ expression: String? = nil, onError: ErrorRoute = .fail) -> Operator {
        Operator(.sum, ["expression": expression.map { .string($0) }, "onError": onError.argument])
    }
}
