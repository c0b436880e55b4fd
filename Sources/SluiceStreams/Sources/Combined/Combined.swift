extension SourceKind {
    /// The family of sources that combine other streams.
    static let combined = [merge]
}
