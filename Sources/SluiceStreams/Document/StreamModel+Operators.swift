public import SluiceJSON

// Each operator is described at the factory of its name on ``Operator``.

// MARK: - Transforming

extension StreamModel {
    /// ``Operator/map(_:onError:)``.
    public func map(_ expression: String, onError: ErrorRoute = .fail)
        -> StreamModel
    { applying(.map(expression, onError: onError), giving: Value.self) }

    /// ``Operator/map(_:onError:)``; its values are of another type.
    public func map<Output>(_ expression: String, onError: ErrorRoute = .fail, as type: Output.Type)
        -> StreamModel<Output>
    { applying(.map(expression, onError: onError), giving: type) }

    /// ``Operator/mapTo(_:)``.
    public func mapTo(_ value: JSON) -> StreamModel {
        applying(.mapTo(value), giving: Value.self)
    }

    /// ``Operator/mapTo(_:)``; its values are of another type.
    public func mapTo<Output>(_ value: JSON, as type: Output.Type) -> StreamModel<Output> {
        applying(.mapTo(value), giving: type)
    }

    /// ``Operator/compactMap(_:onError:)``.
    public func compactMap(_ expression: String, onError: ErrorRoute = .fail)
        -> StreamModel
    { applying(.compactMap(expression, onError: onError), giving: Value.self) }

    /// ``Operator/compactMap(_:onError:)``; its values are of another type.
    public func compactMap<Output>(_ expression: String, onError: ErrorRoute = .fail, as type: Output.Type)
        -> StreamModel<Output>
    { applying(.compactMap(expression, onError: onError), giving: type) }

    /// ``Operator/scan(_:_:onError:)``.
    public func scan(
        _ initialValue: JSON? = nil,
        _ expression: String,
        onError: ErrorRoute = .fail
    ) -> StreamModel { applying(.scan(initialValue, expression, onError: onError), giving: Value.self) }

    /// ``Operator/scan(_:_:onError:)``; its values are of another type.
    public func scan<Output>(
        _ initialValue: JSON? = nil,
        _ expression: String,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(.scan(initialValue, expression, onError: onError), giving: type) }

    /// ``Operator/replaceNil(_:)``.
    public func replaceNil(_ value: JSON) -> StreamModel {
        applying(.replaceNil(value), giving: Value.self)
    }

    /// ``Operator/replaceNil(_:)``; its values are of another type.
    public func replaceNil<Output>(_ value: JSON, as type: Output.Type) -> StreamModel<Output> {
        applying(.replaceNil(value), giving: type)
    }

    /// ``Operator/pairwise``.
    public func pairwise() -> StreamModel<[Value]> { applying(.pairwise, giving: [Value].self) }

    /// ``Operator/timestamp``.
    public func timestamp() -> StreamModel<JSON> {
        applying(.timestamp, giving: JSON.self)
    }

    /// ``Operator/timestamp``; its values are of another type.
    public func timestamp<Output>(as type: Output.Type) -> StreamModel<Output> {
        applying(.timestamp, giving: type)
    }

    /// ``Operator/timeInterval``.
    public func timeInterval() -> StreamModel<JSON> {
        applying(.timeInterval, giving: JSON.self)
    }

    /// ``Operator/timeInterval``; its values are of another type.
    public func timeInterval<Output>(as type: Output.Type) -> StreamModel<Output> {
        applying(.timeInterval, giving: type)
    }

    /// ``Operator/measureInterval``.
    public func measureInterval() -> StreamModel<Double> { applying(.measureInterval, giving: Double.self) }

    /// ``Operator/materialize``.
    public func materialize() -> StreamModel<JSON> {
        applying(.materialize, giving: JSON.self)
    }

    /// ``Operator/materialize``; its values are of another type.
    public func materialize<Output>(as type: Output.Type) -> StreamModel<Output> {
        applying(.materialize, giving: type)
    }

    /// ``Operator/dematerialize(onError:)``.
    public func dematerialize(onError: ErrorRoute = .fail)
        -> StreamModel
    { applying(.dematerialize(onError: onError), giving: Value.self) }

    /// ``Operator/dematerialize(onError:)``; its values are of another type.
    public func dematerialize<Output>(onError: ErrorRoute = .fail, as type: Output.Type)
        -> StreamModel<Output>
    { applying(.dematerialize(onError: onError), giving: type) }

