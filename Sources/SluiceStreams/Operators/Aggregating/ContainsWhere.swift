import SluiceExpressions

extension Flow {
    /// Passes on `true` and completes at the first value for which `isWanted` holds; `false` at the completion without
    /// one.
    ///
    /// - Parameters:
    ///   - onError: what becomes of a value at which `isWanted` throws.
    ///   - isWanted: called by the run once for each value until it holds.
    @inlinable
    public func contains(
        onError route: ErrorRoute = .fail,
        where isWanted: @escaping @Sendable (Value) throws -> Bool
    ) -> Flow<Bool> {
        answering(true, route) { _ in isWanted }
    }

    /// Passes on `answer` and completes at the first value for which a predicate holds; the opposite at the completion.
    @inlinable
    func answering(
        _ answer: Bool,
        _ route: ErrorRoute,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Bool
    ) -> Flow<Bool> {
        lift { scope, sink in
            let decides = make(scope)
            func finish(_ answer: Bool) {
                sink.receive(answer)
                sink.finish(.completed)
            }
            return sink.receiving(whenCompleted: { finish(!answer) }) { value in
                do { if try decides(value) { finish(answer) } } catch { route.take(error, scope, sink) }
            }
        }
    }
}

extension OperatorKind {
    static let containsWhere = OperatorKind("containsWhere", synonyms: ["some"], [.expression(), .onError]) { stage in
        let isWanted = stage.expression(.item, answering: .bool).predicate
        stage.item = .bool
        return stage.input.answering(true, stage.errorRoute, isWanted).map { .bool($0) }
    }
}

extension Operator {
    /// Passes on `true` and completes at the first value for which an expression holds, `false` at the completion
    /// without one: `x` is the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"containsWhere": {"expression": "x > 1"}}
    /// ---('true'|)
    /// ```
    public static func containsWhere(_ expression: String, onError: ErrorRoute = .fail) -> Operator {
        Operator(.containsWhere, ["expression": .string(expression), "onError": onError.argument])
    }
}
