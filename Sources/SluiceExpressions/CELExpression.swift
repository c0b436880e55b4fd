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
    public var text: String { source.text }
    /// The type that every evaluation answers.
    public let type: CELType
    /// The variables by name.
    public let variables: [String: CELType]
    /// The limits that hold for every evaluation.
    public let limits: CELLimits
    /// Whether an int that meets a double becomes a double.
    public let promotesInts: Bool
    /// What an evaluation costs at least, without functions and macros that cost by the size of what they are given.
    public let minimumCost: Int

    let source: SourceText
    let tree: SyntaxTree
    let code: Code
    let localCount: Int
    let entryCount: Int
    let names: [String]
    let places: [CELSlots.Place]

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
    /// - Throws: ``CELError`` with everything that is wrong.
    /// - Complexity: O(*n*) in the length of the text.
    public init(
        _ text: String,
        variables: [String: CELType] = [:],
        functions: [CELFunction] = [],
        container: String = "",
        promotesInts: Bool = false,
        isChecked: Bool = true,
        limits: CELLimits = CELLimits()
    ) throws(CELError) {
        let source = SourceText(text)
        do throws(SyntaxFault) {
            tree = try Parser.parse(source, limits: limits)
        } catch {
            throw CELError(issues: [source.issue(error.code, error.message, at: error.offset, hint: error.hint)])
        }
        var library = promotesInts ? Library.promoting : Library.standard
        for function in functions { library.add(function.overload) }
        names = variables.keys.sorted()
        var declared: [String: (index: Int, type: CELType)] = [:]
        var places: [CELSlots.Place] = []
        var counts = (numbers: 0, values: 0)
        for (index, name) in names.enumerated() {
            let type = variables[name] ?? .dyn
            declared[name] = (index, type)
            let kind = CELSlots.Place.Kind(type)
            places.append(CELSlots.Place(kind: kind, slot: kind == .value ? counts.values : counts.numbers))
            if kind == .value { counts.values += 1 } else { counts.numbers += 1 }
        }
        var checker = Checker(
            tree: tree,
            source: source,
            library: library,
            variables: declared,
            container: container.split(separator: ".").map(String.init),
            isStrict: isChecked
        )
        let plan = checker.check()
        if !checker.issues.isEmpty { throw CELError(issues: checker.issues) }
        let compiler = Compiler(plan: plan, places: places)
        code = compiler.code(plan.root)
        minimumCost = compiler.cost(plan.root)
        type = plan[plan.root].type
        localCount = plan.localCount
        entryCount = plan.entryCount
        self.variables = variables
        self.promotesInts = promotesInts
        self.limits = limits
        self.source = source
        self.places = places
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
        for (index, name) in names.enumerated() {
            guard let value = bindings[name] else { continue }
            try slots.set(value, at: index)
        }
        return try evaluate(&slots)
    }
}

extension CELExpression: CustomStringConvertible {
    /// The canonical text.
    public var description: String { tree.text(tree.root) }
}
