/// What an expression is compiled to. One reference, so that passing an expression on costs no more than that.
final class Program: Sendable {
    let source: SourceText
    let tree: SyntaxTree
    let plan: Plan
    let variables: [String: CELType]
    let promotesInts: Bool
    let limits: CELLimits
    let type: CELType
    let minimumCost: Int

    /// The variables in the order of their slots.
    let names: [String]
    let places: [CELSlots.Place]
    let localCount: Int
    let entryCount: Int
    /// How many variables, and names that macros bind, are kept as bits.
    let numberCount: Int

    // One for each type, so that the one that is asked for is called without a look at what the expression answers.
    let bool: Run<Bool>
    let int: Run<Int64>
    let double: Run<Double>
    let string: Run<String>
    let value: Run<CELValue>

    init(
        _ source: SourceText,
        _ tree: SyntaxTree,
        variables: [String: CELType],
        functions: [CELFunction],
        container: [String],
        promotesInts: Bool,
        isChecked: Bool,
        limits: CELLimits
    ) throws(CELError) {
        var library = promotesInts ? Library.promoting : Library.standard
        for function in functions { library.add(function.overload) }
        names = variables.keys.sorted()
        var declared: [String: (index: Int, type: CELType)] = [:]
        var counts = (numbers: 0, values: 0)
        var places: [CELSlots.Place] = []
        for (index, name) in names.enumerated() {
            let type = variables[name] ?? .dyn
            declared[name] = (index, type)
            places.append(CELSlots.Place(type, &counts))
        }
        var checker = Checker(
            tree: tree,
            source: source,
            library: library,
            variables: declared,
            container: container,
            isStrict: isChecked
        )
        let plan = checker.check()
        if !checker.issues.isEmpty { throw CELError(issues: checker.issues) }
        counts.values = 0
        let locals = plan.localTypes.map { CELSlots.Place($0, &counts) }
        let compiler = Compiler(plan: plan, places: places, locals: locals)
        let code = compiler.code(plan.root)
        (bool, int, double) = (code.bool, code.int, code.double(promotesInts: promotesInts))
        (string, value) = (code.string, code.boxed)
        minimumCost = compiler.cost(plan.root)
        type = plan[plan.root].type
        localCount = counts.values
        numberCount = counts.numbers
        entryCount = plan.entryCount
        self.source = source
        self.tree = tree
        self.plan = plan
        self.variables = variables
        self.promotesInts = promotesInts
        self.limits = limits
        self.places = places
    }

    static func parse(_ source: SourceText, _ limits: CELLimits) throws(CELError) -> SyntaxTree {
        do throws(SyntaxFault) { return try Parser.parse(source, limits: limits) } catch {
            throw CELError(issues: [source.issue(error.code, error.message, at: error.offset, hint: error.hint)])
        }
    }

    /// Makes slots ready for an evaluation.
    @inline(__always)
    func start(_ slots: inout CELSlots) throws(CELError) {
        if slots.missingCount > 0 { throw missing(slots) }
        slots.frame.remainingCost = limits.maximumCost &- minimumCost
        if slots.frame.remainingCost < 0 { throw tooDear }
    }

    private var tooDear: CELError {
        CELError(Fault(.limitExceeded, "the evaluation costs more than \(limits.maximumCost)"), in: source)
    }

    @inline(never)
    private func missing(_ slots: CELSlots) -> CELError {
        let name = slots.places.indices.first { !slots.isBound[$0] && !slots.places[$0].isBoxed }
        return CELError(code: .binding, "'\(name.map { slots.names[$0] } ?? "")' has no value")
    }

    @inline(never)
    func error(_ fault: Fault) -> CELError { CELError(fault, in: source) }
}

extension CELSlots.Place {
    /// The next place for a variable of a type.
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