    /// ``Operator/encode(_:onError:)``.
    public func encode(_ format: TextFormat, onError: ErrorRoute = .fail) -> StreamModel<String> {
        applying(.encode(format, onError: onError), giving: String.self)
    }

    /// ``Operator/decode(_:onError:)``.
    public func decode(_ format: TextFormat, onError: ErrorRoute = .fail)
        -> StreamModel<JSON>
    { applying(.decode(format, onError: onError), giving: JSON.self) }

    /// ``Operator/decode(_:onError:)``; its values are of another type.
    public func decode<Output>(_ format: TextFormat, onError: ErrorRoute = .fail, as type: Output.Type)
        -> StreamModel<Output>
    { applying(.decode(format, onError: onError), giving: type) }
}

// MARK: - Filtering

extension StreamModel {
    /// ``Operator/filter(_:onError:)``.
    public func filter(_ expression: String, onError: ErrorRoute = .fail) -> StreamModel {
        applying(.filter(expression, onError: onError))
    }

    /// ``Operator/prefix(_:)``.
    public func prefix(_ count: Int) -> StreamModel { applying(.prefix(count)) }

    /// ``Operator/prefixWhile(_:inclusive:onError:)``.
    public func prefixWhile(_ expression: String, inclusive: Bool = false, onError: ErrorRoute = .fail) -> StreamModel {
        applying(.prefixWhile(expression, inclusive: inclusive, onError: onError))
    }

    /// ``Operator/suffix(_:)``.
    public func suffix(_ count: Int) -> StreamModel { applying(.suffix(count)) }

    /// ``Operator/dropFirst(_:)``.
    public func dropFirst(_ count: Int = 1) -> StreamModel { applying(.dropFirst(count)) }

    /// ``Operator/dropLast(_:)``.
    public func dropLast(_ count: Int = 1) -> StreamModel { applying(.dropLast(count)) }

    /// ``Operator/dropWhile(_:onError:)``.
    public func dropWhile(_ expression: String, onError: ErrorRoute = .fail) -> StreamModel {
        applying(.dropWhile(expression, onError: onError))
    }

    /// ``Operator/removeDuplicates(_:onError:)``.
    public func removeDuplicates(_ expression: String? = nil, onError: ErrorRoute = .fail) -> StreamModel {
        applying(.removeDuplicates(expression, onError: onError))
    }

    /// ``Operator/distinct(_:limit:whenFull:onError:)``.
    public func distinct(
        _ expression: String? = nil,
        limit: Int? = nil,
        whenFull: FullMemory = .fail,
        onError: ErrorRoute = .fail
    ) -> StreamModel { applying(.distinct(expression, limit: limit, whenFull: whenFull, onError: onError)) }

    /// ``Operator/first(default:)``.
    public func first(default value: JSON? = nil) -> StreamModel { applying(.first(default: value)) }

    /// ``Operator/firstWhere(_:default:onError:)``.
    public func firstWhere(_ expression: String, default value: JSON? = nil, onError: ErrorRoute = .fail) -> StreamModel
    { applying(.firstWhere(expression, default: value, onError: onError)) }

    /// ``Operator/last(default:)``.
    public func last(default value: JSON? = nil) -> StreamModel { applying(.last(default: value)) }

    /// ``Operator/lastWhere(_:default:onError:)``.
    public func lastWhere(_ expression: String, default value: JSON? = nil, onError: ErrorRoute = .fail) -> StreamModel
    { applying(.lastWhere(expression, default: value, onError: onError)) }

    /// ``Operator/single``.
    public func single() -> StreamModel { applying(.single) }

    /// ``Operator/outputAt(_:default:)``.
    public func outputAt(_ index: Int, default value: JSON? = nil) -> StreamModel {
        applying(.outputAt(index, default: value))
    }

    /// ``Operator/outputIn(from:count:)``.
    public func outputIn(from: Int, count: Int? = nil) -> StreamModel { applying(.outputIn(from: from, count: count)) }

    /// ``Operator/ignoreOutput``.
    public func ignoreOutput() -> StreamModel { applying(.ignoreOutput) }
}

