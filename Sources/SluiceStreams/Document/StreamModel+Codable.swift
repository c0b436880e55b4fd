import Foundation

extension StreamModel {
    private enum CodingKeys: CodingKey {
        case id, name, description, stream, source, operators, isDefault
    }

    static var oneOfBoth: String {
        "\"stream\" is short for \"source\": {\"stream\": […]}: there may be one of both"
    }

    /// Reads a stream.
    ///
    /// - Throws: `DecodingError` with the place.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let source = try container.decodeIfPresent(StreamSource.self, forKey: .source)
        if source != nil, container.contains(.stream) {
            throw DecodingError.dataCorruptedError(forKey: .stream, in: container, debugDescription: Self.oneOfBoth)
        }
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeIfPresent(String.self, forKey: .name),
            description: try container.decodeIfPresent(String.self, forKey: .description),
            stream: source == nil ? try container.decode([StreamItem<Value>].self, forKey: .stream) : [],
            operators: try container.decodeIfPresent([Operator].self, forKey: .operators),
            isDefault: try container.decodeIfPresent(Bool.self, forKey: .isDefault)
        )
        self.source = source
    }

    /// Writes the stream; what is `nil` is left out.
    ///
    /// - Throws: `EncodingError` for a value that JSON cannot hold, and where there are items and a source.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if let problem = failure ?? (source != nil && !stream.isEmpty ? Self.oneOfBoth : nil) {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(codingPath: encoder.codingPath, debugDescription: problem)
            )
        }
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(description, forKey: .description)
        if let source {
            try container.encode(source, forKey: .source)
        } else {
            try container.encode(stream, forKey: .stream)
        }
        try container.encodeIfPresent(operators, forKey: .operators)
        try container.encodeIfPresent(isDefault, forKey: .isDefault)
    }
}
