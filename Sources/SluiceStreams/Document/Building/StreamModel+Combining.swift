public import SluiceJSON

// Signaling and combining. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// ``Operator/prefixUntil(_:)``.
    public func prefixUntil(_ other: some StreamRepresentable) -> StreamModel {
        applying([other]) { .prefixUntil($0[0]) }
    }

    /// ``Operator/dropUntil(_:)``.
    public func dropUntil(_ other: some StreamRepresentable) -> StreamModel { applying([other]) { .dropUntil($0[0]) } }

    /// ``Operator/sample(_:)``.
    public func sample(_ other: some StreamRepresentable) -> StreamModel { applying([other]) { .sample($0[0]) } }

    /// ``Operator/append(_:)``.
    public func append(_ values: [JSON]) -> StreamModel { applying(.append(values)) }

    /// ``Operator/append(_:)``.
    public func append(_ other: StreamModel) -> StreamModel { applying([other]) { .append($0[0]) } }

    /// ``Operator/prepend(_:)``.
    public func prepend(_ values: [JSON]) -> StreamModel { applying(.prepend(values)) }

    /// ``Operator/prepend(_:)``.
    public func prepend(_ other: StreamModel) -> StreamModel { applying([other]) { .prepend($0[0]) } }

    /// ``Operator/merge(with:concurrency:)``.
    public func merge(with others: StreamModel...) -> StreamModel {
        applying(others) { Operator(.merge, Operator.others($0)) }
    }

    /// ``Operator/race(with:)``.
    public func race(with others: StreamModel...) -> StreamModel {
        applying(others) { Operator(.race, Operator.others($0)) }
    }

    /// ``Operator/zip(with:expression:onError:)``.
    public func zip(
        with others: any StreamRepresentable...,
        expression: String? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamModel<[JSON]> {
        applying(giving: [JSON].self, others) { .joining(.zip, $0, expression, onError) }
    }

    /// ``Operator/zip(with:expression:onError:)``; its values are of another type.
    public func zip<Output>(
        with others: any StreamRepresentable...,
        expression: String? = nil,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> {
        applying(giving: type, others) { .joining(.zip, $0, expression, onError) }
    }

    /// ``Operator/combineLatest(with:expression:onError:)``.
    public func combineLatest(
        with others: any StreamRepresentable...,
        expression: String? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamModel<[JSON]> {
        applying(giving: [JSON].self, others) { .joining(.combineLatest, $0, expression, onError) }
    }

    /// ``Operator/combineLatest(with:expression:onError:)``; its values are of another type.
    public func combineLatest<Output>(
        with others: any StreamRepresentable...,
        expression: String? = nil,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> {
        applying(giving: type, others) { .joining(.combineLatest, $0, expression, onError) }
    }

    /// ``Operator/withLatestFrom(_:expression:onError:)``.
    public func withLatestFrom(
        _ others: any StreamRepresentable...,
        expression: String? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamModel<[JSON]> {
        applying(giving: [JSON].self, others) { .joining(.withLatestFrom, $0, expression, onError) }
    }

    /// ``Operator/withLatestFrom(_:expression:onError:)``; its values are of another type.
    public func withLatestFrom<Output>(
        _ others: any StreamRepresentable...,
        expression: String? = nil,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> {
        applying(giving: type, others) { .joining(.withLatestFrom, $0, expression, onError) }
    }

    /// ``Operator/sequenceEqual(_:)``.
    public func sequenceEqual(_ other: StreamModel) -> StreamModel<Bool> {
        applying([other]) { .sequenceEqual($0[0]) }
    }
}
