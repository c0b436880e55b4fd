import SluiceExpressions

extension Flow {
    /// Subscribes again when the stream fails, at the first value of another stream.
    ///
    /// Completes if that stream completes without a value, and fails if it fails.
    ///
    /// - Parameters:
    ///   - count: The maximum number of further subscriptions; then the error passes.
    ///   - resets: A Boolean value that indicates whether a value resets the number of used retries to 0.
    ///   - start: A closure that the run calls at each failure, with the error and the number of the failed attempt,
    ///     from 1.
    public func retry<Signal>(
        _ count: Int,
        resetOnSuccess resets: Bool = false,
        when start: @escaping @Sendable (any Error, Int) throws -> Flow<Signal>
    ) -> Flow {
        retrying(count, resets) { scope, ending, sink in
            try start(StreamError(message: ending.error), ending.attempt).subscribe(scope, sink)
        }
    }

    /// Subscribes again when the stream completes, at the first value of another stream.
    ///
    /// Completes if that stream completes without a value, and fails if it fails.
    ///
    /// - Parameters:
    ///   - count: The total number of subscriptions.
    ///   - start: A closure that the run calls at each completion, with the number of the completed subscription, from
    ///     1.
    public func `repeat`<Signal>(
        _ count: Int = .max,
        when start: @escaping @Sendable (Int) throws -> Flow<Signal>
    ) -> Flow {
        repeating(count) { scope, ending, sink in try start(ending.attempt).subscribe(scope, sink) }
    }

    func retrying<Signal>(
        _ count: Int,
        _ resets: Bool,
        _ start: @escaping @Sendable (Scope, SubscriptionEnd, Sink<Signal>) throws -> Void
    ) -> Flow {
        resubscribing(leavesFirst: false, resets, start) { used, end in
            guard case .failed = end else { return false }
            return used < count
        }
    }

    func repeating<Signal>(
        _ count: Int,
        _ start: @escaping @Sendable (Scope, SubscriptionEnd, Sink<Signal>) throws -> Void
    ) -> Flow {
        guard count > 0 else { return .empty }
        return resubscribing(leavesFirst: true, false, start) { used, end in
            guard case .completed = end else { return false }
            return used < count - 1
        }
    }

    /// Subscribes again at an end for which `again` returns `true`, when a stream that is started for the end emits a
    /// value.
    ///
    /// - Parameter leavesFirst: A Boolean value that indicates whether the subscription to the ended stream is closed
    ///   before the next begins, which matters if both read a shared stream.
    private func resubscribing<Signal>(
        leavesFirst: Bool,
        _ resets: Bool,
        _ start: @escaping @Sendable (Scope, SubscriptionEnd, Sink<Signal>) throws -> Void,
        while again: @escaping @Sendable (Int, StreamEnd) -> Bool
    ) -> Flow {
        Flow { [subscribe] scope, sink in
            let run = scope.run
            let used = scope.cell(0)
            let ending = scope.cell(SubscriptionEnd(), "ending")
            let isStarting = Cell(false)
            let isDue = Cell(false)
            let current = Cell<Lifetime?>(nil)
            // A loop, because a stream that ends immediately would nest the next subscription within itself.
            func begin() {
                let former = current.state
                former?.close()
                isDue.state = true
                if isStarting.state { return }
                isStarting.state = true
                defer { isStarting.state = false }
                while isDue.state, !sink.isClosed, run.spend() {
                    isDue.state = false
                    subscribeAgain()
                }
            }
            func wait() {
                let lifetime = sink.lifetime.child()
                let signaled = Sink<Signal>(
                    lifetime: lifetime,
                    end: sink.finish,
                    receive: { _ in
                        lifetime.close()
                        ending.state.isWaiting = false
                        begin()
                    }
                )
                do { try start(scope, ending.state, signaled) } catch { sink.finish(.failed(error)) }
            }
            func subscribeAgain() {
                let lifetime = sink.lifetime.child()
                current.state = lifetime
                let input = Sink<Value>(
                    lifetime: lifetime,
                    end: { end in
                        guard again(used.state, end) else { return sink.finish(end) }
                        if leavesFirst { lifetime.close() }
                        used.state += 1
                        ending.state = SubscriptionEnd(end, used.state)
                        wait()
                        lifetime.close()
                    },
                    receive: { value in
                        if resets { used.state = 0 }
                        sink.receive(value)
                    }
                )
                subscribe(scope, input)
            }
            if !scope.isRestoring { return begin() }
            if ending.state.isWaiting { wait() } else { subscribeAgain() }
        }
    }
}

/// The end of a subscription, as the stream that is started for it sees it.
struct SubscriptionEnd {
    var isWaiting = false
    /// The message of the error; empty after a completion.
    var error = ""
    /// The number of the subscription, from 1.
    var attempt = 0

    init() {}

    init(_ end: StreamEnd, _ attempt: Int) {
        (isWaiting, self.attempt) = (true, attempt)
        if case .failed(let error) = end { self.error = StreamError(error).description }
    }
}

extension SubscriptionEnd: SavableState {
    static var fields: [SavedField<Self>] {
        [
            SavedField("isWaiting", \.isWaiting), SavedField("error", \.error), SavedField("attempt", \.attempt),
        ]
    }
}

extension Stage {
    /// Returns a function that starts the stream of `source` for the end of a subscription: its expressions see `error` and `attempt`.
    func signalForEnd() -> @Sendable (Scope, SubscriptionEnd, Sink<CELValue>) throws -> Void {
        let flow = source("source", within: [("error", .string), ("attempt", .int)]).flow
        return { scope, ending, sink in
            let inner = scope.inside(.string(ending.error)).inside(.int(Int64(ending.attempt)))
            flow.subscribe(inner, sink)
        }
    }
}
