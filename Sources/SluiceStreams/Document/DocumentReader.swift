import SluiceJSON

extension JSONValidator {
    /// Returns a text, or `nil` for `null`.
    mutating func optionalString(_ node: JSONNode?) -> String? { node?.isNull == true ? nil : string(node) }
}

/// A reader of the parts of a stream document, which checks only their form; the compiler checks their content.
struct DocumentReader {
    /// The schema of documents of this version.
    static let schema = "sluice.stream/1"
    /// The keys of a document, in the order of canonical text.
    static let keys = [
        "schema", "id", "revision", "name", "description", "isDefault", "behind", "gate", "partition",
        "parameters", "item", "source", "stream", "operators", "sinks", "tests",
    ]
    /// The keys that are allowed in addition to the name of an operator.
    static let besides = ["id", "note", "disabled"]
    /// The greatest depth of nested streams; deeper ones are not read.
    static let depth = StreamCompiler.Limits.depth * 2

    var check = JSONValidator(limit: StreamCompiler.Limits.issues)
    private var level = 0
    /// The operators' ids, each where it was found first.
    private var ids: [String: JSONNode] = [:]

    // MARK: Pipelines

    /// Returns a pipeline whose members have been checked.
    mutating func pipeline(_ fields: JSONFields) -> StreamPipeline? {
        if fields["source"] != nil, let short = fields.known["stream"] {
            check.note(
                at: short.keyNode,
                "\"stream\" is short for \"source\": {\"stream\": […]}: there may be one of both",
                hint: "remove one"
            )
        }
        let item = fields["item"].flatMap { itemType($0) }
        let source: StreamSource?
        if let node = fields["source"] {
            source = self.source(node)
        } else if let node = fields["stream"] {
            source = items(node).map { .named(NamedSource(.stream, ["items": .items($0)])) }
        } else {
            check.note(.missingKey, at: fields.node, "the key \"source\" is missing", hint: "or \"stream\"")
            source = nil
        }
        let operators = operators(fields["operators"])
        guard let source else { return nil }
        var pipeline = StreamPipeline(source: source, operators: operators, item: item)
        pipeline.isShort = fields["source"] == nil
        return pipeline
    }

    /// Returns the type of items, given by its name or as a schema.
    private mutating func itemType(_ node: JSONNode) -> ItemType? {
        switch node.kind {
        case .object: return SchemaReader.schema(node, &check).map { .schema($0) }
        case .string: return check.string(node, oneOf: ItemType.named.map(\.name)).flatMap { ItemType($0) }
        default:
            let names = ItemType.named.map(\.name).joined(separator: ", ")
            check.note(.wrongType, at: node, "expected a type or a schema", hint: "one of: \(names), or a JSON Schema")
            return nil
        }
    }

    /// Returns a source, given by its name or as a pipeline.
    mutating func source(_ node: JSONNode) -> StreamSource? {
        guard enter(node) else { return nil }
        defer { level -= 1 }
        if node.kind == .object, node["source"] != nil || node["operators"] != nil {
            let keys = ["item", "source", "stream", "operators"]
            return check.object(node, keys: keys).flatMap { fields in
                guard var pipeline = pipeline(fields) else { return nil }
                pipeline.kept = fields.others.map { KeptMember(key: $0.key, value: JSONSlice($0.value)) }
                return .pipeline(pipeline)
            }
        }
        guard let member = check.namedMember(node, names: SourceKind.names, ignored: ["note"], what: "source")
        else { return nil }
        guard let kind = SourceKind.named[member.key] else {
            return .named(NamedSource(unknown: JSONSlice(node), name: member.key))
        }
        var kept: [KeptMember] = []
        let arguments = arguments(member.value, kind.parameters, bare: kind.bare, keeping: &kept)
        guard let arguments else { return nil }
        var source = NamedSource(kind, arguments)
        source.keptArguments = kept
        source.kept = node.kept(besides: [member.key])
        return .named(source)
    }

    /// Returns operators; unreadable ones are reported and kept, so that the positions of the others don't change.
    mutating func operators(_ node: JSONNode?) -> [Operator] {
        check.elements(node).map { self.operator($0) ?? Operator(unknown: JSONSlice($0), name: "") }
    }

    /// Returns an operator.
    mutating func `operator`(_ node: JSONNode) -> Operator? {
        guard enter(node) else { return nil }
        defer { level -= 1 }
        return part(node)
    }

    /// Returns sinks; unreadable ones are reported and kept, so that the positions of the others don't change.
    mutating func sinks(_ node: JSONNode?) -> [StreamSink] {
        check.elements(node).map { part($0) ?? StreamSink(unknown: JSONSlice($0), name: "") }
    }

    /// Returns an operator or a sink.
    private mutating func part<Part: NamedPart>(_ node: JSONNode) -> Part? {
        let (names, noun) = (Part.Kind.names, Part.Kind.noun)
        guard let member = check.namedMember(node, names: names, ignored: Self.besides, what: noun) else { return nil }
        guard let kind = Part.Kind.named[member.key] else { return Part(unknown: JSONSlice(node), name: member.key) }
        var kept: [KeptMember] = []
        guard let arguments = arguments(member.value, kind.parameters, bare: nil, keeping: &kept) else { return nil }
        var part = Part(kind, arguments)
        part.keptArguments = kept
        let isDisabled = check.bool(node["disabled"])
        part.id = check.string(node["id"])
        part.note = check.string(node["note"])
        part.isDisabled = isDisabled ?? false
        part.kept = node.kept(besides: Self.besides + [member.key])
        if let id = part.id, let place = node["id"] { note(id, at: place) }
        // A part with a member of the wrong kind is kept unchanged.
        let isWhole =
            (part.id != nil || node["id"] == nil) && (part.note != nil || node["note"] == nil)
            && (isDisabled != nil || node["disabled"] == nil)
        return isWhole ? part : nil
    }

