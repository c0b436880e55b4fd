// The operators with times, with the standard library's durations in place of numbers of seconds. A duration counts as in
// ``Flow/delay(for:)``: below zero as zero.

extension Duration {
    /// The seconds that a document has for the duration.
    var documentSeconds: Double { StreamTime(self).seconds }
}

extension Operator {
    /// Emits each value `duration` later; see ``delay(seconds:)``.
    public static func delay(for duration: Duration) -> Operator { .delay(seconds: duration.documentSeconds) }

    /// Emits a value after `duration` has passed without another one; see ``debounce(seconds:)``.
    public static func debounce(for duration: Duration) -> Operator { .debounce(seconds: duration.documentSeconds) }

    /// Emits at most one value in each span of `duration`; see ``throttle(seconds:leading:trailing:)``.
    public static func throttle(for duration: Duration, leading: Bool = true, trailing: Bool = false) -> Operator {
        .throttle(seconds: duration.documentSeconds, leading: leading, trailing: trailing)
    }

    /// Emits the latest value at the end of each span of `duration`; see ``audit(seconds:)``.
    public static func audit(for duration: Duration) -> Operator { .audit(seconds: duration.documentSeconds) }

    /// Emits, every `period`, the latest value since the last time; see ``sampleTime(seconds:)``.
    public static func sample(every period: Duration) -> Operator { .sampleTime(seconds: period.documentSeconds) }

    /// Fails when `duration` passes without a value or an end; see ``timeout(seconds:else:)``.
    public static func timeout(_ duration: Duration, else source: StreamSource? = nil) -> Operator {
        .timeout(seconds: duration.documentSeconds, else: source)
    }

    /// Emits an array of the values in each span of `duration`; see ``collectByTime(seconds:count:)``.
    public static func collect(every duration: Duration, count: Int? = nil) -> Operator {
        .collectByTime(seconds: duration.documentSeconds, count: count)
    }

    /// Subscribes again when the stream fails, after `delay`; see ``retry(_:seconds:resetOnSuccess:)``.
    public static func retry(_ count: Int, delay: Duration, resetOnSuccess: Bool = false) -> Operator {
        .retry(count, seconds: delay.documentSeconds, resetOnSuccess: resetOnSuccess)
    }

    /// Subscribes again when the stream completes, after `delay`; see ``repeat(_:seconds:)``.
    public static func `repeat`(_ count: Int? = nil, delay: Duration) -> Operator {
        .repeat(count, seconds: delay.documentSeconds)
    }

    /// Applies operators to each window of `duration`; see ``windowTime(seconds:every:_:)``.
    public static func window(
        lasting duration: Duration,
        every step: Duration? = nil,
        _ operators: [Operator]? = nil
    ) -> Operator {
        .windowTime(seconds: duration.documentSeconds, every: step?.documentSeconds, operators)
    }

    /// Applies operators to each session, which ends when `gap` passes without a value; see
    /// ``windowSession(seconds:_:)``.
    public static func window(withGap gap: Duration, _ operators: [Operator]? = nil) -> Operator {
        .windowSession(seconds: gap.documentSeconds, operators)
    }
}
