public import SluiceJSON

// Transforming. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// Emits the result of an expression for each value; see ``Operator/map(_:onError:)``.
    public func map(_ expression: String, onError: ErrorPolicy = .fail)
        -> StreamModel
    { applying(.map(expression, onError: onError), giving: Value.self) }

    /// Emits the result of an expression for each value. Its values have another type; see
    /// ``Operator/map(_:onError:)``.
    public func map<Output>(_ expression: String, onError: ErrorPolicy = .fail, as type: Output.Type)
        -> StreamModel<Output>
    { applying(.map(expression, onError: onError), giving: type) }

    /// Emits the same value in place of each value; see ``Operator/mapTo(_:)``.
    public func mapTo(_ value: JSON) -> StreamModel {
        applying(.mapTo(value), giving: Value.self)
    }

    /// Emits the same value in place of each value. Its values have another type; see ``Operator/mapTo(_:)``.
    public func mapTo<Output>(_ value: JSON, as type: Output.Type) -> StreamModel<Output> {
        applying(.mapTo(value), giving: type)
    }

    /// Emits the result of an expression for each value, and drops `null`; see ``Operator/compactMap(_:onError:)``.
    public func compactMap(_ expression: String, onError: ErrorPolicy = .fail)
        -> StreamModel
    { applying(.compactMap(expression, onError: onError), giving: Value.self) }

    /// Emits the result of an expression for each value, and drops `null`. Its values have another type; see
    /// ``Operator/compactMap(_:onError:)``.
    public func compactMap<Output>(_ expression: String, onError: ErrorPolicy = .fail, as type: Output.Type)
        -> StreamModel<Output>
    { applying(.compactMap(expression, onError: onError), giving: type) }

    /// Emits the result of an expression for each value and the previous result; see ``Operator/scan(_:_:onError:)``.
    public func scan(
        _ initialValue: JSON? = nil,
        _ expression: String,
        onError: ErrorPolicy = .fail
    ) -> StreamModel { applying(.scan(initialValue, expression, onError: onError), giving: Value.self) }

    /// Emits the result of an expression for each value and the previous result. Its values have another type; see
    /// ``Operator/scan(_:_:onError:)``.
    public func scan<Output>(
        _ initialValue: JSON? = nil,
        _ expression: String,
        onError: ErrorPolicy = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(.scan(initialValue, expression, onError: onError), giving: type) }

    /// Replaces each `null` with a value; see ``Operator/replaceNil(_:)``.
    public func replaceNil(_ value: JSON) -> StreamModel {
        applying(.replaceNil(value), giving: Value.self)
    }

    /// Replaces each `null` with a value. Its values have another type; see ``Operator/replaceNil(_:)``.
    public func replaceNil<Output>(_ value: JSON, as type: Output.Type) -> StreamModel<Output> {
        applying(.replaceNil(value), giving: type)
    }

    /// Emits `[previous, x]` for each value but the first; see ``Operator/pairwise``.
    public func pairwise() -> StreamModel<[Value]> { applying(.pairwise, giving: [Value].self) }

    /// Emits `[x, seconds]` for each value: the seconds since the start of the run, as a double; see
    /// ``Operator/timestamp``.
    public func timestamp() -> StreamModel<JSON> {
        applying(.timestamp, giving: JSON.self)
    }

    /// Emits `[x, seconds]` for each value: the seconds since the start of the run, as a double. Its values have
    /// another type; see ``Operator/timestamp``.
    public func timestamp<Output>(as type: Output.Type) -> StreamModel<Output> {
        applying(.timestamp, giving: type)
    }

    /// Emits `[x, seconds]` for each value: the seconds since the previous value, or for the first since the
    /// subscription, as a double; see ``Operator/timeInterval``.
    public func timeInterval() -> StreamModel<JSON> {
        applying(.timeInterval, giving: JSON.self)
    }

    /// Emits `[x, seconds]` for each value: the seconds since the previous value, or for the first since the
    /// subscription, as a double. Its values have another type; see ``Operator/timeInterval``.
    public func timeInterval<Output>(as type: Output.Type) -> StreamModel<Output> {
        applying(.timeInterval, giving: type)
    }

    /// Emits, in place of each value, the seconds before it: since the previous value, or since the subscription; see
    /// ``Operator/measureInterval``.
    public func measureInterval() -> StreamModel<Double> { applying(.measureInterval, giving: Double.self) }

    /// Emits events as values: `{"value": x}` for each value, and at the end `{"completed": true}` or `{"error": "…"}`;
    /// then completes; see ``Operator/materialize``.
    public func materialize() -> StreamModel<JSON> {
        applying(.materialize, giving: JSON.self)
    }

    /// Emits events as values: `{"value": x}` for each value, and at the end `{"completed": true}` or `{"error": "…"}`;
    /// then completes. Its values have another type; see ``Operator/materialize``.
    public func materialize<Output>(as type: Output.Type) -> StreamModel<Output> {
        applying(.materialize, giving: type)
    }

    /// Converts values that represent events back to events: `{"value": x}` emits `x`, `{"completed": true}` completes,
    /// `{"error": "…"}` fails, `{"reported": "…"}` reports an error and continues; see
    /// ``Operator/dematerialize(onError:)``.
    public func dematerialize(onError: ErrorPolicy = .fail)
        -> StreamModel
    { applying(.dematerialize(onError: onError), giving: Value.self) }

    /// Converts values that represent events back to events: `{"value": x}` emits `x`, `{"completed": true}` completes,
    /// `{"error": "…"}` fails, `{"reported": "…"}` reports an error and continues. Its values have another type; see
    /// ``Operator/dematerialize(onError:)``.
    public func dematerialize<Output>(onError: ErrorPolicy = .fail, as type: Output.Type)
        -> StreamModel<Output>
    { applying(.dematerialize(onError: onError), giving: type) }

    /// Emits the text of each value: its JSON, or the base64 of a string or of bytes; see
    /// ``Operator/encode(_:onError:)``.
    public func encode(_ format: TextFormat, onError: ErrorPolicy = .fail) -> StreamModel<String> {
        applying(.encode(format, onError: onError), giving: String.self)
    }

    /// Emits the value of each text: the value of its JSON, or the text of its base64; see
    /// ``Operator/decode(_:onError:)``.
    public func decode(_ format: TextFormat, onError: ErrorPolicy = .fail)
        -> StreamModel<JSON>
    { applying(.decode(format, onError: onError), giving: JSON.self) }

    /// Emits the value of each text: the value of its JSON, or the text of its base64. Its values have another type;
    /// see ``Operator/decode(_:onError:)``.
    public func decode<Output>(_ format: TextFormat, onError: ErrorPolicy = .fail, as type: Output.Type)
        -> StreamModel<Output>
    { applying(.decode(format, onError: onError), giving: type) }
}
