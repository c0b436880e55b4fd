public import SluiceJSON

extension StreamDocument {
    /// Creates a document from its parts, with canonical text.
    ///
    /// ```swift
    /// let document = StreamDocument(
    ///     name: "Even",
    ///     pipeline: StreamPipeline(source: .reference("numbers"), operators: [.filter("x % 2 == 0")])
    /// )
    /// ```
    ///
    /// ``errors`` contains the errors in the parts.
    public init(
        id: String? = nil,
        revision: Int? = nil,
        name: String? = nil,
        description: String? = nil,
        isDefault: Bool = false,
        behind: BehindPolicy? = nil,
        isGated: Bool = false,
        partition: StreamPartition? = nil,
        parameters: [String: JSON] = [:],
        pipeline: StreamPipeline,
        sinks: [StreamSink] = [],
        tests: [StreamTest] = []
    ) {
        var writer = DocumentWriter()
        writer.member("id", id)
        writer.member("revision", revision)
        writer.member("name", name)
        writer.member("description", description)
        if isDefault { writer.member("isDefault", true) }
        writer.member("behind", behind?.rawValue)
        if isGated { writer.member("gate", true) }
        writer.member("partition", partition)
        writer.parameters(parameters)
        writer.pipeline(pipeline)
        writer.lines("sinks", sinks)
        writer.lines("tests", tests)
        self.init(trusted: writer.text)
    }

    /// The canonical text: known keys in the order of the documentation, then others in their original order; one line
    /// for each operator, sink, item, and test, so that a change of one changes one line. Unknown parts are written byte for
    /// byte.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    public var canonicalText: String {
        var writer = DocumentWriter()
        if hasSchema { writer.member("schema", DocumentReader.schema) }
        writer.member("id", id)
        writer.member("revision", revision)
        writer.member("name", name)
        writer.member("description", description)
        if isDefault { writer.member("isDefault", true) }
        writer.member("behind", writtenBehind?.rawValue)
        writer.member("gate", writtenGate)
        writer.member("partition", partition)
        writer.parameters(parameters)
        if hasSource { writer.pipeline(pipeline) }
        writer.lines("sinks", sinks)
        writer.lines("tests", writtenTests)
        for member in kept { writer.member(member.key, member.value) }
        return writer.text
    }
}

/// A writer of documents: one line for each member, and for each element of a long array.
private struct DocumentWriter {
    private var members: [String] = []

    var text: String { "{\n  " + members.joined(separator: ",\n  ") + "\n}\n" }

    mutating func member(_ key: String, _ value: (some JSONWritable)?) {
        guard let value else { return }
        members.append("\(JSON.string(key)): \(Self.text(value))")
    }

    mutating func lines(_ key: String, _ values: [some JSONWritable]) {
        if values.isEmpty { return }
        let lines = values.map { "    " + Self.text($0) }
        members.append("\(JSON.string(key)): [\n" + lines.joined(separator: ",\n") + "\n  ]")
    }

    mutating func parameters(_ parameters: [String: JSON]) {
        if parameters.isEmpty { return }
        var object: JSON.Object = [:]
        for (key, value) in parameters.sorted(by: { $0.key < $1.key }) { object[key] = value }
        member("parameters", JSON.object(object))
    }

    mutating func pipeline(_ pipeline: StreamPipeline) {
        member("item", pipeline.item?.json)
        if pipeline.isShort, case .named(let source) = pipeline.source,
            case .items(let items) = source.arguments["items"]
        {
            if items.isEmpty { member("stream", items) } else { lines("stream", items) }
        } else {
            member("source", pipeline.source)
        }
        lines("operators", pipeline.operators)
    }

    private static func text(_ value: some JSONWritable) -> String {
        var writer = JSONWriter()
        value.write(to: &writer)
        return writer.text
    }
}

extension StreamTest: JSONWritable {
    /// Writes the test.
    public func write(to json: inout JSONWriter) {
        if let unread { return json.value(unread) }
        json.object { json in
            json.member("name", name)
            if frame != 0.001 { json.member("frame", frame) }
            if !inputs.isEmpty { json.member("inputs", Self.object(inputs.mapValues(\.json))) }
            if !values.isEmpty { json.member("values", Self.object(values)) }
            json.member("expect", ifPresent: expect)
            if !delivers.isEmpty || expect == nil {
                json.member("delivers", Self.object(delivers.mapValues { .string($0) }))
            }
            if let now { json.member("now", now) }
            for member in kept { json.member(key: member.key, member.value) }
        }
    }

    private static func object(_ members: [String: JSON]) -> JSON {
        var object: JSON.Object = [:]
        for (key, value) in members.sorted(by: { $0.key < $1.key }) { object[key] = value }
        return .object(object)
    }
}

extension StreamSource {
    /// Returns a source that refers to another stream, by its id or its unique name.
    public static func reference(_ id: String) -> StreamSource {
        .named(NamedSource(.reference, ["id": .string(id)]))
    }

    /// Returns a source that gives values immediately.
    public static func values(_ values: [JSON]) -> StreamSource {
        .named(NamedSource(.values, ["values": .json(.array(values))]))
    }
}
