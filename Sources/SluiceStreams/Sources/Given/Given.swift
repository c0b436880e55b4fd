extension SourceKind {
    /// The family of sources that emit their values immediately.
    static let given = [values, range, generate, empty, never, failure]
}
