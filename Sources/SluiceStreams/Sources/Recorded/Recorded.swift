extension SourceKind {
    /// The family of sources that give what stands elsewhere or was written down.
    static let recorded = [stream, marbles, reference]
}
