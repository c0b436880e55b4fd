import SluiceExpressions

extension Flow where Value: Sendable {
    /// Returns a stream of a value, the result of `next` for it, the result for that, and so on, all immediately, as
    /// long as `isWanted` returns `true`; then it completes.
    ///
    /// - Parameters:
    ///   - initialValue: The first state.
    ///   - isWanted: A closure that the run calls with each value before it is emitted.
    ///   - next: A closure that the run calls with each value after it was emitted. The stream fails with an error that
    ///     either closure throws.
    /// - Complexity: Each value counts against ``StreamLimits/eventsPerInstant``: an endless sequence fails.
    public static func generate(
        _ initialValue: Value,
        while isWanted: @escaping @Sendable (Value) throws -> Bool,
        next: @escaping @Sendable (Value) throws -> Value
    ) -> Flow {
        generating(initialValue, while: { _ in isWanted }, next: { _ in next })
    }

    static func generating(
        _ initialValue: Value,
        while makeCondition: @escaping @Sendable (Scope) -> (Value) throws -> Bool,
        next makeNext: @escaping @Sendable (Scope) -> (Value) throws -> Value
    ) -> Flow {
        Flow { scope, sink in
            let (isWanted, next) = (makeCondition(scope), makeNext(scope))
            var value = initialValue
            do {
                while try isWanted(value) {
                    guard !sink.isClosed, scope.run.spend() else { return }
                    sink.receive(value)
                    if sink.isClosed { return }
                    value = try next(value)
                }
                sink.finish(.completed)
            } catch {
                sink.finish(.failed(error))
            }
        }
    }
}

extension SourceKind {
    /// Emits `initialValue`, the result of `next` for it, the result for that, and so on, all immediately, as long as
    /// `while` is true; then completes. `x` is the value. With `expression`, its result is emitted in place of the
    /// value.
    ///
    /// ```marbles
    /// {"generate": {"initialValue": 1, "while": "x < 100", "next": "x * 3"}}
    /// (139'27' '81'|)
    /// ```
    ///
    /// ```marbles
    /// {"generate": {"initialValue": 1, "while": "x < 4", "next": "x + 1", "expression": "x * x"}}
    /// (149|)
    /// ```
    static let generate = SourceKind(
        "generate",
        summary: "Emits a value, then the results of applying an expression repeatedly",
        [
            .value("initialValue"), .expression("while"), .expression("next"), .expression(isRequired: false),
        ]
    ) { stage in
        let initial = stage.value("initialValue")
        stage.item = CELType(of: initial)
        let known = stage.compiler.issueCount
        var next = stage.expression(.item, "next")
        if stage.compiler.issueCount != known || next.type != stage.item {
            stage.compiler.forget(after: known)
            stage.item = .dyn
            next = stage.expression(.item, "next")
        }
        let isWanted = stage.expression(.item, "while", answering: .bool)
        let values = Flow.generating(initial, while: isWanted.predicate, next: next.transform)
        guard let expression = stage.optionalExpression(.item) else { return values }
        stage.item = expression.type
        return values.mapping(.fail, expression.transform)
    }
}
