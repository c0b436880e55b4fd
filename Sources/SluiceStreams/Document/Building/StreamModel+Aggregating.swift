public import SluiceJSON

// Aggregating. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// Emits the result of combining all values one after another with an expression, at the completion; see
    /// ``Operator/reduce(_:_:onError:)``.
    public func reduce(
        _ initialValue: JSON? = nil,
        _ expression: String,
        onError: ErrorPolicy = .fail
    ) -> StreamModel { applying(.reduce(initialValue, expression, onError: onError), giving: Value.self) }

    /// Emits the result of combining all values one after another with an expression, at the completion. Its values
    /// have another type; see ``Operator/reduce(_:_:onError:)``.
    public func reduce<Output>(
        _ initialValue: JSON? = nil,
        _ expression: String,
        onError: ErrorPolicy = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(.reduce(initialValue, expression, onError: onError), giving: type) }

    /// Emits the number of values at the completion; see ``Operator/count``.
    public func count() -> StreamModel<Int> { applying(.count, giving: Int.self) }

    /// Emits the sum of all values at the completion: 0 without values; see ``Operator/sum(_:onError:)``.
    public func sum(
        _ expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamModel { applying(.sum(expression, onError: onError), giving: Value.self) }

    /// Emits the sum of all values at the completion: 0 without values. Its values have another type; see
    /// ``Operator/sum(_:onError:)``.
    public func sum<Output>(
        _ expression: String? = nil,
        onError: ErrorPolicy = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(.sum(expression, onError: onError), giving: type) }

    /// Emits the mean of all values, a double, at the completion, or nothing without values; see
    /// ``Operator/average(_:onError:)``.
    public func average(_ expression: String? = nil, onError: ErrorPolicy = .fail) -> StreamModel<Double> {
        applying(.average(expression, onError: onError), giving: Double.self)
    }

    /// Emits the smallest value, in the order of the expression language, at the completion: the first of several, or
    /// nothing without values; see ``Operator/min(_:onError:)``.
    public func min(_ expression: String? = nil, onError: ErrorPolicy = .fail) -> StreamModel {
        applying(.min(expression, onError: onError))
    }

    /// Emits the largest value, in the order of the expression language, at the completion: the first of several, or
    /// nothing without values; see ``Operator/max(_:onError:)``.
    public func max(_ expression: String? = nil, onError: ErrorPolicy = .fail) -> StreamModel {
        applying(.max(expression, onError: onError))
    }

    /// Emits `true` and completes at the first value that is equal to `value`; emits `false` at the completion
    /// otherwise; see ``Operator/contains(_:)``.
    public func contains(_ value: JSON) -> StreamModel<Bool> { applying(.contains(value), giving: Bool.self) }

    /// Emits `true` and completes at the first value for which an expression is true; emits `false` at the completion
    /// otherwise; see ``Operator/containsWhere(_:onError:)``.
    public func containsWhere(_ expression: String, onError: ErrorPolicy = .fail) -> StreamModel<Bool> {
        applying(.containsWhere(expression, onError: onError), giving: Bool.self)
    }

    /// Emits `false` and completes at the first value for which an expression is false; emits `true` at the completion
    /// otherwise; see ``Operator/allSatisfy(_:onError:)``.
    public func allSatisfy(_ expression: String, onError: ErrorPolicy = .fail) -> StreamModel<Bool> {
        applying(.allSatisfy(expression, onError: onError), giving: Bool.self)
    }

    /// Emits the index, from 0, of the first value that matches an expression, and completes; emits `-1` without such a
    /// value; see ``Operator/firstIndexWhere(_:onError:)``.
    public func firstIndexWhere(_ expression: String, onError: ErrorPolicy = .fail) -> StreamModel<Int> {
        applying(.firstIndexWhere(expression, onError: onError), giving: Int.self)
    }

    /// Emits `false` and completes at the first value; emits `true` at the completion without values; see
    /// ``Operator/isEmpty``.
    public func isEmpty() -> StreamModel<Bool> { applying(.isEmpty, giving: Bool.self) }

    /// Passes values on, and fails at the completion if there were none; see ``Operator/throwIfEmpty(_:)``.
    public func throwIfEmpty(_ message: String? = nil) -> StreamModel { applying(.throwIfEmpty(message)) }

    /// Emits a value at the completion if there were no values; see ``Operator/replaceEmpty(_:)``.
    public func replaceEmpty(_ value: JSON) -> StreamModel { applying(.replaceEmpty(value)) }

    /// Emits all values as one list at the completion; the list is empty without values; see ``Operator/collect``.
    public func collect() -> StreamModel<[Value]> { applying(.collect, giving: [Value].self) }

    /// Emits lists of `count` values, from 1, and the remaining values, if any, at the completion; see
    /// ``Operator/collect(_:every:)``.
    public func collect(_ count: Int, every step: Int? = nil) -> StreamModel<[Value]> {
        applying(.collect(count, every: step), giving: [Value].self)
    }
}
