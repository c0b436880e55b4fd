public import Sluice
public import SluiceJSON

extension StreamDocument {
    /// Returns the values of the stream, each when it is due; see ``StreamModel/values(host:clock:)``.
    ///
    /// - Throws: `JSONErrors`, as ``flow(in:parameters:)`` does.
    public func values<C: Clock>(
        in library: StreamLibrary = StreamLibrary(),
        host: StreamHost = StreamHost(),
        clock: C = .continuous
    ) throws(JSONErrors) -> StreamValues<JSON, C> where C.Duration == Duration {
        try flow(in: library).values(host: host, clock: clock)
    }

    /// Returns the events of the stream, each when it is due by `clock`; see
    /// ``Flow/events(until:taking:host:limits:clock:)``.
    ///
    /// - Throws: `JSONErrors`, as ``flow(in:parameters:)`` does.
    public func events<C: Clock>(
        until limit: StreamTime? = nil,
        taking count: Int? = nil,
        in library: StreamLibrary = StreamLibrary(),
        host: StreamHost = StreamHost(),
        clock: C = .continuous
    ) throws(JSONErrors) -> LiveEvents<JSON, C> where C.Duration == Duration {
        try flow(in: library).events(until: limit, taking: count, host: host, clock: clock)
    }

    /// Returns the events of the stream in virtual time; see ``Flow/virtualEvents(until:taking:limits:)``.
    ///
    /// - Throws: `JSONErrors`, as ``flow(in:parameters:)`` does.
    public func virtualEvents(
        until limit: StreamTime? = nil,
        taking count: Int? = nil,
        in library: StreamLibrary = StreamLibrary(),
        limits: StreamLimits = StreamLimits()
    ) throws(JSONErrors) -> VirtualEvents<JSON> {
        try flow(in: library).virtualEvents(until: limit, taking: count, limits: limits)
    }

    /// Runs the stream from now on; see ``Flow/observe(host:onValue:)``.
    ///
    /// - Throws: `JSONErrors`, as ``flow(in:parameters:)`` does, before anything runs.
    @discardableResult
    public func observe(
        in library: StreamLibrary = StreamLibrary(),
        host: StreamHost = StreamHost(),
        onValue: @escaping @Sendable (JSON) -> Void
    ) throws(JSONErrors) -> Observer<Void> {
        try flow(in: library).observe(host: host, onValue: onValue)
    }
}
