extension SourceKind {
    /// The family of sources that were recorded or are defined elsewhere.
    static let recorded = [stream, marbles, reference]
}
