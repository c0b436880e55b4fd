import SluiceExpressions

extension Flow where Value: Sendable {
    /// Emits the only value, at the completion; fails at a second value, or at the completion without one.
    public func single() -> Flow { single(path: "") }

    func single(path: String) -> Flow {
        lift { scope, sink in
            let only = scope.cell(nil as Value?)
            return sink.receiving {
                Fallback(only.state, path: path).finish(sink)
            } _: { value in
                guard only.state != nil else { return only.state = value }
                sink.finish(.failed(StreamError(path: path, message: "the stream has more than one value")))
            }
        }
    }
}

extension OperatorKind {
    static let single = OperatorKind("single", summary: "Emits the only value at completion; fails for more than one") {
        stage in stage.input.single(path: stage.path)
    }
}

extension Operator {
    /// Emits the only value, at the completion; a second value, or none at all, is an error.
    ///
    /// ```marbles
    /// -1---|
    /// {"single": {}}
    /// -----(1|)
    /// ```
    ///
    /// ```marbles
    /// -1-2-|
    /// {"single": {}}
    /// ---#
    /// ```
    public static let single = Operator(.single)
}
