/// An expression of the Common Expression Language: checked, compiled, and ready to be evaluated any number of times.
///
/// ```swift
/// let program = try CELExpression("x % 2 == 0 && x > low", variables: ["x": .int, "low": .int])
/// let isBig = try program.evaluate(["x": 12, "low": 10])   // true
/// ```
///
/// An expression is a value without state and may be evaluated from any thread.
public struct CELExpression: Sendable {
    /// The original text.
    public var text: String { program.source.text }
    /// The type of the result of every evaluation.
    public var type: CELType { program.type }
    /// The type of the result with all that is known from the shapes of the variables.
    package var shapedType: CELType { program.shapedType }
    /// The variables by name; one with a shape is `dyn`.
    public var variables: [String: CELType] { program.variables }
    /// The limits of every evaluation.
    public var limits: CELLimits { program.limits }
    /// A Boolean value that indicates whether an int that meets a double becomes a double.
    public var promotesInts: Bool { program.promotesInts }
    /// The lowest possible cost of an evaluation, excluding functions and macros whose cost depends on the size of
    /// their arguments.
    public var minimumCost: Int { program.minimumCost }

    let program: Program

    /// Parses, checks, and compiles an expression.
    ///
    /// ```swift
    /// let greeting = try CELExpression("'Hello, ' + name", variables: ["name": .string])
    /// ```
    ///
    /// - Parameters:
    ///   - text: The expression.
    ///   - variables: The names that it may use, with their types; `.dyn` for an unknown type.
    ///   - functions: Functions of the host in addition to those of the language.
    ///   - container: The prefix with which unqualified names are looked up first: with `a.b`, `x` may be `a.b.x`.
    ///   - promotesInts: A Boolean value that indicates whether an int that meets a double in `+ - * / == != in`
    ///     becomes a double. The language itself rejects that in a check, or fails during the evaluation.
    ///   - isChecked: A Boolean value that indicates whether type errors are reported here; otherwise they occur during
    ///     the evaluation.
    ///   - limits: The limits of the expression.
    ///   - budget: The budget that several expressions share for compilation; nil for this expression alone.
    /// - Throws: ``CELError`` with all errors.
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
        try self.init(
            text,
            variables: variables,
            functions: functions,
            container: container,
            promotesInts: promotesInts,
            isChecked: isChecked,
            joinsNull: false,
            limits: limits,
            budget: budget
        )
    }

    /// Creates an expression as the public initializer does.
    ///
    /// - Parameter joinsNull: A Boolean value that indicates whether one of the two branches of `?:` may be `null` where
    ///   the other one has another type; such a conditional has the type `dyn`.
    package init(
        _ text: String,
        variables: [String: CELType],
        functions: [CELFunction] = [],
        container: String = "",
        promotesInts: Bool,
        isChecked: Bool = true,
        joinsNull: Bool,
        limits: CELLimits = CELLimits(),
        budget: CompilationBudget?
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
            joinsNull: joinsNull,
            limits: limits,
            budget: budget
        )
    }

    /// Evaluates the expression with variables by name; undeclared names are ignored.
    ///
    /// ```swift
    /// let sum = try CELExpression("a + b", variables: ["a": .int, "b": .int]).evaluate(["a": 1, "b": 2])   // 3
    /// ```
    ///
    /// - Throws: ``CELError`` where the specification requires an error, where a binding is missing or of another type,
    ///   and where a limit is exceeded.
    /// - Complexity: The cost of the expression, at most ``CELLimits/maximumCost`` units.
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
