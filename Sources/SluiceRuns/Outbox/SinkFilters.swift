import Sluice
import SluiceFilters
import SluiceStreams

/// The filters around each attempt of a sink, whose state is kept through edits as that of any stack.
struct SinkFilters: Sendable {
    private var stack: StackFilter<SinkDelivery, Void>?
    private let clock: any Clock<Duration>

    init(_ stack: ConnectorStack?, clock: any Clock<Duration>) {
        self.clock = clock
        use(stack)
    }

    /// Replaces the filters, for attempts that begin from now on.
    mutating func use(_ next: ConnectorStack?) {
        guard let next, !next.attempt.filters.isEmpty else { return stack = nil }
        // The stack was built when its document was compiled: nothing is missing.
        if let stack, (try? stack.replace(with: next.attempt)) != nil { return }
        let bindings = StackBindings<SinkDelivery, Void>(classify: Self.responseClass, clock: clock)
        stack = try? StackFilter(next.attempt, bindings: bindings)
    }

    /// Delivers outputs through the filters.
    ///
    /// - Throws: The error of the receiver, or of a filter.
    func deliver(_ delivery: SinkDelivery, to receiver: @escaping StreamHost.Receiver) async throws {
        guard let stack else { return try await receiver(delivery) }
        try await TimeoutFilter(ConnectorStack.longestAttempt, clock: clock).andThen(stack)
            .process(delivery, next: AnyNode { try await Self.receive($0, receiver) })
    }

    /// Delivers outputs in a task of their own: filters wait for the receiver in tasks of theirs, and would report that they
    /// were canceled in place of what the receiver says when it has canceled itself.
    private static func receive(_ delivery: SinkDelivery, _ receiver: @escaping StreamHost.Receiver) async throws {
        try await AttemptTask.run { cancel in
            var delivery = delivery
            delivery.cancel = cancel
            return await Result.of { try await receiver(delivery) }
        }.get()
    }

    /// Returns the class of a result. A receiver that refuses a request is not down.
    @Sendable private static func responseClass(_: SinkDelivery, _ result: Result<Void, any Error>) -> ResponseClass {
        guard case .failure(let error) = result else { return .success }
        return switch error {
        case is SinkRefusalError: .success
        case let error as SinkRetryError: .retryable(after: error.wait)
        default: .of(error)
        }
    }
}
