extension Sink {
    /// Returns a sink for the input of an operator that does additional work at the completion; an error passes
    /// immediately.
    ///
    /// It has a lifetime of its own: values that `completed` passes on still arrive, and it ends with ``finish(_:)``.
    @inlinable func receiving<Input>(
        whenCompleted completed: @escaping () -> Void,
        _ receive: @escaping (Input) -> Void
    ) -> Sink<Input> {
        Sink<Input>(
            lifetime: lifetime.child(),
            end: { end in
                guard case .completed = end else { return finish(end) }
                completed()
            },
            receive: receive
        )
    }
}
