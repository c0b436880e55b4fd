import SluiceJSON

/// The changes of a stage's arguments that invalidate its state.
enum Compatibility {
    /// The parameters of sources, by the source's name.
    private static let sources: [String: Set<String>] = [
        "marbles": ["text", "frame", "values", "hot"],
        "schedule": ["cron", "zone", "missed"],
        "ref": ["id"], "merge": ["concurrency"], "lines": ["path", "format", "follow", "buffer"],
        "poll": ["url", "seconds", "method", "headers", "body", "as", "paging", "changes", "stack", "buffer"],
        "events": ["url", "event", "headers", "stack", "buffer"],
        "webhook": ["name", "auth", "key", "buffer"],
        "request": ["url", "method", "headers", "body", "as", "stack"],
        "subject": ["subject", "format", "as", "from", "consumer", "buffer"],
        "subscribe": ["stream", "of", "from"], "outside": ["name", "arguments", "buffer"],
    ]

    /// Returns a Boolean value that indicates whether a change of a parameter resets its operator.
    static func resets(_ parameter: Parameter, _ old: Argument?, _ new: Argument?) -> Bool {
        parameter.reset == .always || (parameter.reset == .whenRemoved && new == nil) || isOtherShape(old, new)
    }

    /// Returns a Boolean value that indicates whether a change of a source's parameter resets it.
    static func resets(_ parameter: Parameter, ofSource name: String, _ old: Argument?, _ new: Argument?) -> Bool {
        sources[name]?.contains(parameter.name) == true || isOtherShape(old, new)
    }

    /// Returns whether the number of streams, or of lists of values before or after a stream, has changed, since they
    /// are identified by their positions.
    private static func isOtherShape(_ old: Argument?, _ new: Argument?) -> Bool {
        switch (old, new) {
        case (.sources(let old), .sources(let new)): old.count != new.count
        case (.source, nil), (nil, .source), (.sources, nil), (nil, .sources), (.operators, nil), (nil, .operators):
            true
        case (.json(.array), nil), (nil, .json(.array)): true
        default: false
        }
    }
}
