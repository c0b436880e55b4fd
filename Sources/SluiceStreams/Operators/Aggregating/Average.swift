import SluiceExpressions

extension Flow where Value: BinaryInteger & Sendable {
    /// Emits the mean of all values at the completion, or nothing without values.
    public func average() -> Flow<Double> { map { Double($0) }.average() }
}

extension Flow where Value: BinaryFloatingPoint & Sendable {
    /// Emits the mean of all values at the completion, or nothing without values.
    public func average() -> Flow {
        reducing(
            Mean(total: 0 as Value),
            .fail,
            { _ in { Mean(total: $0.total + $1, count: $0.count + 1) } },
            { $0.count == 0 ? nil : $0.total / Value($0.count) }
        )
    }
}

/// The state of an average.
private struct Mean<Total: Sendable>: Sendable {
    var total: Total
    var count = 0
}

extension Mean: SavableState where Total: Savable {
    static var fields: [SavedField<Self>] { [SavedField("total", \.total), SavedField("count", \.count)] }
}

extension OperatorKind {
    static let average = OperatorKind(
        "average",
        summary: "Emits the mean of all values at completion",
        [.expression(isRequired: false), .onError]
    ) { stage in
        let adding = stage.adding()
        stage.item = .double
        return stage.input.reducing(
            Mean(total: Total.real(0)),
            stage.errorPolicy,
            { scope in
                let adding = adding(scope)
                return { Mean(total: try adding($0.total, $1), count: $0.count + 1) }
            },
            { state in
                guard state.count > 0, case .real(let total) = state.total else { return nil }
                return .double(total / Double(state.count))
            }
        )
    }
}

extension Operator {
    /// Emits the mean of all values, a double, at the completion, or nothing without values. A value that isn't a
    /// number is an error.
    ///
    /// ```marbles
    /// -1-2-6-|
    /// {"average": {}}
    /// -------(3|)
    /// ```
    ///
    /// - Parameters:
    ///   - expression: An expression whose result is added in place of the value: `x` is the value, `i` its
    ///     index.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func average(_ expression: String? = nil, onError: ErrorPolicy = .fail) -> Operator {
        Operator(.average, ["expression": expression.map { .string($0) }, "onError": onError.argument])
    }
}
