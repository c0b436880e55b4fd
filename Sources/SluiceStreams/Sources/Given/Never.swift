extension Flow {
    /// A stream that emits nothing and never ends.
    public static var never: Flow { Flow { _, _ in } }
}

extension SourceKind {
    /// Emits nothing and never ends.
    ///
    /// ```marbles
    /// {"never": {}}
    /// ----
    /// ```
    static let never = SourceKind("never", summary: "Emits nothing and never ends") { _ in .never }
}
