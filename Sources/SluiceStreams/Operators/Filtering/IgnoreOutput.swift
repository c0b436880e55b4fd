extension Flow {
    /// Drops all values and passes on only the end.
    public func ignoreOutput() -> Flow { lift { _, sink in sink.receiving { _ in } } }
}

extension OperatorKind {
    static let ignoreOutput = OperatorKind("ignoreOutput", synonyms: ["ignoreElements"], summary: "Drops all values") {
        stage in
        stage.input.ignoreOutput()
    }
}

extension Operator {
    /// Drops all values and passes on only the end.
    ///
    /// ```marbles
    /// -1-2-|
    /// {"ignoreOutput": {}}
    /// -----|
    /// ```
    public static let ignoreOutput = Operator(.ignoreOutput)
}
