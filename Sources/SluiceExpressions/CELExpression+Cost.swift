extension CELExpression {
    /// Returns the lowest and the highest possible cost of an evaluation, without evaluating anything.
    ///
    /// ```swift
    /// let program = try CELExpression("l.all(v, v > 0) && s.size() < 10", variables: ["l": .list(.int), "s": .string])
    /// let cost = program.estimatedCost(sizes: ["l": 100, "s": 1000])
    /// print(cost.lowerBound, cost.upperBound < 2000)   // 7 true
    /// ```
    ///
    /// The lower bound is ``minimumCost``. Compare the upper bound with ``CELLimits/maximumCost``: an expression whose
    /// upper bound is within the limit never exceeds it. The upper bound is `Int.max` where an unknown size matters.
    /// - Parameter sizes: The largest total number of bytes in the strings and elements in the lists and maps of each
    ///   variable, by name, as ``CELValue/totalSize`` counts them. Numbers, bools, and times need no entry.
    /// - Complexity: O(*n*) in the nodes of the expression.
    public func estimatedCost(sizes: [String: Int] = [:]) -> ClosedRange<Int> {
        var known: [Int: Int] = [:]
        for (index, name) in program.names.enumerated() {
            if let size = sizes[name] { known[index] = max(1, size) }
        }
        var estimator = CostEstimator(program, sizes: known)
        return minimumCost...max(minimumCost, estimator.bound(program.plan.root).cost)
    }
}

extension CELSlots {
    /// The cost of the last evaluation with these slots, whether it succeeded or failed; 0 before the first.
    public var cost: Int { frame.maximumCost - max(0, frame.remainingCost) }
}

extension CELValue {
    /// The number of bytes of all strings and of elements of all lists and maps in the value, at least 1: the measure
    /// of ``CELExpression/estimatedCost(sizes:)``.
    /// - Complexity: O(*n*)
    public var totalSize: Int {
        switch self {
        case .list(let list): list.reduce(1) { $0 + $1.totalSize + 1 }
        case .map(let map): map.reduce(1) { $0 + $1.key.totalSize + $1.value.totalSize + 1 }
        case .optional(let value): (value?.totalSize ?? 0) + 1
        case .type: 1
        default: max(1, size)
        }
    }
}
