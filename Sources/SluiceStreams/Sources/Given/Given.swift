extension SourceKind {
    /// The family of sources that give their values at once.
    static let given = [values, range, generate, empty, never, failure]
}
