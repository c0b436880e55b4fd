public import SluiceJSON

// Timing and windowing. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// ``Operator/delay(seconds:)``.
    public func delay(seconds: Double) -> StreamModel { applying(.delay(seconds: seconds)) }

    /// ``Operator/delayWhen(_:)``.
    public func delayWhen(_ other: some StreamRepresentable) -> StreamModel {
        applying([other]) { .delayWhen($0[0]) }
    }

    /// ``Operator/debounce(seconds:)``.
    public func debounce(seconds: Double) -> StreamModel { applying(.debounce(seconds: seconds)) }

    /// ``Operator/debounce(until:)``.
    public func debounce(until other: some StreamRepresentable) -> StreamModel {
        applying([other]) { .debounce(until: $0[0]) }
    }

    /// ``Operator/throttle(until:leading:trailing:)``.
    public func throttle(
        until other: some StreamRepresentable,
        leading: Bool = true,
        trailing: Bool = false
    ) -> StreamModel { applying([other]) { .throttle(until: $0[0], leading: leading, trailing: trailing) } }

    /// ``Operator/audit(until:)``.
    public func audit(until other: some StreamRepresentable) -> StreamModel {
        applying([other]) { .audit(until: $0[0]) }
    }

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

    /// ``Operator/groupBy(_:_:seconds:limit:onError:)``.
    public func groupBy(
        _ key: String,
        _ operators: [Operator],
        seconds: Double? = nil,
        limit: Int? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamModel<JSON> {
        applying(.groupBy(key, operators, seconds: seconds, limit: limit, onError: onError), giving: JSON.self)
    }

    /// ``Operator/groupBy(_:_:seconds:limit:onError:)``; its values are of another type.
    public func groupBy<Output>(
        _ key: String,
        _ operators: [Operator],
        seconds: Double? = nil,
        limit: Int? = nil,
        onError: ErrorRoute = .fail,
        as type: Output.Type
    ) -> StreamModel<Output> {
        applying(.groupBy(key, operators, seconds: seconds, limit: limit, onError: onError), giving: type)
    }

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

    /// ``Operator/windowTime(seconds:every:_:)``.
    public func windowTime(seconds: Double, every step: Double? = nil, _ operators: [Operator]? = nil)
        -> StreamModel<JSON>
    { applying(.windowTime(seconds: seconds, every: step, operators), giving: JSON.self) }

    /// ``Operator/windowTime(seconds:every:_:)``; its values are of another type.
    public func windowTime<Output>(
        seconds: Double,
        every step: Double? = nil,
        _ operators: [Operator]? = nil,
        as type: Output.Type
    )
        -> StreamModel<Output>
    { applying(.windowTime(seconds: seconds, every: step, operators), giving: type) }

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

    /// ``Operator/windowToggle(_:until:_:)``.
    public func windowToggle(
        _ other: some StreamRepresentable,
        until closing: some StreamRepresentable,
        _ operators: [Operator]? = nil
    ) -> StreamModel<JSON> {
        applying(giving: JSON.self, [other, closing]) { .windowToggle($0[0], until: $0[1], operators) }
    }

    /// ``Operator/windowWhen(_:_:)``.
    public func windowWhen(
        _ other: some StreamRepresentable,
        _ operators: [Operator]? = nil
    ) -> StreamModel<JSON> { applying(giving: JSON.self, [other]) { .windowWhen($0[0], operators) } }

    /// ``Operator/windowSession(seconds:_:)``.
    public func windowSession(seconds: Double, _ operators: [Operator]? = nil) -> StreamModel<JSON> {
        applying(.windowSession(seconds: seconds, operators), giving: JSON.self)
    }

    /// ``Operator/collectToggle(_:until:)``.
    public func collectToggle(
        _ other: some StreamRepresentable,
        until closing: some StreamRepresentable
    ) -> StreamModel<[Value]> {
        applying(giving: [Value].self, [other, closing]) { .collectToggle($0[0], until: $0[1]) }
    }

    /// ``Operator/collectWhen(_:)``.
    public func collectWhen(_ other: some StreamRepresentable) -> StreamModel<[Value]> {
        applying(giving: [Value].self, [other]) { .collectWhen($0[0]) }
    }
}
