extension Flow {
    /// A stream that completes immediately.
    public static var empty: Flow { Flow { _, sink in sink.finish(.completed) } }
}

extension SourceKind {
    /// Completes immediately.
    ///
    /// ```marbles
    /// {"empty": {}}
    /// |
    /// ```
    static let empty = SourceKind("empty", summary: "Completes at once") { _ in .empty }
}
