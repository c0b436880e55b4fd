extension OperatorKind {
    static let onErrorResumeNext = OperatorKind(
        "onErrorResumeNext",
        synonyms: ["onErrorResumeNextWith"],
        summary: "Continues with other streams after completion or failure",
        [.source(isRequired: false), .moreSources]
    ) { stage in
        let flows = [TypedFlow(stage.input, stage.item)] + stage.others
        stage.item = TypedFlow.common(flows)
        return .onErrorResumeNext(flows.map(\.flow))
    }
}

extension Operator {
    /// Continues with other streams, one after another, whether the previous one has completed or failed; then
    /// completes.
    ///
    /// ```marbles
    /// -1-#
    /// other: -2-|
    /// {"onErrorResumeNext": {"source": {"ref": "other"}}}
    /// -1--2-|
    /// ```
    public static func onErrorResumeNext(with sources: StreamSource...) -> Operator {
        Operator(.onErrorResumeNext, others(sources))
    }
}
