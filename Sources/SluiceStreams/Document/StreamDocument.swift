public import SluiceJSON

/// A stream document, as stored in a file, the store, or the hub.
///
/// ```swift
/// let document = try StreamDocument(parsing: #"""
///     {"name": "Ticks", "stream": [{"value": 1, "operators": [{"delay": {"seconds": 1}}]}]}
///     """#)
/// document.name                                           // Ticks
/// try document.virtualEvents().map(\.time.seconds)        // [1, 1]: the value, the completion
/// ```
///
/// The JSON of the seed's `StreamModel` is a valid document; values may be any JSON.
public struct StreamDocument: Sendable {
    /// The document as its author wrote it.
    public private(set) var text: String
    /// The identity of the document through all edits; a file may omit it.
    public private(set) var id: String?
    /// The number of times that it has been written, from 1; a file may omit it.
    public private(set) var revision: Int?
    /// The display name.
    public private(set) var name: String?
    /// A description of its purpose.
    public private(set) var description: String?
    /// A Boolean value that indicates whether the document is part of the program's distribution.
    public private(set) var isDefault = false
    /// The treatment of a run that can't keep up; ``BehindPolicy/slow`` where the document says nothing.
    public var behind: BehindPolicy { writtenBehind ?? .slow }
    private(set) var writtenBehind: BehindPolicy?
    /// A Boolean value that indicates whether a hub stores the document only if its tests pass.
    public var isGated: Bool { writtenGate ?? false }
    private(set) var writtenGate: Bool?
    /// The division of the stream among workers of a cluster; `nil` for one that is not divided.
    public private(set) var partition: StreamPartition?
    /// The parameters that can be set when it is run or referred to, with their defaults; `${low}` refers to one.
    public private(set) var parameters: [String: JSON] = [:]
    /// The source and the operators.
    public private(set) var pipeline = StreamPipeline(source: .named(NamedSource(.never)))
    /// The receivers of its outputs.
    public private(set) var sinks: [StreamSink] = []
    /// The tests of the document.
    public var tests: [StreamTest] { writtenTests.filter { $0.unread == nil } }
    /// The tests, including those that can't be read.
    private(set) var writtenTests: [StreamTest] = []
    /// A Boolean value that indicates whether it names its schema.
    private(set) var hasSchema = false
    /// A Boolean value that indicates whether its source could be read.
    private(set) var hasSource = true
    /// Members that are unknown, or that can't be read.
    private(set) var kept: [KeptMember] = []
    /// The errors of the document, which is kept but can't run; `nil` without errors.
    public private(set) var errors: JSONErrors?

    /// The items of a `stream` source; empty for another source.
    public var stream: [StreamItem<JSON>] {
        guard case .named(let source) = pipeline.source, case .items(let items) = source.arguments["items"]
        else { return [] }
        return items
    }

    /// The document without operators, sinks, and tests, and without their errors.
    var sourceAlone: StreamDocument {
        var alone = self
        (alone.pipeline.operators, alone.sinks, alone.writtenTests) = ([], [], [])
        let own = (errors?.errors ?? []).filter { error in
            guard case .key(let key)? = error.path.components.first else { return true }
            return !["operators", "sinks", "tests"].contains(key)
        }
        alone.errors = own.isEmpty ? nil : JSONErrors(own)
        return alone
    }

    /// Reads a document and checks all of it except where references lead.
    ///
    /// - Throws: `JSONErrors` with all errors at once (the first hundred), each with path, line, and column.
    /// - Complexity: O(*n*) in the length of the text; O(*n*) more for each error.
    public init(parsing text: String) throws(JSONErrors) {
        try self.init(parsing: Array(text.utf8))
    }

    /// Reads a document from its UTF-8 bytes and checks all of it except where references lead.
    ///
    /// - Throws: `JSONErrors`, as ``init(parsing:)-(String)`` does.
    /// - Complexity: O(*n*) in the number of bytes; O(*n*) more for each error.
    public init(parsing bytes: [UInt8]) throws(JSONErrors) {
        try self.init(preserving: bytes)
        if let errors { throw errors }
    }

