public import Sluice

extension StreamModel {
    /// Returns the values of the stream, each when it is due.
    ///
    /// ```swift
    /// for try await value in model.values() { print(value) }
    /// ```
    ///
    /// Each iteration is a run of its own. Canceling the iterating task ends the run with `CancellationError`. A slow
    /// reader delays the stream; no value is lost.
    ///
    /// - Parameters:
    ///   - host: The sources and sinks that the stream may use.
    ///   - clock: The clock that measures the delays.
    public func values<C: Clock>(
        host: StreamHost = StreamHost(),
        clock: C = .continuous
    ) -> StreamValues<Value, C> where C.Duration == Duration {
        flow.values(host: host, clock: clock)
    }

    /// Returns the events of the stream, with their times, including the completion; see
    /// ``Flow/events(until:taking:host:limits:clock:)``.
    public func events<C: Clock>(
        until limit: StreamTime? = nil,
        taking count: Int? = nil,
        host: StreamHost = StreamHost(),
        clock: C = .continuous
    ) -> LiveEvents<Value, C> where C.Duration == Duration {
        flow.events(until: limit, taking: count, host: host, clock: clock)
    }

    /// Returns the events of the stream in virtual time; see ``Flow/virtualEvents(until:taking:limits:)``.
    public func virtualEvents(
        until limit: StreamTime? = nil,
        taking count: Int? = nil,
        limits: StreamLimits = StreamLimits()
    ) -> VirtualEvents<Value> {
        flow.virtualEvents(until: limit, taking: count, limits: limits)
    }

    /// Runs the stream from now on; see ``Flow/observe(host:onValue:)``.
    @discardableResult
    public func observe(host: StreamHost = StreamHost(), onValue: @escaping @Sendable (Value) -> Void) -> Observer<Void>
    {
        flow.observe(host: host, onValue: onValue)
    }
}
