extension Flow {
    /// Has all subscriptions within a run read one subscription to this stream, and gives those who come late the latest
    /// values at once.
    ///
    /// After its completion they get these and the completion; after an error the next starts it afresh, with nothing
    /// kept.
    ///
    /// - Parameters:
    ///   - bufferSize: how many values are kept, at least 1; all where nothing is said, up to the run's limit of items
    ///     held back.
    ///   - refCount: whether the stream is stopped, and what was kept forgotten, when the last has left.
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
        [.count("bufferSize", least: 1, isRequired: false), .bool("refCount")]
    ) { stage in
        let size = stage.optionalCount("bufferSize") ?? .max
        let refCount = stage.bool("refCount", default: false)
        return stage.shared(.replaying(size, refCount: refCount))
    }
}

extension Operator {
    /// Has all who refer to the stream within a run read one run of it, and gives those who come late the latest values
    /// at once.
    ///
    /// ```marbles
    /// -1-2-|
    /// {"shareReplay": {"bufferSize": 1, "refCount": true}}
    /// -1-2-|
    /// ```
    ///
    /// - Parameters:
    ///   - bufferSize: how many values are kept; all where nothing is said.
    ///   - refCount: whether the stream is stopped, and what was kept forgotten, when the last has left.
    public static func shareReplay(bufferSize: Int? = nil, refCount: Bool = false) -> Operator {
        Operator(
            .shareReplay,
            ["bufferSize": bufferSize.map { .int($0) }, "refCount": refCount ? .bool(true) : nil]
        )
    }
}
