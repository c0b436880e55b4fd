import SluiceJSON

/// The changes of a stage's arguments that invalidate its state.
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

    /// Returns a Boolean value that indicates whether a change of an operator's parameter resets it.
    static func resets(_ parameter: Parameter, ofOperator name: String, _ old: Argument?, _ new: Argument?) -> Bool {
        if new == nil, removed[name]?.contains(parameter.name) == true { return true }
        return operators[name]?.contains(parameter.name) == true || isOtherShape(old, new)
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
