public import SluiceJSON

// Transforming. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// ``Operator/map(_:onError:)``.
    public func map(_ expression: String, onError: ErrorRoute = .fail)
        -> StreamModel
    { applying(.map(expression, onError: onError), giving: Value.self) }

    /// ``Operator/map(_:onError:)``; its values are of another type.
    public func map<Output>(_ expression: String, onError: ErrorRoute = .fail, as type: Output.Type)
        -> StreamModel<Output>
    { applying(.map(expression, onError: onError), giving: type) }

    /// ``Operator/mapTo(_:)``.
    public func mapTo(_ value: JSON) -> StreamModel {
        applying(.mapTo(value), giving: Value.self)
    }

    /// ``Operator/mapTo(_:)``; its values are of another type.
    public func mapTo<Output>(_ value: JSON, as type: Output.Type) -> StreamModel<Output> {
        applying(.mapTo(value), giving: type)
    }

    /// ``Operator/compactMap(_:onError:)``.
    public func compactMap(_ expression: String, onError: ErrorRoute = .fail)
        -> StreamModel
    { applying(.compactMap(expression, onError: onError), giving: Value.self) }

    /// ``Operator/compactMap(_:onError:)``; its values are of another type.
    public func compactMap<Output>(_ expression: String, onError: ErrorRoute = .fail, as type: Output.Type)
        -> StreamModel<Output>
    { applying(.compactMap(expression, onError: onError), giving: type) }

    /// ``Operator/scan(_:_:onError:)``.
    public func scan(
        _ initialValue: JSON? = nil,
        _ expression: String,
        onError: ErrorRoute = .fail
    ) -> StreamModel { applying(.scan(initialValue, expression, onError: onError), giving: Value.self) }

    /// ``Operator/scan(_:_:onError:)``; its values are of another type.
    public func scan<Output>(
        _ initialValue: JSON? = nil,
        _ expression: String,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(.scan(initialValue, expression, onError: onError), giving: type) }

    /// ``Operator/replaceNil(_:)``.
    public func replaceNil(_ value: JSON) -> StreamModel {
        applying(.replaceNil(value), giving: Value.self)
    }

    /// ``Operator/replaceNil(_:)``; its values are of another type.
    public func replaceNil<Output>(_ value: JSON, as type: Output.Type) -> StreamModel<Output> {
        applying(.replaceNil(value), giving: type)
    }

    /// ``Operator/pairwise``.
    public func pairwise() -> StreamModel<[Value]> { applying(.pairwise, giving: [Value].self) }

    /// ``Operator/timestamp``.
    public func timestamp() -> StreamModel<JSON> {
        applying(.timestamp, giving: JSON.self)
    }

    /// ``Operator/timestamp``; its values are of another type.
    public func timestamp<Output>(as type: Output.Type) -> StreamModel<Output> {
        applying(.timestamp, giving: type)
    }

    /// ``Operator/timeInterval``.
    public func timeInterval() -> StreamModel<JSON> {
        applying(.timeInterval, giving: JSON.self)
    }

    /// ``Operator/timeInterval``; its values are of another type.
    public func timeInterval<Output>(as type: Output.Type) -> StreamModel<Output> {
        applying(.timeInterval, giving: type)
    }

    /// ``Operator/measureInterval``.
    public func measureInterval() -> StreamModel<Double> { applying(.measureInterval, giving: Double.self) }

    /// ``Operator/materialize``.
    public func materialize() -> StreamModel<JSON> {
        applying(.materialize, giving: JSON.self)
    }

    /// ``Operator/materialize``; its values are of another type.
    public func materialize<Output>(as type: Output.Type) -> StreamModel<Output> {
        applying(.materialize, giving: type)
    }

    /// ``Operator/dematerialize(onError:)``.
    public func dematerialize(onError: ErrorRoute = .fail)
        -> StreamModel
    { applying(.dematerialize(onError: onError), giving: Value.self) }

    /// ``Operator/dematerialize(onError:)``; its values are of another type.
    public func dematerialize<Output>(onError: ErrorRoute = .fail, as type: Output.Type)
        -> StreamModel<Output>
    { applying(.dematerialize(onError: onError), giving: type) }

    /// ``Operator/encode(_:onError:)``.
    public func encode(_ format: TextFormat, onError: ErrorRoute = .fail) -> StreamModel<String> {
        applying(.encode(format, onError: onError), giving: String.self)
    }

    /// ``Operator/decode(_:onError:)``.
    public func decode(_ format: TextFormat, onError: ErrorRoute = .fail)
        -> StreamModel<JSON>
    { applying(.decode(format, onError: onError), giving: JSON.self) }

    /// ``Operator/decode(_:onError:)``; its values are of another type.
    public func decode<Output>(_ format: TextFormat, onError: ErrorRoute = .fail, as type: Output.Type)
        -> StreamModel<Output>
    { applying(.decode(format, onError: onError), giving: type) }
}
