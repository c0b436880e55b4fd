/// The limits of an expression; one that exceeds them is rejected with a clear error before it does harm.
///
/// ```swift
/// var limits = CELLimits()
/// limits.maximumCost = 10_000
/// let program = try CELExpression("[1, 2].all(x, x > 0)", limits: limits)
/// ```
public struct CELLimits: Sendable, Hashable {
    /// The length of the text in bytes: 65,536 by default.
    public var maximumTextLength = 65_536
    /// The depth to which brackets and calls may nest: 48 by default, and never more. Operators in a row nest too, and
    /// may do so twice as deep; `&&` and `||` in a row do not.
    public var maximumDepth = 48
    /// The number of literals, names, operators, and calls: 10,000 by default.
    public var maximumNodeCount = 10_000
    /// The size of the regular expressions in the text: their steps, counted for each use, and the ranges of their
    /// sets; 100,000 by default.
    public var maximumPatternSize = 100_000
    /// The length of a string, bytes, or list that an evaluation creates: 1,000,000 by default.
    public var maximumResultSize = 1_000_000
    /// The cost of one evaluation: 1,000,000 by default.
    public var maximumCost = 1_000_000

    /// The number of type comparisons that checking may take.
    var maximumTypeSteps: Int { 1_000_000 }

    /// Creates the default limits.
    public init() {}
}
