public import SluiceJSON

/// A sink as data: a receiver of a stream's outputs, and the rules of delivery.
///
/// In JSON it is an object with one key that names it: `{"post": {"url": "https://hooks.example.com/T1"}}`, optionally
/// with `id`, `note`, `disabled`, and keys that begin with `x-`.
///
/// ```swift
/// let document = try StreamDocument(parsing: #"""
///     {"source": {"values": [1]}, "sinks": [{"id": "hook", "post": {"url": "https://example.com/"}}]}
///     """#)
/// document.sinks.map(\.name)  // ["post"]
/// ```
public struct StreamSink: Sendable, Hashable, NamedPart {
    /// The identity of the sink through all edits: a sink that keeps its id keeps its cursor.
    public var id: String?
    /// A note of its author.
    public var note: String?
    /// A Boolean value that indicates whether deliveries are held back. The outputs wait.
    public var isDisabled = false
    /// Its name in canonical text.
    public let name: String
    /// The arguments, by the keys of their parameters.
    var arguments: [String: Argument]
    /// Further members next to its name.
    var kept: [KeptMember] = []
    /// Further members among its parameters.
    var keptArguments: [KeptMember] = []
    /// The whole sink as it appeared in its text, if it can't be read.
    var unknown: JSONSlice?

    /// Creates a sink of a known kind; arguments that are `nil` are omitted.
    init(_ kind: SinkKind, _ arguments: [String: Argument?]) {
        name = kind.name
        self.arguments = arguments.compactMapValues(\.self)
    }

    /// Keeps a sink that can't be read.
    init(unknown: JSONSlice, name: String) {
        self.name = name
        arguments = [:]
        self.unknown = unknown
    }
}

extension StreamSink: JSONWritable {
    /// Writes the sink in canonical form: `id`, `note`, `disabled`, its name, then its other members. An unknown sink is
    /// written byte for byte.
    public func write(to json: inout JSONWriter) { writePart(to: &json) }
}

extension [StreamSink] {
    /// Returns the sinks with an id for each: a sink without one gets an id from its name, `post`, `post-2`.
    ///
    /// - Parameter taken: The ids of the document's operators.
    /// - Complexity: O(*n*) in the number of sinks and taken ids.
    func identified(besides taken: Set<String>) -> [StreamSink] {
        var names = Naming()
        names.taken = taken.union(compactMap(\.id))
        return map { sink in
            guard sink.unknown == nil, sink.id == nil else { return sink }
            var copy = sink
            copy.id = names.id(for: sink.name)
            return copy
        }
    }
}
