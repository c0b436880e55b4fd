import SluiceJSON

extension StreamModel {
    static var oneOfBoth: String {
        "\"stream\" is short for \"source\": {\"stream\": […]}: there may be one of both"
    }

    /// Reads a stream.
    ///
    /// - Throws: `DecodingError` with the place.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MemberKey.self)
        let source = try container.decodeIfPresent(StreamSource.self, forKey: "source")
        if source != nil, container.contains("stream") {
            throw DecodingError.dataCorruptedError(forKey: "stream", in: container, debugDescription: Self.oneOfBoth)
        }
        self.init(
            documentID: try container.decodeIfPresent(String.self, forKey: "id") ?? "",
            name: try container.decodeIfPresent(String.self, forKey: "name"),
            description: try container.decodeIfPresent(String.self, forKey: "description"),
            stream: source == nil ? try container.decode([StreamItem<Value>].self, forKey: "stream") : [],
            operators: try container.decodeIfPresent([Operator].self, forKey: "operators"),
            isDefault: try container.decodeIfPresent(Bool.self, forKey: "isDefault")
        )
        self.source = source
        kept = try container.kept(besides: Self.known)
    }

    /// Writes the stream with all members of its document; members that are `nil` are omitted.
    ///
    /// - Throws: `EncodingError` for a value that JSON can't hold, and if there are both items and a source.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberKey.self)
        if let problem {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(codingPath: encoder.codingPath, debugDescription: problem)
            )
        }
        try container.encode(kept(before: "id"))
        if !documentID.isEmpty { try container.encode(documentID, forKey: "id") }
        try container.encode(kept(before: "name"))
        try container.encodeIfPresent(name, forKey: "name")
        try container.encodeIfPresent(description, forKey: "description")
        try container.encodeIfPresent(isDefault, forKey: "isDefault")
        try container.encode(kept(before: "source"))
        if let source {
            try container.encode(source, forKey: "source")
        } else {
            try container.encode(stream, forKey: "stream")
        }
        try container.encodeIfPresent(operators, forKey: "operators")
        try container.encode(kept(before: nil))
    }
}
