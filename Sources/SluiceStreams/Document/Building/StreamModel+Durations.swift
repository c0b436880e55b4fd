public import SluiceJSON

// Sources and operators with times, with the standard library's durations in place of numbers of seconds.

extension StreamModel<Int> {
    /// Returns a stream of 0, 1, 2, … every `period`, the first after `first`; see ``interval(seconds:first:count:)``.
    ///
    /// ```swift
    /// let ticks = StreamModel.interval(.milliseconds(500), count: 3)
    /// let times = ticks.virtualEvents().map(\.time.seconds)  // [0.5, 1, 1.5, 1.5]
    /// ```
    public static func interval(_ period: Duration, first: Duration? = nil, count: Int? = nil) -> StreamModel {
        interval(seconds: period.documentSeconds, first: first?.documentSeconds, count: count)
    }

    /// Returns a stream that gives 0 after `duration`, and completes.
    public static func timer(_ duration: Duration) -> StreamModel { timer(seconds: duration.documentSeconds) }
}

extension StreamModel {
    /// Emits each value `duration` later; see ``Operator/delay(seconds:)``.
    public func delay(for duration: Duration) -> StreamModel { applying(.delay(for: duration)) }

    /// Emits a value after `duration` has passed without another one; see ``Operator/debounce(seconds:)``.
    public func debounce(for duration: Duration) -> StreamModel { applying(.debounce(for: duration)) }

    /// Emits at most one value in each span of `duration`; see ``Operator/throttle(seconds:leading:trailing:)``.
    public func throttle(for duration: Duration, leading: Bool = true, trailing: Bool = false) -> StreamModel {
        applying(.throttle(for: duration, leading: leading, trailing: trailing))
    }

    /// Emits the latest value at the end of each span of `duration`; see ``Operator/audit(seconds:)``.
    public func audit(for duration: Duration) -> StreamModel { applying(.audit(for: duration)) }

    /// Emits, every `period`, the latest value since the last time; see ``Operator/sampleTime(seconds:)``.
    public func sample(every period: Duration) -> StreamModel { applying(.sample(every: period)) }

    /// Fails when `duration` passes without a value or an end; see ``Operator/timeout(seconds:else:)``.
    public func timeout(_ duration: Duration) -> StreamModel { applying(.timeout(duration)) }

    /// Continues with another stream when `duration` passes without a value or an end; see
    /// ``Operator/timeout(seconds:else:)``.
    public func timeout(_ duration: Duration, else other: some StreamRepresentable) -> StreamModel {
        timeout(seconds: duration.documentSeconds, else: other)
    }

    /// Emits an array of the values in each span of `duration`; see ``Operator/collectByTime(seconds:count:)``.
    public func collect(every duration: Duration, count: Int? = nil) -> StreamModel<[Value]> {
        collectByTime(seconds: duration.documentSeconds, count: count)
    }

    /// Subscribes again when the stream fails, after `delay`; see ``Operator/retry(_:seconds:resetOnSuccess:)``.
    public func retry(_ count: Int, delay: Duration, resetOnSuccess: Bool = false) -> StreamModel {
        applying(.retry(count, delay: delay, resetOnSuccess: resetOnSuccess))
    }

    /// Subscribes again when the stream completes, after `delay`; see ``Operator/repeat(_:seconds:)``.
    public func `repeat`(_ count: Int? = nil, delay: Duration) -> StreamModel {
        applying(.repeat(count, delay: delay))
    }

    /// Applies operators to each window of `duration`; see ``Operator/windowTime(seconds:every:_:)``.
    public func window(lasting duration: Duration, every step: Duration? = nil, _ operators: [Operator]? = nil)
        -> StreamModel<JSON>
    { windowTime(seconds: duration.documentSeconds, every: step?.documentSeconds, operators) }

    /// Applies operators to each session, which ends when `gap` passes without a value; see
    /// ``Operator/windowSession(seconds:_:)``.
    public func window(withGap gap: Duration, _ operators: [Operator]? = nil) -> StreamModel<JSON> {
        windowSession(seconds: gap.documentSeconds, operators)
    }
}
