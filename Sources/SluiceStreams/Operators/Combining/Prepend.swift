public import SluiceJSON

extension OperatorKind {
    static let prepend = OperatorKind(
        "prepend",
        synonyms: ["startWith"],
        summary: "Emits further values before those of the stream",
        [.values(isRequired: false), .source(isRequired: false)]
    ) { stage in
        let flows = stage.given + [TypedFlow(stage.input, stage.item)]
        stage.item = TypedFlow.common(flows)
        return .concatenated(flows.map(\.flow))
    }
}

extension Operator {
    /// Emits values immediately, before it subscribes to the stream.
    ///
    /// ```marbles
    /// ----1-2-|
    /// {"prepend": {"values": [8, 9]}}
    /// (89)1-2-|
    /// ```
    public static func prepend(_ values: [JSON]) -> Operator { Operator(.prepend, ["values": .json(.array(values))]) }

    /// Emits the values of another stream first, and subscribes to this one when that has completed.
    ///
    /// ```marbles
    /// -1-2-|
    /// other: -3-|
    /// {"prepend": {"source": {"ref": "other"}}}
    /// -3--1-2-|
    /// ```
    public static func prepend(_ source: StreamSource) -> Operator { Operator(.prepend, ["source": .source(source)]) }
}
