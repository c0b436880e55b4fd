import SluiceExpressions

extension Flow {
    /// Drops each value that is the same as the previous one.
    ///
    /// - Parameters:
    ///   - policy: The treatment of a value for which `areSame` throws.
    ///   - areSame: A closure that the run calls with each value and the last one that was emitted.
    @inlinable
    public func removeDuplicates(
        onError policy: ErrorPolicy = .fail,
        by areSame: @escaping @Sendable (Value, Value) throws -> Bool
    ) -> Flow {
        removingDuplicates(policy, { _ in { $0 } }, areSame)
    }

    /// Drops each value whose key is the same as that of the previous one.
    @inlinable
    func removingDuplicates<Key>(
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Key,
        _ areSame: @escaping @Sendable (Key, Key) throws -> Bool
    ) -> Flow {
        lift { scope, sink in
            let key = make(scope)
            let last = scope.cell(nil as Key?)
            return sink.receiving { value in
                do {
                    let next = try key(value)
                    if let last = last.state, try areSame(last, next) { return }
                    last.state = next
                } catch {
                    return policy.take(error, scope, sink)
                }
                sink.receive(value)
            }
        }
    }
}

extension Flow where Value: Equatable & Sendable {
    /// Drops each value that is equal to the previous one.
    @inlinable public func removeDuplicates() -> Flow { removeDuplicates(by: { $0 == $1 }) }
}

extension OperatorKind {
    static let removeDuplicates = OperatorKind(
        "removeDuplicates",
        synonyms: ["distinctUntilChanged"],
        summary: "Drops each value that is equal to the previous one",
        [.expression(isRequired: false).resetting, .onError]
    ) { stage in
        let (key, path) = (stage.key, stage.path)
        return stage.input.removingDuplicates(
            stage.errorPolicy,
            { scope in
                let key = key(scope)
                return { try EqualityKey(try key($0), path: path) }
            },
            { (a: EqualityKey, b: EqualityKey) in a == b }
        )
    }
}

extension Operator {
    /// Drops each value that is equal to the previous one, by the expression language's `==`: `1` equals `1.0`.
    ///
    /// ```marbles
    /// -1-1-2-1-|
    /// {"removeDuplicates": {}}
    /// -1---2-1-|
    /// ```
    ///
    /// - Parameters:
    ///   - expression: An expression whose result is compared in place of the value: `x` is the value, `i` its
    ///     index.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func removeDuplicates(_ expression: String? = nil, onError: ErrorPolicy = .fail) -> Operator {
        Operator(
            .removeDuplicates,
            ["expression": expression.map { .string($0) }, "onError": onError.argument]
        )
    }
}
