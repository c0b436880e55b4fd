extension OperatorKind {
    /// The family of operators that say when values are passed on.
    ///
    /// Combine's `buffer(size:prefetch:whenFull:)` is not among them. It keeps what a publisher gives before its
    /// subscriber asks for it; here a value is passed on within the call that brings it, nobody asks, and nothing would
    /// ever lie in such a buffer. What waits, and what becomes of more than that, is said where values really come faster
    /// than they are taken: at the edge, as arguments of a source of the outside world.
    static let timing = [
        delay, delayWhen, debounce, throttle, audit, sampleTime, timeout, measureInterval,
    ]
}
