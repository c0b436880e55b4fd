/// A part of a regular expression as it was written, without parts that have no effect.
struct RegularExpressionNode: Sendable {
    indirect enum Kind: Sendable {
        /// Matches the empty text; no other node contains it.
        case empty
        case one(UInt32)
        /// The number of a set.
        case set(Int)
        case assertion(Assertion)
        case sequence([RegularExpressionNode])
        case choice([RegularExpressionNode])
        case group(RegularExpressionNode, Int)
        case repetition(RegularExpressionNode, least: Int, most: Int?, isGreedy: Bool)
    }

    enum Assertion: UInt8, Sendable { case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary }

    var kind: Kind
    /// The largest product of nested counted repetitions.
    var repeats = 1
    /// A Boolean value that indicates whether the part matches the empty text.
    var isNullable = false

    static let empty = RegularExpressionNode(kind: .empty, isNullable: true)

    var isEmpty: Bool { if case .empty = kind { true } else { false } }

    static func assertion(_ assertion: Assertion) -> RegularExpressionNode {
        RegularExpressionNode(kind: .assertion(assertion), isNullable: true)
    }

    static func sequence(_ parts: [RegularExpressionNode]) -> RegularExpressionNode {
        let parts = parts.filter { !$0.isEmpty }
        guard parts.count != 1 else { return parts[0] }
        if parts.isEmpty { return .empty }
        return RegularExpressionNode(
            kind: .sequence(parts),
            repeats: parts.reduce(1) { max($0, $1.repeats) },
            isNullable: parts.allSatisfy(\.isNullable)
        )
    }

    static func choice(_ branches: [RegularExpressionNode]) -> RegularExpressionNode {
        guard branches.count != 1 else { return branches[0] }
        return RegularExpressionNode(
            kind: .choice(branches),
            repeats: branches.reduce(1) { max($0, $1.repeats) },
            isNullable: branches.contains(where: \.isNullable)
        )
    }

    static func group(_ inner: RegularExpressionNode, _ index: Int) -> RegularExpressionNode {
        RegularExpressionNode(kind: .group(inner, index), repeats: inner.repeats, isNullable: inner.isNullable)
    }

    func repeated(least: Int, most: Int?, isCounted: Bool, isGreedy: Bool) -> RegularExpressionNode {
        if isEmpty || most == 0 { return .empty }
        return RegularExpressionNode(
            kind: .repetition(self, least: least, most: most, isGreedy: isGreedy),
            repeats: isCounted ? repeats * max(1, most ?? least) : repeats,
            isNullable: isNullable || least == 0
        )
    }
}
