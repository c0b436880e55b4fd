public import SluiceJSON

// Flattening, sharing and failing. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// ``Operator/flatMap(to:_:concurrency:onError:)``.
    public func flatMap(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        concurrency: Int? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamModel {
        applying(giving: Value.self, [other]) {
            .flatMap(to: $0[0], expression, concurrency: concurrency, onError: onError)
        }
    }

    /// ``Operator/flatMap(to:_:concurrency:onError:)``; its values are of another type.
    public func flatMap<Output>(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        concurrency: Int? = nil,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> {
        applying(giving: type, [other]) {
            .flatMap(to: $0[0], expression, concurrency: concurrency, onError: onError)
        }
    }

    /// ``Operator/concatMap(to:_:onError:)``.
    public func concatMap(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamModel { applying(giving: Value.self, [other]) { .concatMap(to: $0[0], expression, onError: onError) } }

    /// ``Operator/concatMap(to:_:onError:)``; its values are of another type.
    public func concatMap<Output>(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(giving: type, [other]) { .concatMap(to: $0[0], expression, onError: onError) } }

    /// ``Operator/switchMap(to:_:onError:)``.
    public func switchMap(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamModel { applying(giving: Value.self, [other]) { .switchMap(to: $0[0], expression, onError: onError) } }

    /// ``Operator/switchMap(to:_:onError:)``; its values are of another type.
    public func switchMap<Output>(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(giving: type, [other]) { .switchMap(to: $0[0], expression, onError: onError) } }

    /// ``Operator/exhaustMap(to:_:onError:)``.
    public func exhaustMap(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamModel {
        applying(giving: Value.self, [other]) { .exhaustMap(to: $0[0], expression, onError: onError) }
    }

    /// ``Operator/exhaustMap(to:_:onError:)``; its values are of another type.
    public func exhaustMap<Output>(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> {
        applying(giving: type, [other]) { .exhaustMap(to: $0[0], expression, onError: onError) }
    }

    /// ``Operator/expand(to:_:concurrency:onError:)``.
    public func expand(
        to other: some StreamRepresentable,
        _ expression: String? = nil,
        concurrency: Int? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamModel {
        applying(giving: Value.self, [other]) {
            .expand(to: $0[0], expression, concurrency: concurrency, onError: onError)
        }
    }

    /// ``Operator/mergeScan(_:to:concurrency:)``.
    public func mergeScan(
        _ initialValue: JSON,
        to other: some StreamRepresentable,
        concurrency: Int? = nil
    ) -> StreamModel<JSON> {
        applying(giving: JSON.self, [other]) { .mergeScan(initialValue, to: $0[0], concurrency: concurrency) }
    }

    /// ``Operator/switchScan(_:to:)``.
    public func switchScan(_ initialValue: JSON, to other: some StreamRepresentable) -> StreamModel<JSON> {
        applying(giving: JSON.self, [other]) { .switchScan(initialValue, to: $0[0]) }
    }

    /// ``Operator/retry(_:when:resetOnSuccess:)``.
    public func retry(
        _ count: Int,
        when other: some StreamRepresentable,
        resetOnSuccess: Bool = false
    ) -> StreamModel {
        applying(giving: Value.self, [other]) { .retry(count, when: $0[0], resetOnSuccess: resetOnSuccess) }
    }

    /// ``Operator/repeat(_:when:)``.
    public func `repeat`(_ count: Int? = nil, when other: some StreamRepresentable) -> StreamModel {
        applying(giving: Value.self, [other]) { .repeat(count, when: $0[0]) }
    }

    /// ``Operator/share``.
    public func share() -> StreamModel { applying(.share) }

    /// ``Operator/shareReplay(bufferSize:refCount:)``.
    public func shareReplay(bufferSize: Int? = nil, refCount: Bool = false) -> StreamModel {
        applying(.shareReplay(bufferSize: bufferSize, refCount: refCount))
    }

    /// ``Operator/retry(_:seconds:resetOnSuccess:)``.
    public func retry(_ count: Int, seconds: Double? = nil, resetOnSuccess: Bool = false) -> StreamModel {
        applying(.retry(count, seconds: seconds, resetOnSuccess: resetOnSuccess))
    }

    /// ``Operator/repeat(_:seconds:)``.
    public func `repeat`(_ count: Int? = nil, seconds: Double? = nil) -> StreamModel {
        applying(.repeat(count, seconds: seconds))
    }

    /// ``Operator/catch(_:)``.
    public func `catch`(_ other: StreamModel) -> StreamModel { applying([other]) { .catch($0[0]) } }

    /// ``Operator/replaceError(with:)``.
    public func replaceError(with value: JSON) -> StreamModel { applying(.replaceError(with: value)) }

    /// ``Operator/mapError(_:)``.
    public func mapError(_ expression: String) -> StreamModel { applying(.mapError(expression)) }

    /// ``Operator/onErrorResumeNext(with:)``.
    public func onErrorResumeNext(with others: StreamModel...) -> StreamModel {
        applying(others) { Operator(.onErrorResumeNext, Operator.others($0)) }
    }
}
