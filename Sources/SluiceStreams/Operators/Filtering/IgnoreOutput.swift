extension Flow {
    /// Leaves out every value: the end alone is passed on.
    public func ignoreOutput() -> Flow { lift { _, sink in sink.receiving { _ in } } }
}

extension OperatorKind {
    static let ignoreOutput = OperatorKind("ignoreOutput", synonyms: ["ignoreElements"]) { stage in
        stage.input.ignoreOutput()
    }
}

extension Operator {
    /// Leaves out every value: the end alone is passed on.
    ///
    /// ```marbles
    /// -1-2-|
    /// {"ignoreOutput": {}}
    /// -----|
    /// ```
    public static let ignoreOutput = Operator(.ignoreOutput)
}
