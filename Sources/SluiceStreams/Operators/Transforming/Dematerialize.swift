import SluiceExpressions
import SluiceJSON

extension Flow {
    /// Converts values that represent events back to events: the opposite of ``materialize()``.
    public func dematerialize<Wrapped>() -> Flow<Wrapped> where Value == StreamEvent<Wrapped>.Kind {
        lift { scope, sink in
            sink.receiving { kind in
                switch kind {
                case .value(let value): sink.receive(value)
                case .reported(let error): scope.run.report(error)
                case .completed: sink.finish(.completed)
                case .failed(let error): sink.finish(.failed(error))
                }
            }
        }
    }
}

extension OperatorKind {
    static let dematerialize = OperatorKind(
        "dematerialize",
        summary: "Turns values into events: the reverse of materialize",
        [.onError]
    ) { stage in
        stage.item = .dyn
        let path = stage.path
        return stage.input.mapping(stage.errorPolicy) { _ in { try StreamEvent<CELValue>.Kind($0, path) } }
            .dematerialize()
    }
}

extension StreamEvent<CELValue>.Kind {
    /// Creates the event that a value from `materialize`, or one like it, represents.
    fileprivate init(_ value: CELValue, _ path: String) throws {
        guard case .map(let map) = value, map.count == 1, case .string(let key) = map[0].key else {
            throw StreamError(path: path, message: Self.expected)
        }
        switch (key, map[0].value) {
        case ("value", let value): self = .value(value)
        case ("completed", .bool(true)): self = .completed
        case ("error", .string(let message)): self = .failed(StreamError(message: message))
        case ("reported", .string(let message)): self = .reported(StreamError(message: message))
        default: throw StreamError(path: path, message: Self.expected)
        }
    }

    private static var expected: String {
        #"expected {"value": …}, {"completed": true}, {"error": "…"} or {"reported": "…"}"#
    }
}

extension Operator {
    /// Converts values that represent events back to events: `{"value": x}` emits `x`, `{"completed": true}` completes,
    /// `{"error": "…"}` fails, `{"reported": "…"}` reports an error and continues. Any other value is an error.
    ///
    /// ```marbles
    /// -'{"value": 1}'-'{"error": "broke"}'-|
    /// {"dematerialize": {}}
    /// -1-#
    /// ```
    public static func dematerialize(onError: ErrorPolicy = .fail) -> Operator {
        Operator(.dematerialize, ["onError": onError.argument])
    }
}
