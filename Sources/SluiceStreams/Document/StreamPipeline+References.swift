import SluiceJSON

extension StreamDocument {
    /// Returns the document with its references to `old` leading to `new`, and with the inputs of its tests that replace
    /// them under the new name.
    ///
    /// ```
    /// let document = try StreamDocument(parsing: #"{"source": {"ref": "Numbers"}}"#)
    /// document.referring(to: "a", insteadOf: "Numbers").pipeline.references  // ["a"]
    /// ```
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package func referring(to new: String, insteadOf old: String) -> StreamDocument {
        var copy = self
        copy.changeStream { pipeline, tests in
            pipeline.refer(to: new, insteadOf: old)
            for index in tests.indices where tests[index].inputs[new] == nil {
                guard let input = tests[index].inputs.removeValue(forKey: old) else { continue }
                tests[index].inputs[new] = input
            }
        }
        return copy
    }
}

extension StreamPipeline {
    fileprivate mutating func refer(to new: String, insteadOf old: String) {
        source.refer(to: new, insteadOf: old)
        for index in operators.indices { operators[index].refer(to: new, insteadOf: old) }
    }
}

extension StreamSource {
    fileprivate mutating func refer(to new: String, insteadOf old: String) {
        switch self {
        case .pipeline(var pipeline):
            pipeline.refer(to: new, insteadOf: old)
            self = .pipeline(pipeline)
        case .named(var source):
            if source.name == SourceKind.reference.name, case .json(let json) = source.arguments["id"],
                json.string == old
            {
                source.arguments["id"] = .json(.string(new))
            }
            for key in source.arguments.keys { source.arguments[key]?.refer(to: new, insteadOf: old) }
            self = .named(source)
        }
    }
}

extension Operator {
    fileprivate mutating func refer(to new: String, insteadOf old: String) {
        for key in arguments.keys { arguments[key]?.refer(to: new, insteadOf: old) }
    }
}

extension Argument {
    fileprivate mutating func refer(to new: String, insteadOf old: String) {
        switch self {
        case .source(var source):
            source.refer(to: new, insteadOf: old)
            self = .source(source)
        case .sources(var sources):
            for index in sources.indices { sources[index].refer(to: new, insteadOf: old) }
            self = .sources(sources)
        case .operators(var operators):
            for index in operators.indices { operators[index].refer(to: new, insteadOf: old) }
            self = .operators(operators)
        case .items(var items):
            for index in items.indices {
                for step in items[index].operators.indices {
                    items[index].operators[step].refer(to: new, insteadOf: old)
                }
            }
            self = .items(items)
        case .json: break
        }
    }
}
