import SluiceExpressions
public import SluiceJSON

extension OperatorKind {
    static let append = OperatorKind(
        "append",
        synonyms: ["endWith", "concatWith"],
        summary: "Emits further values after the stream has completed",
        [.values(isRequired: false), .source(isRequired: false)]
    ) { stage in
        let flows = [TypedFlow(stage.input, stage.item)] + stage.given
        stage.item = TypedFlow.common(flows)
        return .concatenated(flows.map(\.flow))
    }
}

extension Stage {
    /// The values of `values`, then the stream of `source`; at least one is required.
    var given: [TypedFlow] {
        var flows: [TypedFlow] = []
        if has("values") {
            let values = values()
            let types = values.map(CELType.init(of:))
            let type = types.first.flatMap { first in types.allSatisfy { $0 == first } ? first : nil }
            flows.append(TypedFlow(.values(contentsOf: values), type ?? .dyn))
        }
        if has("source") { flows.append(source()) }
        if flows.isEmpty {
            compiler.note(scope.path, "nothing is given to add", hint: "give \"values\", \"source\" or both")
        }
        return flows
    }
}

extension Operator {
    /// Emits values after the stream has completed, then completes.
    ///
    /// ```marbles
    /// -1-2-|
    /// {"append": {"values": [8, 9]}}
    /// -1-2-(89|)
    /// ```
    public static func append(_ values: [JSON]) -> Operator { Operator(.append, ["values": .json(.array(values))]) }

    /// Continues with another stream after this one has completed.
    ///
    /// ```marbles
    /// -1-2-|
    /// other: -3-|
    /// {"append": {"source": {"ref": "other"}}}
    /// -1-2--3-|
    /// ```
    public static func append(_ source: StreamSource) -> Operator { Operator(.append, ["source": .source(source)]) }
}
