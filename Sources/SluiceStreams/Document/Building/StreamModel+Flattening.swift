public import SluiceJSON

// Flattening, sharing and failing. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// Starts a stream for each value `a` and emits the result of an expression of `a` and each value `x` of that
    /// stream, or `x` itself without an expression; see ``Operator/flatMap(to:_:concurrency:onError:)``.
    public func flatMap(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        concurrency: Int? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamModel {
        applying(giving: Value.self, [other]) {
            .flatMap(to: $0[0], expression, concurrency: concurrency, onError: onError)
        }
    }

    /// Starts a stream for each value `a` and emits the result of an expression of `a` and each value `x` of that
    /// stream, or `x` itself without an expression. Its values have another type; see
    /// ``Operator/flatMap(to:_:concurrency:onError:)``.
    public func flatMap<Output>(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        concurrency: Int? = nil,
        onError: ErrorPolicy = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> {
        applying(giving: type, [other]) {
            .flatMap(to: $0[0], expression, concurrency: concurrency, onError: onError)
        }
    }

    /// Starts a stream for each value `a`, one after another, and emits the result of an expression of `a` and each
    /// value `x` of that stream, or `x` itself without an expression; see ``Operator/concatMap(to:_:onError:)``.
    public func concatMap(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamModel { applying(giving: Value.self, [other]) { .concatMap(to: $0[0], expression, onError: onError) } }

    /// Starts a stream for each value `a`, one after another, and emits the result of an expression of `a` and each
    /// value `x` of that stream, or `x` itself without an expression. Its values have another type; see
    /// ``Operator/concatMap(to:_:onError:)``.
    public func concatMap<Output>(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        onError: ErrorPolicy = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(giving: type, [other]) { .concatMap(to: $0[0], expression, onError: onError) } }

    /// Starts a stream for each value `a`, cancels the previous one, and emits the result of an expression of `a` and
    /// each value `x` of that stream, or `x` itself without an expression; see ``Operator/switchMap(to:_:onError:)``.
    public func switchMap(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamModel { applying(giving: Value.self, [other]) { .switchMap(to: $0[0], expression, onError: onError) } }

    /// Starts a stream for each value `a`, cancels the previous one, and emits the result of an expression of `a` and
    /// each value `x` of that stream, or `x` itself without an expression. Its values have another type; see
    /// ``Operator/switchMap(to:_:onError:)``.
    public func switchMap<Output>(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        onError: ErrorPolicy = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(giving: type, [other]) { .switchMap(to: $0[0], expression, onError: onError) } }

    /// Starts a stream for a value `a`, drops the values that come while it runs, and emits the result of an expression
    /// of `a` and each value `x` of that stream, or `x` itself without an expression; see
    /// ``Operator/exhaustMap(to:_:onError:)``.
    public func exhaustMap(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamModel {
        applying(giving: Value.self, [other]) { .exhaustMap(to: $0[0], expression, onError: onError) }
    }

    /// Starts a stream for a value `a`, drops the values that come while it runs, and emits the result of an expression
    /// of `a` and each value `x` of that stream, or `x` itself without an expression. Its values have another type; see
    /// ``Operator/exhaustMap(to:_:onError:)``.
    public func exhaustMap<Output>(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        onError: ErrorPolicy = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> {
        applying(giving: type, [other]) { .exhaustMap(to: $0[0], expression, onError: onError) }
    }

    /// Emits each value `a` and, recursively, the result of an expression of `a` and each value `x` of a stream that is
    /// started for it, or `x` itself without an expression; see ``Operator/expand(to:_:concurrency:onError:)``.
    public func expand(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        concurrency: Int? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamModel {
        applying(giving: Value.self, [other]) {
            .expand(to: $0[0], expression, concurrency: concurrency, onError: onError)
        }
    }

    /// Starts a stream for each value `a` and the accumulator `acc`, and emits its values, each of which is the next
    /// accumulator; see ``Operator/mergeScan(_:to:concurrency:)``.
    public func mergeScan(
        _ initialValue: JSON,
        to other: some StreamRepresentable,
        concurrency: Int? = nil
    ) -> StreamModel<JSON> {
        applying(giving: JSON.self, [other]) { .mergeScan(initialValue, to: $0[0], concurrency: concurrency) }
    }

    /// Starts a stream for each value `a` and the accumulator `acc`, cancels the previous one, and emits its values,
    /// each of which is the next accumulator; see ``Operator/switchScan(_:to:)``.
    public func switchScan(_ initialValue: JSON, to other: some StreamRepresentable) -> StreamModel<JSON> {
        applying(giving: JSON.self, [other]) { .switchScan(initialValue, to: $0[0]) }
    }

    /// Subscribes again when the stream fails, at the first value of a stream that is started for the failure; see
    /// ``Operator/retry(_:when:resetOnSuccess:)``.
    public func retry(
        _ count: Int,
        when other: some StreamRepresentable,
        resetOnSuccess: Bool = false
    ) -> StreamModel {
        applying(giving: Value.self, [other]) { .retry(count, when: $0[0], resetOnSuccess: resetOnSuccess) }
    }

    /// Subscribes again when the stream completes, at the first value of a stream that is started for the completion;
    /// see ``Operator/repeat(_:when:)``.
    public func `repeat`(_ count: Int? = nil, when other: some StreamRepresentable) -> StreamModel {
        applying(giving: Value.self, [other]) { .repeat(count, when: $0[0]) }
    }

    /// Shares one run of the stream among all references to it within a run; see ``Operator/share``.
    public func share() -> StreamModel { applying(.share) }

    /// Shares one run of the stream among all references to it within a run, and replays the latest values to late
    /// subscribers immediately; see ``Operator/shareReplay(bufferSize:refCount:)``.
    public func shareReplay(bufferSize: Int? = nil, refCount: Bool = false) -> StreamModel {
        applying(.shareReplay(bufferSize: bufferSize, refCount: refCount))
    }

    /// Subscribes again when the stream fails, at most `count` times, after `seconds` or immediately; see
    /// ``Operator/retry(_:seconds:resetOnSuccess:)``.
    public func retry(_ count: Int, seconds: Double? = nil, resetOnSuccess: Bool = false) -> StreamModel {
        applying(.retry(count, seconds: seconds, resetOnSuccess: resetOnSuccess))
    }

    /// Subscribes again when the stream completes, after `seconds` or immediately; see ``Operator/repeat(_:seconds:)``.
    public func `repeat`(_ count: Int? = nil, seconds: Double? = nil) -> StreamModel {
        applying(.repeat(count, seconds: seconds))
    }

    /// Continues with another stream if this one fails; the expressions of that stream see `error`, the message of the
    /// error; see ``Operator/catch(_:)``.
    public func `catch`(_ other: StreamModel) -> StreamModel { applying([other]) { .catch($0[0]) } }

    /// Emits a value and completes if the stream fails; see ``Operator/replaceError(with:)``.
    public func replaceError(with value: JSON) -> StreamModel { applying(.replaceError(with: value)) }

    /// Fails with the result of an expression as its message; see ``Operator/mapError(_:)``.
    public func mapError(_ expression: String) -> StreamModel { applying(.mapError(expression)) }

    /// Continues with other streams, one after another, whether the previous one has completed or failed; then
    /// completes; see ``Operator/onErrorResumeNext(with:)``.
    public func onErrorResumeNext(with others: StreamModel...) -> StreamModel {
        applying(others) { Operator(.onErrorResumeNext, Operator.others($0)) }
    }
}