    /// Reads the readable parts of a document and keeps the rest, for programs that store, list, or forward documents;
    /// ``errors`` contains its errors.
    ///
    /// - Throws: `JSONErrors` if it is not JSON, or not an object.
    /// - Complexity: O(*n*) in the number of bytes; O(*n*) more for each error.
    public init(preserving bytes: [UInt8]) throws(JSONErrors) {
        text = String(decoding: bytes, as: UTF8.self)
        try read(bytes)
    }

    /// Reads a document, as ``init(preserving:)`` does, and compiles nothing: arguments and
    /// expressions are checked by ``CompiledDocument``.
    ///
    /// - Throws: `JSONErrors` when it isn't JSON at all, or no object.
    /// - Complexity: O(*n*) in the number of bytes; O(*n*) more for each error.
    package init(reading bytes: [UInt8]) throws(JSONErrors) {
        text = String(decoding: bytes, as: UTF8.self)
        try read(bytes, isCompiled: false)
    }

    /// Creates a document from a text that Sluice has written.
    init(trusted text: String) {
        self.text = text
        do throws(JSONErrors) { try read(Array(text.utf8)) } catch { errors = error }
    }

    /// Returns the document in its stored form: with this id, and an id for each operator and sink that lacks one. If nothing is
    /// missing, the author's text is unchanged.
    ///
    /// ```swift
    /// let document = try StreamDocument(parsing: #"{"source": {"values": [1]}, "operators": [{"count": {}}]}"#)
    /// document.identified(as: "a").pipeline.operators.map(\.id)  // ["count"]
    /// ```
    ///
    /// - Complexity: O(*n*) in the length of the text.
    public func identified(as id: String) -> StreamDocument {
        var copy = self
        copy.id = id
        copy.kept.removeAll { $0.key == "id" }
        copy.pipeline = pipeline.identified()
        var taken: Set<String> = []
        copy.pipeline.forEachOperator { if let id = $0.id { taken.insert(id) } }
        copy.sinks = sinks.identified(besides: taken)
        if self.id == id, copy.pipeline == pipeline, copy.sinks == sinks { return self }
        copy.text = copy.canonicalText
        // The places of errors are those in the text.
        return errors == nil ? copy : StreamDocument(trusted: copy.text)
    }

    /// Changes the pipeline and the tests, and writes the text again in its canonical form; if nothing differs, the text is
    /// unchanged.
    mutating func changeStream(_ change: (inout StreamPipeline, inout [StreamTest]) -> Void) {
        let old = (pipeline, writtenTests)
        change(&pipeline, &writtenTests)
        if pipeline != old.0 || writtenTests != old.1 { text = canonicalText }
    }

    private mutating func read(_ bytes: [UInt8], isCompiled: Bool = true) throws(JSONErrors) {
        DocumentWork.current?.countParse()
        let root: JSONNode
        do {
            root = try JSONDocument(parsing: bytes).root
        } catch {
            throw JSONErrors([error])
        }
        var reader = DocumentReader()
        guard let fields = reader.check.object(root, keys: DocumentReader.keys) else {
            throw JSONErrors(reader.check.errors)
        }
        read(fields, &reader)
        if isCompiled, reader.check.errors.count < StreamCompiler.Limits.issues {
            DocumentWork.current?.countCompile()
            let compiler = StreamCompiler()
            let scope = CompilationScope(parameters: parameters)
            let flow = compiler.pipeline(pipeline, scope)
            _ = compiler.compile(sinks, for: flow.item, scope)
            if let partition { compiler.key(of: partition, scope) }
            for issue in compiler.issues { reader.check.note(JSONError(issue, in: root)) }
        }
        do { try reader.check.throwErrors() } catch { errors = error }
    }

