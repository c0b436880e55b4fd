extension OperatorKind {
    static let merge = OperatorKind(
        "merge",
        synonyms: ["mergeWith"],
        summary: "Merges the values of this stream and others as they arrive",
        [.source(isRequired: false), .moreSources, .count("concurrency", least: 1, isRequired: false).resetting],
        migrations: [.mergeQueue(isOperator: true)]
    ) { stage in
        let flows = [TypedFlow(stage.input, stage.item)] + stage.others
        stage.item = TypedFlow.common(flows)
        return .merge(flows.map(\.flow), concurrency: stage.optionalCount("concurrency") ?? .max)
    }
}

extension Parameter {
    /// Further streams, in addition to or in place of `source`.
    static let moreSources = Parameter(name: "sources", form: .sources, isRequired: false)
}

extension Operator {
    /// Emits the values of this stream and of others as they come; completes when all have completed.
    ///
    /// ```marbles
    /// -1---3|
    /// other: ---2|
    /// {"merge": {"source": {"ref": "other"}}}
    /// -1-2-3|
    /// ```
    ///
    /// - Parameters:
    ///   - sources: The other streams.
    ///   - concurrency: The maximum number of streams that run at the same time, including this one; the others
    ///     wait in order.
    public static func merge(with sources: StreamSource..., concurrency: Int? = nil) -> Operator {
        Operator(
            .merge,
            ["concurrency": concurrency.map { .int($0) }].merging(others(sources)) { $1 }
        )
    }

    /// Returns the arguments for other streams: `source` for one, otherwise `sources`.
    static func others(_ sources: [StreamSource]) -> [String: Argument?] {
        if sources.count == 1 { ["source": .source(sources[0])] } else { ["sources": .sources(sources)] }
    }

    /// Returns an operator that emits rows of values.
    static func joining(
        _ kind: OperatorKind,
        _ sources: [StreamSource],
        _ expression: String?,
        _ onError: ErrorPolicy
    ) -> Operator {
        let own: [String: Argument?] = ["expression": expression.map { .string($0) }, "onError": onError.argument]
        return Operator(kind, own.merging(others(sources)) { $1 })
    }
}
