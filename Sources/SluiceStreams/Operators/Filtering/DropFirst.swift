extension Flow {
    /// Drops the first `count` values.
    public func dropFirst(_ count: Int = 1) -> Flow {
        guard count > 0 else { return self }
        return lift { scope, sink in
            let rest = scope.cell(count)
            return sink.receiving { value in
                guard rest.state > 0 else { return sink.receive(value) }
                rest.state -= 1
            }
        }
    }
}

extension OperatorKind {
    static let dropFirst = OperatorKind(
        "dropFirst",
        synonyms: ["skip"],
        summary: "Drops the first count values",
        [.count(isRequired: false).resetting]
    ) { stage in
        stage.input.dropFirst(stage.count())
    }
}

extension Operator {
    /// Drops the first `count` values.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"dropFirst": {"count": 2}}
    /// -----3-|
    /// ```
    public static func dropFirst(_ count: Int = 1) -> Operator { Operator(.dropFirst, ["count": .int(count)]) }
}
