extension SourceKind {
    /// The family of sources that give what comes with time.
    static let timed = [interval, timer]
}
