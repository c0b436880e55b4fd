extension SourceKind {
    /// The family of sources of values at certain times.
    static let timed = [interval, timer, schedule]
}
