/// An expression of the Common Expression Language: checked, compiled, and ready to be evaluated any number of times.
///
/// ```swift
/// let program = try CELExpression("x % 2 == 0 && x > low", variables: ["x": .int, "low": .int])
/// let isBig = try program.evaluate(["x": 12, "low": 10])   // true
/// ```
///
/// It is a value without state and may be evaluated from any thread.
public struct CELExpression: Sendable {
    /// The text as it was given.
    public var text: String { program.source.text }
    /// The type that every evaluation answers.
    public var type: CELType { program.type }
    /// The variables by name.
    public var variables: [String: CELType] { program.variables }
    /// The limits that hold for every evaluation.
    public var limits: CELLimits { program.limits }
    /// Whether an int that meets a double becomes a double.
    public var promotesInts: Bool { program.promotesInts }
    /// What an evaluation costs at least, without functions and macros that cost by the size of what they are given.
    public var minimumCost: Int { program.minimumCost }

    let program: Program

    /// Reads, checks and compiles an expression.
    ///
    /// ```swift
    /// let greeting = try CELExpression("'Hello, ' + name", variables: ["name": .string])
    /// ```
    ///
    /// - Parameters:
    ///   - text: the expression.
    ///   - variables: the names that it may use, with their types; `.dyn` for a type that is not known.
    ///   - functions: functions of the host beside those of the language.
    ///   - container: the name before which unqualified names are looked for: with `a.b`, `x` may be `a.b.x`.
    ///   - promotesInts: whether an int that meets a double in `+ - * / == != in` becomes a double; the language itself
    ///     refuses that, or holds it not to fit when it is reached.
    ///   - isChecked: whether types that do not fit are refused here; without, they fail when they are reached.
    ///   - limits: what the expression may cost.
    ///   - budget: what compiling may take together with other expressions; nil for this expression alone.
    /// - Throws: ``CELError`` with everything that is wrong.
    /// - Complexity: O(*n*) in the length of the text.
    public init(
        _ text: String,
        variables: [String: CELType] = [:],
        functions: [CELFunction] = [],
        container: String = "",
        promotesInts: Bool = false,
        isChecked: Bool = true,
        limits: CELLimits = CELLimits(),
        budget: CompilationBudget? = nil
    ) throws(CELError) {
        let source = SourceText(text)
        let budget = budget ?? CompilationBudget(for: limits)
        program = try Program(
            source,
            try Program.parse(source, limits, budget),
            variables: variables,
            functions: functions,
            container: container.split(separator: ".").map(String.init),
            promotesInts: promotesInts,
            isChecked: isChecked,
            limits: limits,
            budget: budget
        )
    }

    /// Evaluates with variables by name; names that are not declared are not looked at.
    ///
    /// ```swift
    /// let sum = try CELExpression("a + b", variables: ["a": .int, "b": .int]).evaluate(["a": 1, "b": 2])   // 3
    /// ```
    ///
    /// - Throws: ``CELError`` where the specification says error, where a binding is missing or of another type, and
    ///   where a limit is exceeded.
    /// - Complexity: what the expression costs, at most ``CELLimits/maximumCost`` units.
    public func evaluate(_ bindings: [String: CELValue] = [:]) throws(CELError) -> CELValue {
        var slots = slots()
        for (index, name) in program.names.enumerated() {
            guard let value = bindings[name] else { continue }
            try slots.set(value, at: index)
        }
        return try evaluate(&slots)
    }
}

extension CELExpression: CustomStringConvertible {
    /// The canonical text.
    ///
    /// - Complexity: O(*n*) in the length of the text, times the depth of the expression.
    public var description: String {
        guard let tree = try? Parser.parse(program.source, limits: limits) else { return text }
        return tree.text(tree.root)
    }
}
