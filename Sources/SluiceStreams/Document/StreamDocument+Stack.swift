package import SluiceFilters
package import SluiceJSON

/// The filter stacks of a hub, which are documents beside its streams.
extension StreamDocument {
    /// A Boolean value that indicates whether the document is a filter stack: it has `filters`, and no source.
    package var isStack: Bool { !hasSource && kept.contains { $0.key == "filters" } }

    /// The errors of a filter stack that sources and sinks name.
    package var stackErrors: [JSONError] {
        do throws(JSONErrors) {
            _ = try connectorStack()
            return []
        } catch {
            return error.errors
        }
    }

    /// Returns the document as a filter stack that sources and sinks name. A request has all filters that any of them has.
    ///
    /// - Throws: `JSONErrors` with all errors.
    package func connectorStack() throws(JSONErrors) -> StackDocument {
        let document = try StackDocument(parsing: text)
        _ = try ConnectorStack(document, of: .source)
        return document
    }

    /// The likely mistakes in the order of the filters of a stack; empty for a stream. The source or the sink performs the
    /// retry, around all of them.
    package var stackFindings: [StackFinding] {
        guard isStack, let stack = try? connectorStack() else { return [] }
        return stack.withoutRetry.lint()
    }

    /// The ids and names of the streams that the document refers to, and the references to the filter stacks that its sources
    /// and sinks name, each once.
    package var dependencies: [String] {
        let named = ["request", "poll", "events"].flatMap { pipeline.texts(of: Parameter.stack.name, ofSource: $0) }
        let stacks = named + sinks.compactMap(\.stackName)
        if stacks.isEmpty { return pipeline.references }
        var known: Set<String> = []
        return (pipeline.references + stacks.map(Self.stackReference)).filter { known.insert($0).inserted }
    }

    /// Returns the text by which documents refer to a filter stack, which differs from that of a stream with its id or name.
    package static func stackReference(_ id: String) -> String { "\u{0}stack \(id)" }
}

extension StreamSink {
    /// The id of the filter stack that the sink names; `nil` if it names none.
    fileprivate var stackName: String? {
        guard case .json(let json) = arguments[Parameter.stack.name] else { return nil }
        return json.string
    }
}
