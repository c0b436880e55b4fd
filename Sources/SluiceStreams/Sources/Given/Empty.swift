extension Flow {
    /// Completes at once.
    public static var empty: Flow { Flow { _, sink in sink.finish(.completed) } }
}

extension SourceKind {
    /// Completes at once.
    ///
    /// ```marbles
    /// {"empty": {}}
    /// |
    /// ```
    static let empty = SourceKind("empty") { _ in .empty }
}
