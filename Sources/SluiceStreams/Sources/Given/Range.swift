import SluiceExpressions

extension Flow<Int> {
    /// Returns a stream that emits the numbers of a range immediately, in order, and completes.
    ///
    /// - Complexity: O(1) in memory; each number counts against ``StreamLimits/eventsPerInstant``.
    public static func range(_ range: Range<Int>) -> Flow {
        Flow { scope, sink in
            for value in range {
                guard !sink.isClosed, scope.run.spend() else { return }
                sink.receive(value)
            }
            sink.finish(.completed)
        }
    }
}

extension SourceKind {
    /// Emits `count` whole numbers immediately, from `from` on, which is 0 by default, and completes.
    ///
    /// ```marbles
    /// {"range": {"from": 3, "count": 4}}
    /// (3456|)
    /// ```
    static let range = SourceKind(
        "range",
        summary: "Emits count whole numbers at once, beginning with a first one",
        [.value("from", isRequired: false), .count()]
    ) { stage in
        stage.item = .int
        guard case .int(let from) = stage.optionalValue("from") ?? .int(0) else {
            stage.note("from", "expected a whole number, found \(stage.value("from").typeName)")
            return .never
        }
        let (end, overflow) = from.addingReportingOverflow(Int64(stage.count()))
        if overflow {
            stage.note("count", "the last number does not fit into 64 bits")
            return .never
        }
        return Flow.range(Int(from)..<Int(end)).map { .int(Int64($0)) }
    }
}
