import SluiceExpressions
public import SluiceJSON

extension Flow where Value: Sendable {
    /// Emits the value at an index, from 0, and completes. If the stream completes sooner, emits `fallback`, or fails
    /// without that.
    public func output(at index: Int, default fallback: Value? = nil) -> Flow {
        output(at: index, or: Fallback(fallback, missing: Fallback<Value>.noMatch))
    }

    func output(at index: Int, or fallback: Fallback<Value>) -> Flow {
        lift { scope, sink in
            let rest = scope.cell(index)
            return sink.receiving(whenCompleted: { fallback.finish(sink) }) { value in
                guard rest.state == 0 else { return rest.state -= 1 }
                sink.receive(value)
                sink.finish(.completed)
            }
        }
    }
}

extension OperatorKind {
    static let outputAt = OperatorKind(
        "outputAt",
        synonyms: ["elementAt"],
        summary: "Emits the value at an index, from 0, then completes",
        [.count("index").resetting, .value("default", isRequired: false)]
    ) { stage in
        let index = stage.count("index")
        return stage.input.output(at: index, or: stage.fallback(missing: "the stream has no value at index \(index)"))
    }
}

extension Operator {
    /// Emits the value at an index, from 0, and completes.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"outputAt": {"index": 1}}
    /// ---(2|)
    /// ```
    ///
    /// - Parameters:
    ///   - index: The index, from 0.
    ///   - value: The value to emit when the stream completes sooner; by default that is an error.
    public static func outputAt(_ index: Int, default value: JSON? = nil) -> Operator {
        Operator(.outputAt, ["index": .int(index), "default": value.map { .json($0) }])
    }
}
