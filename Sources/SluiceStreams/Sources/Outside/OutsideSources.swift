extension SourceKind {
    /// The family of sources that give what comes from the outside world.
    static let outside: [SourceKind] = []
}
