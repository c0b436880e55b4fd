public import SluiceJSON

extension Operator: JSONWritable {
    /// Writes the operator in canonical form: `id`, `note`, `disabled`, its name, then its other members. An unknown
    /// operator is written byte for byte.
    public func write(to json: inout JSONWriter) { writePart(to: &json) }
}

extension Operator: JSONReadable {
    /// Reads an operator.
    ///
    /// - Throws: `JSONError` with path and position; it names an unknown operator.
    public init(json: JSONNode) throws {
        if let seconds = Self.plainDelay(json) {
            self = .delay(seconds: seconds)
            return
        }
        var reader = DocumentReader()
        let read = reader.operator(json)
        if let error = reader.check.errors.first { throw error }
        guard let read else { throw JSONError(.invalidValue, "no operator", at: json) }
        self = read
    }
}

extension Operator {
    /// Returns the seconds of a delay without other members, which recordings contain by the thousand.
    private static func plainDelay(_ json: JSONNode) -> Double? {
        guard json.count == 1, let arguments = json["delay"], arguments.count == 1,
            let node = arguments["seconds"], node.kind == .number
        else { return nil }
        return node.double
    }
}

extension Operator: Codable {
    /// Reads an operator from its object.
    ///
    /// - Throws: `DecodingError` that names an unknown operator, and the place.
    public init(from decoder: any Decoder) throws {
        let json = try JSON(from: decoder)
        do {
            try self.init(json: JSONDocument(parsing: json.text()).root)
        } catch let error as JSONError {
            let text = error.message + (error.hint.map { " (\($0))" } ?? "")
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
    }

    /// Writes the operator as an object with its name as a key.
    public func encode(to encoder: any Encoder) throws {
        var writer = JSONWriter()
        write(to: &writer)
        try JSON(parsing: writer.text).encode(to: encoder)
    }
}

/// The object of an operator's or a source's arguments, in the order of its parameters.
struct WrittenArguments: JSONWritable {
    private let parameters: [Parameter]
    private let arguments: [String: Argument]
    private let kept: [KeptMember]

    init(_ parameters: [Parameter], _ arguments: [String: Argument], _ kept: [KeptMember]) {
        self.parameters = parameters
        self.arguments = arguments
        self.kept = kept
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            for parameter in parameters {
                if let argument = arguments[parameter.name] { json.member(key: parameter.name, argument) }
            }
            for member in kept { json.member(key: member.key, member.value) }
        }
    }
}

extension Argument: JSONWritable {
    func write(to json: inout JSONWriter) {
        switch self {
        case .json(let value): json.value(value)
        case .source(let source): json.value(source)
        case .sources(let sources): json.value(sources)
        case .operators(let operators): json.value(operators)
        case .items(let items): json.value(items)
        }
    }
}

extension StreamSource: JSONWritable {
    /// Writes the source in canonical form.
    public func write(to json: inout JSONWriter) {
        switch self {
        case .pipeline(let pipeline): json.object { pipeline.writeMembers(to: &$0) }
        case .named(let source): json.value(source)
        }
    }
}

extension NamedSource: JSONWritable {
    /// Writes the source in canonical form, without an object around an argument that may be given alone.
    public func write(to json: inout JSONWriter) {
        if let unknown { return json.value(unknown) }
        json.object { json in
            if let bare = kind?.bare, let argument = arguments[bare], arguments.count == 1, keptArguments.isEmpty {
                json.member(key: name, argument)
            } else {
                json.member(key: name, WrittenArguments(kind?.parameters ?? [], arguments, keptArguments))
            }
            for member in kept { json.member(key: member.key, member.value) }
        }
    }
}

extension StreamPipeline {
    /// Writes its members into an object.
    func writeMembers(to json: inout JSONWriter) {
        json.member("item", ifPresent: item?.json)
        if isShort, case .named(let source) = source, case .items(let items) = source.arguments["items"] {
            json.member("stream", items)
        } else {
            json.member("source", source)
        }
        if !operators.isEmpty { json.member("operators", operators) }
        for member in kept { json.member(key: member.key, member.value) }
    }
}
