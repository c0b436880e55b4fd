extension Observer {
    /// Returns an observer of both values: this call's and that of another call, which runs at the same time.
    ///
    /// ```swift
    /// let page = users.start("ada").combine(photos.start("ada"))  // Observer<(User, Photo)>
    /// ```
    ///
    /// - Returns: A derived observer of both calls. The first error or cancellation ends it and detaches it from the
    ///   other call; canceling it detaches it from both.
    public func combine<T: Sendable>(_ other: Observer<T>) -> Observer<(Value, T)> {
        let both = Observer<(Value, T)>(executor: executor, callContext: derivedContext, isRoot: false)
        let halves = Halves<Value, T>()
        let first = listen(as: .branch, on: .anyThread, from: .anyThread, resolving: both) { outcome, executor in
            if let end = outcome.combined({ halves.put(first: known($0)) }) { both.end(end, from: executor) }
        }
        let second = other.listen(as: .branch, on: .anyThread, from: .anyThread, resolving: both) { outcome, executor in
            if let end = outcome.combined({ halves.put(second: known($0)) }) { both.end(end, from: executor) }
        }
        both.whenEnded { [weak self, weak other] in
            if let first { self?.leave(first) }
            if let second { other?.leave(second) }
        }
        return both
    }

    /// Returns an observer of this call's value together with that of the call that `body` starts with it.
    ///
    /// ```swift
    /// let both = users.start("ada").chain { photos.start($0.photo) }  // Observer<(User, Photo)>
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the caller is; the compiler fills it in.
    ///   - body: Called at most once; see ``Observer`` for where. An error that it throws is the error of the
    ///     result.
    public func chain<T: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        with body: @escaping (Value) throws -> Observer<T>
    ) -> Observer<(Value, T)> {
        map { value in try body(value).map(isolation: nil) { (value, $0) } }
    }
}

/// Two values that arrive in any order.
private final class Halves<A: Sendable, B: Sendable>: Sendable {
    private let values = Locked<(A?, B?)>((nil, nil))

    func put(first: A) -> (A, B)? { put { $0.0 = first } }
    func put(second: B) -> (A, B)? { put { $0.1 = second } }

    private func put(_ change: (inout (A?, B?)) -> Void) -> (A, B)? {
        values.withLock { values in
            change(&values)
            guard let a = values.0, let b = values.1 else { return nil }
            return (a, b)
        }
    }
}

extension Outcome {
    /// Returns the combined outcome after the end of one of two calls, or `nil` while the other is pending.
    fileprivate func combined(_ put: (any Sendable) -> (any Sendable)?) -> Outcome? {
        if case .value(let value) = self { put(value).map(Outcome.value) } else { self }
    }
}
