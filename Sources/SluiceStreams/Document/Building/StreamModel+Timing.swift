public import SluiceJSON

// Timing and windowing. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// Emits each value `seconds` later, from 0 to ``StreamTime/maximumSeconds``; see ``Operator/delay(seconds:)``.
    public func delay(seconds: Double) -> StreamModel { applying(.delay(seconds: seconds)) }

    /// Emits each value when another stream, started for it, emits its first value; drops it when that stream completes
    /// without a value; see ``Operator/delayWhen(_:)``.
    public func delayWhen(_ other: some StreamRepresentable) -> StreamModel {
        applying([other]) { .delayWhen($0[0]) }
    }

    /// Emits a value after `seconds` have passed without another one; completion emits a waiting value, and an error
    /// drops it; see ``Operator/debounce(seconds:)``.
    public func debounce(seconds: Double) -> StreamModel { applying(.debounce(seconds: seconds)) }

    /// Emits a value when a stream that is started for it emits its first value, unless another value comes before; see
    /// ``Operator/debounce(until:)``.
    public func debounce(until other: some StreamRepresentable) -> StreamModel {
        applying([other]) { .debounce(until: $0[0]) }
    }

    /// Emits at most one value in each span; see ``Operator/throttle(until:leading:trailing:)``.
    public func throttle(
        until other: some StreamRepresentable,
        leading: Bool = true,
        trailing: Bool = false
    ) -> StreamModel { applying([other]) { .throttle(until: $0[0], leading: leading, trailing: trailing) } }

    /// Emits the latest value when a stream that is started for the first value of a span emits its first value; see
    /// ``Operator/audit(until:)``.
    public func audit(until other: some StreamRepresentable) -> StreamModel {
        applying([other]) { .audit(until: $0[0]) }
    }

    /// Emits at most one value in each span of `seconds`; a span starts with a value that comes outside of a span; see
    /// ``Operator/throttle(seconds:leading:trailing:)``.
    public func throttle(seconds: Double, leading: Bool = true, trailing: Bool = false) -> StreamModel {
        applying(.throttle(seconds: seconds, leading: leading, trailing: trailing))
    }

    /// Emits the latest value at the end of each span of `seconds`; a span starts with a value that comes outside of a
    /// span; see ``Operator/audit(seconds:)``.
    public func audit(seconds: Double) -> StreamModel { applying(.audit(seconds: seconds)) }

    /// Emits, every `seconds` after the subscription, the latest value since the last time, if any; completion drops a
    /// waiting value; see ``Operator/sampleTime(seconds:)``.
    public func sampleTime(seconds: Double) -> StreamModel { applying(.sampleTime(seconds: seconds)) }

    /// Fails when `seconds` pass after the subscription, or after a value, without a value or an end; see
    /// ``Operator/timeout(seconds:else:)``.
    public func timeout(seconds: Double) -> StreamModel { applying(.timeout(seconds: seconds)) }

    /// Fails when `seconds` pass after the subscription, or after a value, without a value or an end; see
    /// ``Operator/timeout(seconds:else:)``.
    public func timeout(seconds: Double, else other: some StreamRepresentable) -> StreamModel {
        applying([other]) { .timeout(seconds: seconds, else: $0[0]) }
    }

    /// Emits an array of the values in each span of `seconds`, which may be empty; emits the rest at completion; see
    /// ``Operator/collectByTime(seconds:count:)``.
    public func collectByTime(seconds: Double, count: Int? = nil) -> StreamModel<[Value]> {
        applying(.collectByTime(seconds: seconds, count: count), giving: [Value].self)
    }

    /// Emits, at each value of another stream, an array of the values since the last one, which may be empty; emits the
    /// rest at completion; see ``Operator/collectBySource(_:)``.
    public func collectBySource(_ other: some StreamRepresentable) -> StreamModel<[Value]> {
        applying([other]) { .collectBySource($0[0]) }
    }

    /// Groups values by an expression, applies operators to each group, and emits `[key, result]` for their results as
    /// they come; see ``Operator/groupBy(_:_:seconds:limit:onError:)``.
    public func groupBy(
        _ key: String,
        _ operators: [Operator],
        seconds: Double? = nil,
        limit: Int? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamModel<JSON> {
        applying(.groupBy(key, operators, seconds: seconds, limit: limit, onError: onError), giving: JSON.self)
    }

    /// Groups values by an expression, applies operators to each group, and emits `[key, result]` for their results as
    /// they come. Its values have another type; see ``Operator/groupBy(_:_:seconds:limit:onError:)``.
    public func groupBy<Output>(
        _ key: String,
        _ operators: [Operator],
        seconds: Double? = nil,
        limit: Int? = nil,
        onError: ErrorPolicy = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> {
        applying(.groupBy(key, operators, seconds: seconds, limit: limit, onError: onError), giving: type)
    }

    /// Applies operators to each window of `count` values and emits their output as it comes; without operators, emits
    /// each window as an array when it closes; see ``Operator/windowCount(_:every:_:)``.
    public func windowCount(
        _ count: Int,
        every step: Int? = nil,
        _ operators: [Operator]? = nil
    ) -> StreamModel<JSON> { applying(.windowCount(count, every: step, operators), giving: JSON.self) }

    /// Applies operators to each window of `count` values and emits their output as it comes; without operators, emits
    /// each window as an array when it closes. Its values have another type; see ``Operator/windowCount(_:every:_:)``.
    public func windowCount<Output>(
        _ count: Int,
        every step: Int? = nil,
        _ operators: [Operator]? = nil,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(.windowCount(count, every: step, operators), giving: type) }

    /// Applies operators to each window of `seconds` and emits their output as it comes; without operators, emits each
    /// window as an array when it closes, even if it is empty; see ``Operator/windowTime(seconds:every:_:)``.
    public func windowTime(seconds: Double, every step: Double? = nil, _ operators: [Operator]? = nil)
        -> StreamModel<JSON>
    { applying(.windowTime(seconds: seconds, every: step, operators), giving: JSON.self) }

    /// Applies operators to each window of `seconds` and emits their output as it comes; without operators, emits each
    /// window as an array when it closes, even if it is empty. Its values have another type; see
    /// ``Operator/windowTime(seconds:every:_:)``.
    public func windowTime<Output>(
        seconds: Double,
        every step: Double? = nil,
        _ operators: [Operator]? = nil,
        as type: Output.Type
    )
        -> StreamModel<Output>
    { applying(.windowTime(seconds: seconds, every: step, operators), giving: type) }

    /// Applies operators to each window and emits their output as it comes; a window lasts until another stream emits a
    /// value; see ``Operator/window(_:_:)``.
    public func window(
        _ other: some StreamRepresentable,
        _ operators: [Operator]? = nil
    ) -> StreamModel<JSON> { applying(giving: JSON.self, [other]) { .window($0[0], operators) } }

    /// Applies operators to each window and emits their output as it comes; a window lasts until another stream emits a
    /// value. Its values have another type; see ``Operator/window(_:_:)``.
    public func window<Output>(
        _ other: some StreamRepresentable,
        _ operators: [Operator]? = nil,
        as type: Output.Type
    ) -> StreamModel<Output> { applying(giving: type, [other]) { .window($0[0], operators) } }

    /// Applies operators to each part of the stream and emits their output as it comes; see
    /// ``Operator/windowToggle(_:until:_:)``.
    public func windowToggle(
        _ other: some StreamRepresentable,
        until closing: some StreamRepresentable,
        _ operators: [Operator]? = nil
    ) -> StreamModel<JSON> {
        applying(giving: JSON.self, [other, closing]) { .windowToggle($0[0], until: $0[1], operators) }
    }

    /// Applies operators to consecutive parts of the stream and emits their output as it comes; see
    /// ``Operator/windowWhen(_:_:)``.
    public func windowWhen(
        _ other: some StreamRepresentable,
        _ operators: [Operator]? = nil
    ) -> StreamModel<JSON> { applying(giving: JSON.self, [other]) { .windowWhen($0[0], operators) } }

    /// Applies operators to each session and emits their output as it comes; see
    /// ``Operator/windowSession(seconds:_:)``.
    public func windowSession(seconds: Double, _ operators: [Operator]? = nil) -> StreamModel<JSON> {
        applying(.windowSession(seconds: seconds, operators), giving: JSON.self)
    }

    /// Emits, as an array, the values of each part of the stream; see ``Operator/collectToggle(_:until:)``.
    public func collectToggle(
        _ other: some StreamRepresentable,
        until closing: some StreamRepresentable
    ) -> StreamModel<[Value]> {
        applying(giving: [Value].self, [other, closing]) { .collectToggle($0[0], until: $0[1]) }
    }

    /// Emits, as arrays, the values of consecutive parts of the stream, including empty ones; see
    /// ``Operator/collectWhen(_:)``.
    public func collectWhen(_ other: some StreamRepresentable) -> StreamModel<[Value]> {
        applying(giving: [Value].self, [other]) { .collectWhen($0[0]) }
    }
}
