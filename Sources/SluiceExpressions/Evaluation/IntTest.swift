/// A test of whether an int, or its remainder by a power of two, is in a range: what every comparison with a constant is.
///
/// It can't fail and costs nothing beyond its nodes, so that tests are joined without a call, and made of many ints at once.
struct IntTest: Sendable {
    /// The low bits that the remainder keeps; all bits for the int itself.
    private var mask: Int64
    private var low: Int64
    private var width: UInt64
    private var isOutside: Bool

    /// Creates the test of a comparison with a constant; nil for a comparison that no int fulfills or that all do.
    ///
    /// - Parameter mask: The greatest remainder; -1 for the int itself.
    init?(_ name: String, _ value: Int64, mask: Int64 = -1) {
        self.mask = mask
        (low, width, isOutside) = (value, 0, false)
        switch name {
        case "_==_": break
        case "_!=_": isOutside = true
        case "_<_" where value > .min: extend(from: .min, to: value - 1)
        case "_<=_": extend(from: .min, to: value)
        case "_>_" where value < .max: extend(from: value + 1, to: .max)
        case "_>=_": extend(from: value, to: .max)
        default: return nil
        }
    }

    private mutating func extend(from low: Int64, to high: Int64) {
        self.low = low
        width = UInt64(bitPattern: high &- low)
    }

    @inline(__always)
    func holds(_ value: Int64) -> Bool {
        // A remainder has the sign of the dividend; with all bits, this is the value itself.
        let bias = (value >> 63) & mask
        let remainder = ((value &+ bias) & mask) &- bias
        return (UInt64(bitPattern: remainder &- low) <= width) != isOutside
    }
}

extension Compiler {
    /// Returns the test that a comparison is, and the part that it tests; nil for anything else.
    func intTest(_ index: Int) -> (subject: Int, test: IntTest)? {
        guard case .call(let name, _, let arguments) = plan[index].kind, arguments.count == 2 else { return nil }
        return intTest(name, arguments)
    }

    func intTest(_ name: String, _ arguments: [Int]) -> (subject: Int, test: IntTest)? {
        var (subject, symbol) = (arguments[0], name)
        let limit: Int64
        if case .constant(.int(let value)) = plan[arguments[1]].kind {
            limit = value
        } else if case .constant(.int(let value)) = plan[arguments[0]].kind {
            (limit, subject, symbol) = (value, arguments[1], Compiler.mirrored(name))
        } else {
            return nil
        }
        guard case .call("_%_", _, let operands) = plan[subject].kind, operands.count == 2,
            case .constant(.int(let divisor)) = plan[operands[1]].kind, divisor > 0, divisor & (divisor - 1) == 0
        else { return IntTest(symbol, limit).map { (subject, $0) } }
        return IntTest(symbol, limit, mask: divisor - 1).map { (operands[0], $0) }
    }

    /// Returns the comparison with its operands exchanged.
    private static func mirrored(_ name: String) -> String {
        switch name {
        case "_<_": "_>_"
        case "_<=_": "_>=_"
        case "_>_": "_<_"
        case "_>=_": "_<=_"
        default: name
        }
    }
}
