/// The total that compiling may take: pass one budget to all expressions of a document.
///
/// ```swift
/// let budget = CompilationBudget(maximumNodeCount: 5)
/// _ = try CELExpression("1 + 2", budget: budget)          // 3 nodes
/// _ = try? CELExpression("1 + 2 + 3", budget: budget)     // nil: 5 more
/// print(budget.isExhausted)                               // true
/// ```
///
/// The limits of a single expression (``CELLimits``) hold as well. Each distinct regular expression is compiled once
/// and shared, but every use counts. The budget counts the same on every machine; it stands for both memory and time.
///
/// It is for one compilation at a time: it isn't `Sendable`.
public final class CompilationBudget {
    /// The bytes of text that are left.
    public private(set) var remainingTextLength: Int
    /// The literals, names, operators, and calls that are left.
    public private(set) var remainingNodeCount: Int
    /// The steps and ranges of regular expressions that are left.
    public private(set) var remainingPatternSize: Int
    /// The comparisons of types that are left.
    private(set) var remainingTypeSteps: Int
    private let maximumTextLength: Int
    private let maximumNodeCount: Int
    private let maximumPatternSize: Int
    private var patterns: [ScalarText: PatternResult] = [:]

    /// A Boolean value that indicates whether an expression was refused because of the budget; every later one is too.
    public private(set) var isExhausted = false

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - maximumTextLength: the bytes of all texts.
    ///   - maximumNodeCount: the literals, names, operators, and calls of all expressions.
    ///   - maximumPatternSize: the steps of all regular expressions that stand in the texts, each as often as it is
    ///     used, and the ranges of their sets.
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
    }

    /// A budget for one expression, which has nothing but its own limits.
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

    /// Takes comparisons of types; those that were granted and not needed are given back.
    func takeTypeSteps(upTo count: Int) -> Int {
        let granted = max(0, min(count, remainingTypeSteps))
        remainingTypeSteps -= granted
        return granted
    }

    func giveBackTypeSteps(_ count: Int) { remainingTypeSteps += max(0, count) }

    /// Returns a regular expression that stands in a text, or what is wrong with it, and counts it.
    ///
    /// - Parameter limit: what is left of the limit of the expression; counted down.
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
        // One that is refused was read at least.
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
