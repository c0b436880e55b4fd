extension OperatorKind {
    static let onErrorResumeNext = OperatorKind(
        "onErrorResumeNext",
        synonyms: ["onErrorResumeNextWith"],
        [.source(isRequired: false), .moreSources]
    ) { stage in
        let flows = [TypedFlow(stage.input, stage.item)] + stage.others
        stage.item = TypedFlow.common(flows)
        return .onErrorResumeNext(flows.map(\.flow))
    }
}

extension Operator {
    /// Goes on with other streams, one after another, whether the one before has completed or failed; then it completes.
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
