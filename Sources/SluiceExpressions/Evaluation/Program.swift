/// The result of compiling an expression: a single reference, so that passing an expression on costs no more than that.
final class Program: Sendable {
    let source: SourceText
    /// The regular expressions in the text.
    let patterns: [ScalarText: PatternResult]
    let plan: Plan
    let variables: [String: CELType]
    let promotesInts: Bool
    let limits: CELLimits
    let type: CELType
    /// The type of the result with all that is known from the shapes of the variables.
    let shapedType: CELType
    let minimumCost: Int

    /// The variables in the order of their slots.
    let names: [String]
    let locations: [CELSlots.Location]
    let localCount: Int
    let entryCount: Int
    /// The number of variables, and of names that macros bind, that are stored as bits.
    let numberCount: Int

    // One for each type, so that the requested one is called without checking the expression's type.
    let bool: Run<Bool>
    let int: Run<Int64>
    let double: Run<Double>
    let string: Run<String>
    let value: Run<CELValue>
    /// The append in place, if the expression is one.
    let appending: Appending?

    init(
        _ source: SourceText,
        _ tree: SyntaxTree,
        variables: [String: CELType],
        functions: [CELFunction],
        container: [String],
        promotesInts: Bool,
        isChecked: Bool,
        joinsNull: Bool = false,
        limits: CELLimits,
        budget: CompilationBudget
    ) throws(CELError) {
        var library = promotesInts ? Library.promoting : Library.standard
        for function in functions { library.add(function.overload) }
        let shapes = variables.contains { $0.value.hasShape } ? variables : nil
        let variables = shapes?.mapValues(\.erased) ?? variables
        names = variables.keys.sorted()
        var declared: [String: (index: Int, type: CELType)] = [:]
        var counts = (numbers: 0, values: 0)
        var locations: [CELSlots.Location] = []
        for (index, name) in names.enumerated() {
            let type = variables[name] ?? .dyn
            declared[name] = (index, type)
            locations.append(CELSlots.Location(type, &counts))
        }
        let fuel = budget.takeTypeSteps(upTo: limits.maximumTypeSteps)
        var checker = Checker(
            tree: tree,
            source: source,
            library: library,
            variables: declared,
            container: container,
            isStrict: isChecked,
            joinsNull: joinsNull,
            fuel: fuel
        )
        let plan = checker.check()
        budget.giveBackTypeSteps(checker.substitution.fuel)
        if checker.substitution.fuel < 0 {
            throw CELError(issues: [source.tooComplex(at: plan[plan.root].offset)])
        }
        let patterns = try Program.patterns(plan, &checker, limits, budget)
        if !checker.issues.isEmpty { throw CELError(issues: checker.issues) }
        let type = plan[plan.root].type
        if isChecked, let shapes {
            let steps = budget.takeShapeSteps()
            let known = names.map { shapes[$0]?.shape ?? .any }
            var shapeChecker = ShapeChecker(plan: plan, source: source, variables: known, fuel: steps)
            let shape = shapeChecker.check()
            budget.giveBackShapeSteps(shapeChecker.fuel)
            if !shapeChecker.issues.isEmpty { throw CELError(issues: shapeChecker.issues) }
            shapedType = type.refined(by: shape)
        } else {
            shapedType = type
        }
        self.patterns = patterns
        counts.values = 0
        let locals = plan.localTypes.map { CELSlots.Location($0, &counts) }
        let compiler = Compiler(plan: plan, locations: locations, locals: locals, patterns: patterns)
        let code = compiler.code(plan.root)
        (bool, int, double) = (code.bool, code.int, code.double(promotesInts: promotesInts))
        (string, value) = (code.string, code.boxed)
        appending = compiler.appending()
        minimumCost = compiler.cost(plan.root)
        self.type = type
        localCount = counts.values
        numberCount = counts.numbers
        entryCount = plan.entryCount
        self.source = source
        self.plan = plan
        self.variables = variables
        self.promotesInts = promotesInts
        self.limits = limits
        self.locations = locations
    }

    static func parse(
        _ source: SourceText,
        _ limits: CELLimits,
        _ budget: CompilationBudget
    ) throws(CELError) -> SyntaxTree {
        do throws(SyntaxFault) { return try Parser.parse(source, limits: limits, budget: budget) } catch {
            throw CELError(error, in: source)
        }
    }

    /// The functions whose second argument is a regular expression.
    static let matchers: Set<String> = ["matches", "regex.extract", "regex.extractAll", "regex.replace"]

    /// Compiles the regular expressions in the text, each once. In a checked expression, an invalid one is an issue;
    /// one beyond the budget is always rejected.
    private static func patterns(
        _ plan: Plan,
        _ checker: inout Checker,
        _ limits: CELLimits,
        _ budget: CompilationBudget
    ) throws(CELError) -> [ScalarText: PatternResult] {
        var patterns: [ScalarText: PatternResult] = [:]
        var rest = limits.maximumPatternSize
        for node in plan.nodes {
            // The literal is looked for before the name, which has to be hashed.
            guard case .call(let name, let overloads, let arguments) = node.kind, arguments.count > 1,
                case .constant(.string(let text)) = plan[arguments[1]].kind,
                matchers.contains(name), !overloads.contains(where: \.isHost)
            else { continue }
            let offset = plan[arguments[1]].offset
            let result: PatternResult
            do throws(SyntaxFault) {
                result = try budget.pattern(text, at: offset, &rest, of: limits.maximumPatternSize)
            } catch {
                throw CELError(error, in: checker.source)
            }
            if case .failure(let fault) = result { _ = checker.fail(fault.code, fault.message, at: offset) }
            patterns[ScalarText(text: text)] = result
        }
        return patterns
    }

    /// Prepares slots for an evaluation.
    @inline(__always)
    func start(_ slots: inout CELSlots) throws(CELError) {
        if slots.missingCount > 0 { throw missing(slots) }
        slots.frame.remainingCost = limits.maximumCost &- minimumCost
        if slots.frame.remainingCost < 0 { throw error(.tooDear(limits.maximumCost)) }
    }

    @inline(never)
    private func missing(_ slots: CELSlots) -> CELError {
        let name = slots.locations.indices.first { !slots.isBound[$0] && !slots.locations[$0].isBoxed }
        return CELError(code: .binding, "'\(name.map { slots.names[$0] } ?? "")' has no value")
    }

    @inline(never)
    func error(_ fault: Fault) -> CELError { CELError(fault.located(plan[plan.root].offset), in: source) }
}

extension CELError {
    fileprivate init(_ fault: SyntaxFault, in source: SourceText) {
        self.init(issues: [source.issue(fault.code, fault.message, at: fault.offset, hint: fault.hint)])
    }
}

extension SourceText {
    /// Returns the issue of an expression whose types take too long to compare.
    fileprivate func tooComplex(at offset: Int) -> CELError.Issue {
        issue(
            .limitExceeded,
            "the types of the expression are too complex",
            at: offset,
            hint: "use dyn(…) around lists and maps that stand in each other"
        )
    }
}

extension CELSlots.Location {
    /// Creates the next location for a variable of a type.
    init(_ type: CELType, _ counts: inout (numbers: Int, values: Int)) {
        self.init(kind: Kind(type), slot: 0)
        if isBoxed {
            slot = counts.values
            counts.values += 1
        } else {
            slot = counts.numbers
            counts.numbers += 1
        }
    }
}
