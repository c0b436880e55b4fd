/// A limit on the total work of compiling: pass one budget to all expressions of a document.
///
/// ```swift
/// let budget = CompilationBudget(maximumNodeCount: 5)
/// _ = try CELExpression("1 + 2", budget: budget)          // 3 nodes
/// _ = try? CELExpression("1 + 2 + 3", budget: budget)     // nil: 5 more
/// print(budget.isExhausted)                               // true
/// ```
///
/// The limits of a single expression (``CELLimits``) apply as well. Each distinct regular expression is compiled once
/// and shared, but every use counts. The budget counts the same on every machine; it bounds both memory and time.
///
/// A budget is for one compilation at a time: it isn't `Sendable`.
public final class CompilationBudget {
    /// The remaining bytes of text.
    public private(set) var remainingTextLength: Int
    /// The remaining literals, names, operators, and calls.
    public private(set) var remainingNodeCount: Int
    /// The remaining steps and ranges of regular expressions.
    public private(set) var remainingPatternSize: Int
    /// The remaining comparisons of types.
    private(set) var remainingTypeSteps: Int
    /// The remaining steps of joining shapes.
    private var remainingShapeSteps: Int
    private let maximumTextLength: Int
    private let maximumNodeCount: Int
    private let maximumPatternSize: Int
    private var patterns: [ScalarText: PatternResult] = [:]

    /// A Boolean value that indicates whether an expression was rejected because of the budget; every later one is too.
    public private(set) var isExhausted = false

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - maximumTextLength: The bytes of all texts.
    ///   - maximumNodeCount: The literals, names, operators, and calls of all expressions.
    ///   - maximumPatternSize: The steps of all regular expressions in the texts, counted for each use, and the ranges
    ///     of their sets.
    public init(
        maximumTextLength: Int = 2_000_000,
        maximumNodeCount: Int = 100_000,
        maximumPatternSize: Int = 400_000
    ) {
        self.maximumTextLength = maximumTextLength
        self.maximumNodeCount = maximumNodeCount
        self.maximumPatternSize = maximumPatternSize
        remainingTextLength = maximumTextLength
        remainingNodeCount = maximumNodeCount
        remainingPatternSize = maximumPatternSize
        remainingTypeSteps = 20 * maximumNodeCount
        remainingShapeSteps = 20 * maximumNodeCount
    }

    /// Creates a budget for one expression, with no limits but its own.
    convenience init(for limits: CELLimits) {
        self.init(maximumTextLength: .max, maximumNodeCount: .max / 64, maximumPatternSize: .max)
    }

    private func exhausted(_ message: String, at offset: Int, hint: String) -> SyntaxFault {
        isExhausted = true
        return SyntaxFault(code: .limitExceeded, message: message, offset: offset, hint: hint)
    }

    func takeText(_ length: Int) throws(SyntaxFault) {
        remainingTextLength -= length
        guard remainingTextLength < 0 || isExhausted else { return }
        throw exhausted(
            "the expressions have more than \(maximumTextLength) bytes in all",
            at: 0,
            hint: "split the document, or shorten its expressions"
        )
    }

    func takeNode(at offset: Int) throws(SyntaxFault) {
        remainingNodeCount -= 1
        guard remainingNodeCount < 0 else { return }
        throw exhausted(
            "the expressions have more than \(maximumNodeCount) nodes in all",
            at: offset,
            hint: "split the document, or shorten its expressions"
        )
    }

    /// Takes comparisons of types from the budget; unused ones are given back.
    func takeTypeSteps(upTo count: Int) -> Int {
        let granted = max(0, min(count, remainingTypeSteps))
        remainingTypeSteps -= granted
        return granted
    }

    /// Takes all steps of joining shapes from the budget; unused ones are given back.
    func takeShapeSteps() -> Int {
        defer { remainingShapeSteps = 0 }
        return remainingShapeSteps
    }

    func giveBackShapeSteps(_ count: Int) { remainingShapeSteps = max(0, count) }

    func giveBackTypeSteps(_ count: Int) { remainingTypeSteps += max(0, count) }

    /// Returns a regular expression of a text, or its error, and counts it.
    ///
    /// - Parameter limit: The rest of the expression's limit, which is counted down.
    func pattern(_ text: String, at offset: Int, _ limit: inout Int, of maximum: Int) throws(SyntaxFault)
        -> PatternResult
    {
        let key = ScalarText(text: text)
        let result: PatternResult
        if let known = patterns[key] {
            result = known
        } else {
            do throws(Fault) { result = .success(try RegularExpression(text)) } catch { result = .failure(error) }
            patterns[key] = result
        }
        // A rejected one was parsed at least.
        var size = text.utf8.count
        if case .success(let expression) = result { size = expression.size }
        limit -= size
        guard limit >= 0 else {
            throw SyntaxFault(
                code: .limitExceeded,
                message: "the regular expressions of the expression have more than \(maximum) steps in all",
                offset: offset,
                hint: "use fewer of them, or smaller repetitions"
            )
        }
        remainingPatternSize -= size
        guard remainingPatternSize < 0 else { return result }
        throw exhausted(
            "the regular expressions have more than \(maximumPatternSize) steps in all",
            at: offset,
            hint: "use fewer of them, or smaller repetitions"
        )
    }
}
