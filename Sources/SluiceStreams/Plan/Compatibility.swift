import SluiceJSON

/// Which changes of what a stage takes leave its state without a meaning.
enum Compatibility {
    /// The parameters of operators, by the operator's name.
    private static let operators: [String: Set<String>] = [
        "prefix": ["count"], "dropFirst": ["count"], "suffix": ["count"], "dropLast": ["count"],
        "outputAt": ["index"], "outputIn": ["from", "count"], "collect": ["count", "every"],
        "windowCount": ["count", "every"], "scan": ["initialValue"], "reduce": ["initialValue"],
        "removeDuplicates": ["expression"], "distinct": ["expression", "whenFull"], "min": ["expression"],
        "max": ["expression"], "groupBy": ["key"], "merge": ["concurrency"], "mergeScan": ["initialValue"],
        "switchScan": ["initialValue"],
    ]

    /// The parameters of operators that reset them when they are removed.
    private static let removed: [String: Set<String>] = ["windowTime": ["every"]]

    /// The parameters of sources, by the source's name.
    private static let sources: [String: Set<String>] = [
        "marbles": ["text", "frame", "values", "hot"],
        "ref": ["id"], "merge": ["concurrency"], "lines": ["path", "format", "buffer"],
        "poll": ["url", "seconds", "headers", "changes", "buffer"], "events": ["url", "event", "headers", "buffer"],
        "outside": ["name", "arguments", "buffer"],
    ]

    /// Whether a change of an operator's parameter resets it.
    static func resets(_ parameter: Parameter, ofOperator name: String, _ old: Argument?, _ new: Argument?) -> Bool {
        if new == nil, removed[name]?.contains(parameter.name) == true { return true }
        return operators[name]?.contains(parameter.name) == true || isOtherShape(old, new)
    }

    /// Whether a change of a source's parameter resets it.
    static func resets(_ parameter: Parameter, ofSource name: String, _ old: Argument?, _ new: Argument?) -> Bool {
        sources[name]?.contains(parameter.name) == true || isOtherShape(old, new)
    }

    /// Streams, and lists of values before or after a stream, are known by their places.
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
