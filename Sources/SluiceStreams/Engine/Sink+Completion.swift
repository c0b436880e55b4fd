extension Sink {
    /// A sink for the input of an operator that does more at the completion than to complete; an error passes at once.
    ///
    /// It has a lifetime of its own: what `completed` passes on still arrives, and what it does ends with
    /// ``finish(_:)``.
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
