extension OperatorKind {
    /// The family of operators that decide when values are emitted.
    ///
    /// Combine's `buffer(size:prefetch:whenFull:)` is not among them. It keeps values that a publisher emits before its
    /// subscriber requests them. Here a value is passed on within the call that brings it, without requests, so that
    /// such a buffer would always be empty. Buffers are defined where values come faster than they are consumed: as
    /// arguments of sources of the outside world.
    static let timing = [
        delay, delayWhen, debounce, throttle, audit, sampleTime, timeout, measureInterval,
    ]
}
