public import SluiceJSON

// Signaling and combining. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// Passes values on until another stream emits one; then completes; see ``Operator/prefixUntil(_:)``.
    public func prefixUntil(_ other: some StreamRepresentable) -> StreamModel {
        applying([other]) { .prefixUntil($0[0]) }
    }

    /// Drops values until another stream emits one; then passes all on; see ``Operator/dropUntil(_:)``.
    public func dropUntil(_ other: some StreamRepresentable) -> StreamModel { applying([other]) { .dropUntil($0[0]) } }

    /// Emits, at each value of another stream, the latest value since the last time, if any; completion drops a waiting
    /// value; see ``Operator/sample(_:)``.
    public func sample(_ other: some StreamRepresentable) -> StreamModel { applying([other]) { .sample($0[0]) } }

    /// Emits values after the stream has completed, then completes; see `Operator.append(_:)`.
    public func append(_ values: [JSON]) -> StreamModel { applying(.append(values)) }

    /// Continues with another stream after this one has completed; see `Operator.append(_:)`.
    public func append(_ other: StreamModel) -> StreamModel { applying([other]) { .append($0[0]) } }

    /// Emits values immediately, before it subscribes to the stream; see `Operator.prepend(_:)`.
    public func prepend(_ values: [JSON]) -> StreamModel { applying(.prepend(values)) }

    /// Emits the values of another stream first, and subscribes to this one when that has completed; see
    /// `Operator.prepend(_:)`.
    public func prepend(_ other: StreamModel) -> StreamModel { applying([other]) { .prepend($0[0]) } }

    /// Emits the values of this stream and of others as they come; completes when all have completed; see
    /// ``Operator/merge(with:concurrency:)``.
    public func merge(with others: StreamModel...) -> StreamModel {
        applying(others) { Operator(.merge, Operator.others($0)) }
    }

    /// Continues with this stream or another, whichever emits or ends first, and cancels the others; see
    /// ``Operator/race(with:)``.
    public func race(with others: StreamModel...) -> StreamModel {
        applying(others) { Operator(.race, Operator.others($0)) }
    }

    /// Emits the values of this stream and of others row by row, as arrays, or the result of an expression; see
    /// ``Operator/zip(with:expression:onError:)``.
    public func zip(
        with others: any StreamRepresentable...,
        expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamModel<[JSON]> {
        applying(giving: [JSON].self, others) { .joining(.zip, $0, expression, onError) }
    }

    /// Emits the values of this stream and of others row by row, as arrays, or the result of an expression. Its values
    /// have another type; see ``Operator/zip(with:expression:onError:)``.
    public func zip<Output>(
        with others: any StreamRepresentable...,
        expression: String? = nil,
        onError: ErrorPolicy = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> {
        applying(giving: type, others) { .joining(.zip, $0, expression, onError) }
    }

    /// Emits the latest values of this stream and of others whenever one of them emits, once all have emitted: as
    /// arrays, or the result of an expression; see ``Operator/combineLatest(with:expression:onError:)``.
    public func combineLatest(
        with others: any StreamRepresentable...,
        expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamModel<[JSON]> {
        applying(giving: [JSON].self, others) { .joining(.combineLatest, $0, expression, onError) }
    }

    /// Emits the latest values of this stream and of others whenever one of them emits, once all have emitted: as
    /// arrays, or the result of an expression. Its values have another type; see
    /// ``Operator/combineLatest(with:expression:onError:)``.
    public func combineLatest<Output>(
        with others: any StreamRepresentable...,
        expression: String? = nil,
        onError: ErrorPolicy = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> {
        applying(giving: type, others) { .joining(.combineLatest, $0, expression, onError) }
    }

    /// Emits each value of this stream with the latest ones of others, as arrays, or the result of an expression; see
    /// ``Operator/withLatestFrom(_:expression:onError:)``.
    public func withLatestFrom(
        _ others: any StreamRepresentable...,
        expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamModel<[JSON]> {
        applying(giving: [JSON].self, others) { .joining(.withLatestFrom, $0, expression, onError) }
    }

    /// Emits each value of this stream with the latest ones of others, as arrays, or the result of an expression. Its
    /// values have another type; see ``Operator/withLatestFrom(_:expression:onError:)``.
    public func withLatestFrom<Output>(
        _ others: any StreamRepresentable...,
        expression: String? = nil,
        onError: ErrorPolicy = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> {
        applying(giving: type, others) { .joining(.withLatestFrom, $0, expression, onError) }
    }

    /// Emits `true` if this stream and another emit equal values in the same order, at any times, otherwise `false`;
    /// then completes; see ``Operator/sequenceEqual(_:)``.
    public func sequenceEqual(_ other: StreamModel) -> StreamModel<Bool> {
        applying([other]) { .sequenceEqual($0[0]) }
    }
}