    private mutating func read(_ fields: JSONFields, _ reader: inout DocumentReader) {
        hasSchema = reader.check.string(fields["schema"], oneOf: [DocumentReader.schema]) != nil
        kept = fields.others.map { KeptMember(key: $0.key, value: JSONSlice($0.value)) }
        id = reader.check.string(fields["id"])
        revision = reader.check.int(fields["revision"], in: 1...Int.max)
        name = reader.check.optionalString(fields["name"])
        description = reader.check.optionalString(fields["description"])
        isDefault = reader.check.bool(fields["isDefault"]) ?? false
        writtenBehind = reader.check.string(fields["behind"], oneOf: BehindPolicy.allCases.map(\.rawValue))
            .flatMap(BehindPolicy.init)
        writtenGate = reader.check.bool(fields["gate"])
        partition = reader.partition(fields["partition"])
        if let node = fields["parameters"], reader.check.expect(.object, node) {
            let values = node.members.compactMap { member in reader.value(member.value).map { (member.key, $0) } }
            if values.count == node.count { parameters = Dictionary(values) { first, _ in first } }
        }
        writtenTests = reader.check.elements(fields["tests"]).map { reader.test($0) }
        if let read = reader.pipeline(fields) { pipeline = read } else { hasSource = false }
        sinks = reader.sinks(fields["sinks"])
        if writtenTests.contains(where: { $0.unread != nil || !$0.delivers.isEmpty }) {
            reader.checkDeliveries(fields["tests"], of: sinkIDs + writtenSinkIDs(fields["sinks"]))
        }
        kept += unread(fields)
    }

    /// The ids of the sinks as a hub stores them, in the order of the document.
    var sinkIDs: [String] {
        var taken: Set<String> = []
        pipeline.identified().forEachOperator { if let id = $0.id { taken.insert(id) } }
        return sinks.identified(besides: taken).compactMap(\.id)
    }

    /// Returns the ids of sinks that can't be read.
    private func writtenSinkIDs(_ node: JSONNode?) -> [String] {
        guard let node, node.kind == .array else { return [] }
        return zip(sinks, node.elements).compactMap { sink, node in
            sink.unknown != nil && node.kind == .object ? node["id"]?.string : nil
        }
    }

    /// Returns the members that can't be read and of which nothing else is kept.
    private func unread(_ fields: JSONFields) -> [KeptMember] {
        func isRead(_ key: String, _ node: JSONNode) -> Bool {
            switch key {
            case "schema": hasSchema
            case "id": id != nil
            case "revision": revision != nil
            case "name": name != nil || node.isNull
            case "description": description != nil || node.isNull
            case "isDefault": node.kind == .bool
            case "behind": writtenBehind != nil
            case "gate": writtenGate != nil
            case "partition": partition != nil
            case "parameters": node.kind == .object && parameters.count == node.count
            case "item": pipeline.item != nil
            case "source": hasSource
            case "stream": hasSource && pipeline.isShort
            case "operators": hasSource && node.kind == .array
            case "sinks", "tests": node.kind == .array
            default: true
            }
        }
        return DocumentReader.keys.compactMap { key in
            guard let node = fields[key], !isRead(key, node) else { return nil }
            return KeptMember(key: key, value: JSONSlice(node))
        }
    }
}

extension JSONError {
    /// Creates the error of a compiler's issue, at its place in the text of the document.
    init(_ issue: StreamCompiler.Issue, in root: JSONNode) {
        let (node, isExact) = root.nearest(to: issue.path)
        var error = JSONError(.invalidValue, issue.message, hint: issue.hint, at: node)
        if isExact, node.kind == .string,
            let distance = ExpressionPlace.distance(
                in: node.sourceText,
                of: node.string ?? "",
                line: issue.line,
                column: issue.column
            )
        {
            let place = node.position
            let position = JSONPosition(line: place.line, column: place.column + distance, offset: place.offset)
            error = JSONError(.invalidValue, issue.message, hint: issue.hint, path: node.path, at: position)
        }
        self = error
    }
}

extension JSONNode {
    /// Returns the value at a path, or its nearest existing ancestor: names of operators and sources may be written as
    /// synonyms, and a lone argument without its object.
    func nearest(to path: JSONPath) -> (node: JSONNode, isExact: Bool) {
        var node = self
        for component in path.components {
            switch component {
            case .index(let index):
                guard let next = node[index] else { return (node, false) }
                node = next
            case .key(let key):
                if let next = node[key] {
                    node = next
                } else if let synonym = synonyms(of: key).first(where: { node[$0] != nil }), let next = node[synonym] {
                    node = next
                }
            }
        }
        return (node, true)
    }

    private func synonyms(of name: String) -> [String] {
        (OperatorKind.named[name]?.synonyms ?? []) + (SourceKind.named[name]?.synonyms ?? [])
    }
}