// MARK: - Aggregating

extension StreamModel {
    /// ``Operator/reduce(_:_:onError:)``.
    public func reduce(
        _ initialValue: JSON? = nil,
        _ expression: String,
        onError: ErrorRoute = .fail
    ) -> StreamModel { applying(.reduce(initialValue, expression, onError: onError), giving: Value.self) }

    /// ``Operator/reduce(_:_:onError:)``; its values are of another type.
    public func reduce<Output>(
        _ initialValue: JSON? = nil,
        _ expression: String,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(.reduce(initialValue, expression, onError: onError), giving: type) }

    /// ``Operator/count``.
    public func count() -> StreamModel<Int> { applying(.count, giving: Int.self) }

    /// ``Operator/sum(_:onError:)``.
    public func sum(
        _ expression: String? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamModel { applying(.sum(expression, onError: onError), giving: Value.self) }

    /// ``Operator/sum(_:onError:)``; its values are of another type.
    public func sum<Output>(
        _ expression: String? = nil,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(.sum(expression, onError: onError), giving: type) }

    /// ``Operator/average(_:onError:)``.
    public func average(_ expression: String? = nil, onError: ErrorRoute = .fail) -> StreamModel<Double> {
        applying(.average(expression, onError: onError), giving: Double.self)
    }

    /// ``Operator/min(_:onError:)``.
    public func min(_ expression: String? = nil, onError: ErrorRoute = .fail) -> StreamModel {
        applying(.min(expression, onError: onError))
    }

    /// ``Operator/max(_:onError:)``.
    public func max(_ expression: String? = nil, onError: ErrorRoute = .fail) -> StreamModel {
        applying(.max(expression, onError: onError))
    }

    /// ``Operator/contains(_:)``.
    public func contains(_ value: JSON) -> StreamModel<Bool> { applying(.contains(value), giving: Bool.self) }

    /// ``Operator/containsWhere(_:onError:)``.
    public func containsWhere(_ expression: String, onError: ErrorRoute = .fail) -> StreamModel<Bool> {
        applying(.containsWhere(expression, onError: onError), giving: Bool.self)
    }

    /// ``Operator/allSatisfy(_:onError:)``.
    public func allSatisfy(_ expression: String, onError: ErrorRoute = .fail) -> StreamModel<Bool> {
        applying(.allSatisfy(expression, onError: onError), giving: Bool.self)
    }

    /// ``Operator/firstIndexWhere(_:onError:)``.
    public func firstIndexWhere(_ expression: String, onError: ErrorRoute = .fail) -> StreamModel<Int> {
        applying(.firstIndexWhere(expression, onError: onError), giving: Int.self)
    }

    /// ``Operator/isEmpty``.
    public func isEmpty() -> StreamModel<Bool> { applying(.isEmpty, giving: Bool.self) }

    /// ``Operator/replaceEmpty(_:)``.
    public func replaceEmpty(_ value: JSON) -> StreamModel { applying(.replaceEmpty(value)) }

    /// ``Operator/collect``.
    public func collect() -> StreamModel<[Value]> { applying(.collect, giving: [Value].self) }

    /// ``Operator/collect(_:every:)``.
    public func collect(_ count: Int, every step: Int? = nil) -> StreamModel<[Value]> {
        applying(.collect(count, every: step), giving: [Value].self)
    }
}

// MARK: - Timing and windowing

extension StreamModel {
    /// ``Operator/delay(seconds:)``.
    public func delay(seconds: Double) -> StreamModel { applying(.delay(seconds: seconds)) }

    /// ``Operator/delayWhen(_:)``.
    public func delayWhen(_ other: some StreamRepresentable) -> StreamModel {
        applying([other]) { .delayWhen($0[0]) }
    }

    /// ``Operator/debounce(seconds:)``.
    public func debounce(seconds: Double) -> StreamModel { applying(.debounce(seconds: seconds)) }

    /// ``Operator/throttle(seconds:leading:trailing:)``.
    public func throttle(seconds: Double, leading: Bool = true, trailing: Bool = false) -> StreamModel {
        applying(.throttle(seconds: seconds, leading: leading, trailing: trailing))
    }

    /// ``Operator/audit(seconds:)``.
    public func audit(seconds: Double) -> StreamModel { applying(.audit(seconds: seconds)) }

