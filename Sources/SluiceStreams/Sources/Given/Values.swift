import SluiceExpressions

extension Flow where Value: Sendable {
    /// Returns a stream that emits values immediately, in order, and completes.
    @inlinable public static func values(_ values: Value...) -> Flow { Flow.values(values) }

    /// Returns a stream that emits values immediately, in order, and completes.
    @inlinable public static func values(_ values: [Value]) -> Flow {
        Flow { scope, sink in
            for value in values {
                guard !sink.isClosed, scope.run.spend() else { return }
                sink.receive(value)
            }
            sink.finish(.completed)
        }
    }
}

extension SourceKind {
    /// Emits values immediately, in order, and completes.
    ///
    /// ```marbles
    /// {"values": [1, 2, 3]}
    /// (123|)
    /// ```
    static let values = SourceKind("values", synonyms: ["of", "just", "from"], [.values()], bare: "values") { stage in
        .values(stage.values())
    }
}