    /// Records an error for an id that another operator or sink of the document has.
    private mutating func note(_ id: String, at node: JSONNode) {
        guard let first = ids.updateValue(node, forKey: id) else { return }
        ids[id] = first
        let message = "the id \(JSON.string(id)) is taken: ids are unique within a document"
        check.note(at: node, message, hint: "\(first.path) has it; choose another")
    }

    // MARK: Arguments

    private mutating func arguments(
        _ node: JSONNode,
        _ parameters: [Parameter],
        bare: String?,
        keeping kept: inout [KeptMember]
    ) -> [String: Argument]? {
        if let bare, let parameter = parameters.first(where: { $0.name == bare }), isBare(node, parameters) {
            return argument(node, parameter).map { [bare: $0] }
        }
        let keys = parameters.map(\.name)
        let required = parameters.filter(\.isRequired).map(\.name)
        guard let fields = check.object(node, keys: keys, required: required) else { return nil }
        kept = fields.others.map { KeptMember(key: $0.key, value: JSONSlice($0.value)) }
        var arguments: [String: Argument] = [:]
        var isComplete = required.allSatisfy { fields[$0] != nil }
        for parameter in parameters {
            guard let node = fields[parameter.name] else { continue }
            guard let argument = argument(node, parameter) else {
                isComplete = false
                continue
            }
            arguments[parameter.name] = argument
        }
        return isComplete ? arguments : nil
    }

    /// Returns a Boolean value that indicates whether a value is the one parameter that may be given alone, and not the
    /// object of all.
    private func isBare(_ node: JSONNode, _ parameters: [Parameter]) -> Bool {
        guard node.kind == .object else { return true }
        return node.members.contains { member in parameters.contains { $0.name == member.key } }
            ? false : node.count > 0
    }

    private mutating func argument(_ node: JSONNode, _ parameter: Parameter) -> Argument? {
        switch parameter.form {
        case .source: source(node).map { .source($0) }
        case .sources: check.expect(.array, node) ? .sources(node.elements.map { source($0) ?? Self.unread($0) }) : nil
        case .operators: check.expect(.array, node) ? .operators(operators(node)) : nil
        case .items: items(node).map { .items($0) }
        case .count, .seconds: isParameter(node) || check.expect(.number, node) ? value(node).map { .json($0) } : nil
        case .bool: isParameter(node) || check.expect(.bool, node) ? value(node).map { .json($0) } : nil
        default: value(node).map { .json($0) }
        }
    }

    /// Returns a Boolean value that indicates whether a text refers to a parameter of the document: `"${low}"`.
    private func isParameter(_ node: JSONNode) -> Bool {
        guard let text = node.string else { return false }
        return text.hasPrefix("${") && text.hasSuffix("}")
    }

    /// Returns the items of a `stream` source.
    private mutating func items(_ node: JSONNode) -> [StreamItem<JSON>]? {
        guard check.expect(.array, node) else { return nil }
        return node.elements.map { node in
            if let item = item(node) { return item }
            var item = StreamItem<JSON>(value: .null)
            item.unread = JSONSlice(node)
            return item
        }
    }

    /// Returns a placeholder for a source that could not be read, so that the positions of the others don't change.
    private static func unread(_ node: JSONNode) -> StreamSource {
        .named(NamedSource(unknown: JSONSlice(node), name: ""))
    }

    private mutating func item(_ node: JSONNode) -> StreamItem<JSON>? {
        guard let fields = check.object(node, keys: ["value", "operators"], required: ["value"]) else { return nil }
        if let node = fields["operators"], !check.expect(.array, node) { return nil }
        let operators = operators(fields["operators"])
        guard let value = fields["value"].flatMap({ value($0) }) else {
            // The operators are read nevertheless, so that their errors are reported with this one.
            var item = StreamItem<JSON>(value: .null, operators: operators)
            item.unread = JSONSlice(node)
            return item
        }
        var item = StreamItem(value: value, operators: operators)
        item.kept = fields.others.map { KeptMember(key: $0.key, value: JSONSlice($0.value)) }
        return item
    }

    // MARK: Values

    /// Returns any value whose numbers the engine can hold.
    mutating func value(_ node: JSONNode) -> JSON? {
        var (isFine, pending) = (true, [node])
        while let node = pending.popLast() {
            pending.append(contentsOf: node.elements)
            pending.append(contentsOf: node.members.map(\.value))
            guard node.kind == .number else { continue }
            // Each records the error of a number that does not fit.
            isFine = (node.isWholeNumber ? check.int(node) != nil : check.double(node) != nil) && isFine
        }
        return isFine ? check.json(node) : nil
    }

    private mutating func enter(_ node: JSONNode) -> Bool {
        guard level < Self.depth else {
            check.note(at: node, "streams are nested more than \(StreamCompiler.Limits.depth) deep")
            return false
        }
        level += 1
        return true
    }
}