    /// ``Operator/sampleTime(seconds:)``.
    public func sampleTime(seconds: Double) -> StreamModel { applying(.sampleTime(seconds: seconds)) }

    /// ``Operator/timeout(seconds:else:)``.
    public func timeout(seconds: Double) -> StreamModel { applying(.timeout(seconds: seconds)) }

    /// ``Operator/timeout(seconds:else:)``.
    public func timeout(seconds: Double, else other: some StreamRepresentable) -> StreamModel {
        applying([other]) { .timeout(seconds: seconds, else: $0[0]) }
    }

    /// ``Operator/collectByTime(seconds:count:)``.
    public func collectByTime(seconds: Double, count: Int? = nil) -> StreamModel<[Value]> {
        applying(.collectByTime(seconds: seconds, count: count), giving: [Value].self)
    }

    /// ``Operator/collectBySource(_:)``.
    public func collectBySource(_ other: some StreamRepresentable) -> StreamModel<[Value]> {
        applying([other]) { .collectBySource($0[0]) }
    }

    /// ``Operator/groupBy(_:_:limit:onError:)``.
    public func groupBy(
        _ key: String,
        _ operators: [Operator],
        limit: Int? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamModel<JSON> { applying(.groupBy(key, operators, limit: limit, onError: onError), giving: JSON.self) }

    /// ``Operator/groupBy(_:_:limit:onError:)``; its values are of another type.
    public func groupBy<Output>(
        _ key: String,
        _ operators: [Operator],
        limit: Int? = nil,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(.groupBy(key, operators, limit: limit, onError: onError), giving: type) }

    /// ``Operator/windowCount(_:every:_:)``.
    public func windowCount(
        _ count: Int,
        every step: Int? = nil,
        _ operators: [Operator]? = nil
    ) -> StreamModel<JSON> { applying(.windowCount(count, every: step, operators), giving: JSON.self) }

    /// ``Operator/windowCount(_:every:_:)``; its values are of another type.
    public func windowCount<Output>(
        _ count: Int,
        every step: Int? = nil,
        _ operators: [Operator]? = nil,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(.windowCount(count, every: step, operators), giving: type) }

    /// ``Operator/windowTime(seconds:_:)``.
    public func windowTime(seconds: Double, _ operators: [Operator]? = nil)
        -> StreamModel<JSON>
    { applying(.windowTime(seconds: seconds, operators), giving: JSON.self) }

    /// ``Operator/windowTime(seconds:_:)``; its values are of another type.
    public func windowTime<Output>(seconds: Double, _ operators: [Operator]? = nil, as type: Output.Type)
        -> StreamModel<Output>
    { applying(.windowTime(seconds: seconds, operators), giving: type) }

    /// ``Operator/window(_:_:)``.
    public func window(
        _ other: some StreamRepresentable,
        _ operators: [Operator]? = nil
    ) -> StreamModel<JSON> { applying(giving: JSON.self, [other]) { .window($0[0], operators) } }

    /// ``Operator/window(_:_:)``; its values are of another type.
    public func window<Output>(
        _ other: some StreamRepresentable,
        _ operators: [Operator]? = nil,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(giving: type, [other]) { .window($0[0], operators) } }
}

// MARK: - Signaling and combining

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

// MARK: - Flattening, sharing and failing

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

// MARK: - Native closures

extension StreamModel {
    /// The stream with a closure: it runs, and cannot be saved; see ``Flow/map(onError:_:)``.
    public func map<Output>(_ transform: @escaping @Sendable (Value) throws -> Output) -> Flow<Output> {
        flow.map(transform)
    }

    /// The stream with a closure: it runs, and cannot be saved; see ``Flow/filter(onError:_:)``.
    public func filter(_ isIncluded: @escaping @Sendable (Value) throws -> Bool) -> Flow<Value> {
        flow.filter(isIncluded)
    }

    /// The stream with a closure: it runs, and cannot be saved; see ``Flow/scan(_:onError:_:)``.
    public func scan<State: Sendable>(
        _ initialValue: State,
        _ next: @escaping @Sendable (State, Value) throws -> State
    ) -> Flow<State> { flow.scan(initialValue, next) }
}
