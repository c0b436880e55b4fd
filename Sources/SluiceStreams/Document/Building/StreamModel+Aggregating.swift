public import SluiceJSON

// Aggregating. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// ``Operator/reduce(_:_:onError:)``.
    public func reduce(
        _ initialValue: JSON? = nil,
        _ expression: String,
        onError: ErrorRoute = .fail
    ) -> StreamModel { applying(.reduce(initialValue, expression, onError: onError), giving: Value.self) }

    /// ``Operator/reduce(_:_:onError:)``; its values are of another type.
    public func reduce<Output>(
        _ initialValue: JSON? = nil,
        _ expression: String,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(.reduce(initialValue, expression, onError: onError), giving: type) }

    /// ``Operator/count``.
    public func count() -> StreamModel<Int> { applying(.count, giving: Int.self) }

    /// ``Operator/sum(_:onError:)``.
    public func sum(
        _ expression: String? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamModel { applying(.sum(expression, onError: onError), giving: Value.self) }

    /// ``Operator/sum(_:onError:)``; its values are of another type.
    public func sum<Output>(
        _ expression: String? = nil,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(.sum(expression, onError: onError), giving: type) }

    /// ``Operator/average(_:onError:)``.
    public func average(_ expression: String? = nil, onError: ErrorRoute = .fail) -> StreamModel<Double> {
        applying(.average(expression, onError: onError), giving: Double.self)
    }

    /// ``Operator/min(_:onError:)``.
    public func min(_ expression: String? = nil, onError: ErrorRoute = .fail) -> StreamModel {
        applying(.min(expression, onError: onError))
    }

    /// ``Operator/max(_:onError:)``.
    public func max(_ expression: String? = nil, onError: ErrorRoute = .fail) -> StreamModel {
        applying(.max(expression, onError: onError))
    }

    /// ``Operator/contains(_:)``.
    public func contains(_ value: JSON) -> StreamModel<Bool> { applying(.contains(value), giving: Bool.self) }

    /// ``Operator/containsWhere(_:onError:)``.
    public func containsWhere(_ expression: String, onError: ErrorRoute = .fail) -> StreamModel<Bool> {
        applying(.containsWhere(expression, onError: onError), giving: Bool.self)
    }

    /// ``Operator/allSatisfy(_:onError:)``.
    public func allSatisfy(_ expression: String, onError: ErrorRoute = .fail) -> StreamModel<Bool> {
        applying(.allSatisfy(expression, onError: onError), giving: Bool.self)
    }

    /// ``Operator/firstIndexWhere(_:onError:)``.
    public func firstIndexWhere(_ expression: String, onError: ErrorRoute = .fail) -> StreamModel<Int> {
        applying(.firstIndexWhere(expression, onError: onError), giving: Int.self)
    }

    /// ``Operator/isEmpty``.
    public func isEmpty() -> StreamModel<Bool> { applying(.isEmpty, giving: Bool.self) }

    /// ``Operator/throwIfEmpty(_:)``.
    public func throwIfEmpty(_ message: String? = nil) -> StreamModel { applying(.throwIfEmpty(message)) }

    /// ``Operator/replaceEmpty(_:)``.
    public func replaceEmpty(_ value: JSON) -> StreamModel { applying(.replaceEmpty(value)) }

    /// ``Operator/collect``.
    public func collect() -> StreamModel<[Value]> { applying(.collect, giving: [Value].self) }

    /// ``Operator/collect(_:every:)``.
    public func collect(_ count: Int, every step: Int? = nil) -> StreamModel<[Value]> {
        applying(.collect(count, every: step), giving: [Value].self)
    }
}
