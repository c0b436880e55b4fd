extension Flow {
    /// Shares one subscription to this stream among all its subscribers within a run, and replays the latest values to
    /// late ones immediately.
    ///
    /// After its completion, late subscribers receive these values and the completion. After an error, the next
    /// subscriber starts it from the beginning, with an empty buffer.
    ///
    /// - Parameters:
    ///   - bufferSize: The number of values that are kept, at least 1; by default all, up to the run's limit of held
    ///     items.
    ///   - refCount: A Boolean value that indicates whether the stream is stopped, and its buffer emptied, when the
    ///     last subscriber has left.
    public func shareReplay(bufferSize: Int = .max, refCount: Bool = false) -> Flow {
        shared(.replaying(bufferSize, refCount: refCount), isInner: false)
    }
}

extension SharedStream.Policy {
    static func replaying(_ count: Int, refCount: Bool) -> Self {
        Self(replayed: max(1, count), keepsCompletion: true, stopsWhenLeft: refCount)
    }
}

extension OperatorKind {
    static let shareReplay = OperatorKind(
        "shareReplay",
        synonyms: ["replay"],
        summary: "Shares one run of the stream, and replays values to late references",
        [.count("bufferSize", least: 1, isRequired: false), .bool("refCount")]
    ) { stage in
        let size = stage.optionalCount("bufferSize") ?? .max
        let refCount = stage.bool("refCount", default: false)
        return stage.shared(.replaying(size, refCount: refCount))
    }
}

extension Operator {
    /// Shares one run of the stream among all references to it within a run, and replays the latest values to late
    /// subscribers immediately.
    ///
    /// ```marbles
    /// -1-2-|
    /// {"shareReplay": {"bufferSize": 1, "refCount": true}}
    /// -1-2-|
    /// ```
    ///
    /// - Parameters:
    ///   - bufferSize: The number of values that are kept; by default all.
    ///   - refCount: A Boolean value that indicates whether the stream is stopped, and its buffer emptied, when the
    ///     last subscriber has left.
    public static func shareReplay(bufferSize: Int? = nil, refCount: Bool = false) -> Operator {
        Operator(
            .shareReplay,
            ["bufferSize": bufferSize.map { .int($0) }, "refCount": refCount ? .bool(true) : nil]
        )
    }
}
