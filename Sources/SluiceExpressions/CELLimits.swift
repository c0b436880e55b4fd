/// What an expression may cost: each limit is a clear error before it hurts.
///
/// ```swift
/// var limits = CELLimits()
/// limits.maximumCost = 10_000
/// let program = try CELExpression("[1, 2].all(x, x > 0)", limits: limits)
/// ```
public struct CELLimits: Sendable, Hashable {
    /// The length of the text in bytes: 65,536 unless told otherwise.
    public var maximumTextLength = 65_536
    /// How deep brackets and calls may nest: 48 unless told otherwise, and never more. Operators in a row nest too, and
    /// may do so twice as deep; `&&` and `||` in a row do not.
    public var maximumDepth = 48
    /// The count of literals, names, operators and calls: 10,000 unless told otherwise.
    public var maximumNodeCount = 10_000
    /// The length of a string, of bytes or of a list that an evaluation makes: 1,000,000 unless told otherwise.
    public var maximumResultSize = 1_000_000
    /// The cost of one evaluation: 1,000,000 unless told otherwise.
    public var maximumCost = 1_000_000

    /// The limits as they are unless told otherwise.
    public init() {}
}
