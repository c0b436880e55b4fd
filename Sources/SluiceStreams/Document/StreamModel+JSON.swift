public import SluiceJSON

extension StreamModel: JSONReadable where Value: JSONReadable {
    /// Reads a stream.
    ///
    /// - Throws: `JSONError` with path and position.
    public init(json: JSONNode) throws {
        var object = try json.object()
        let id: String? = try object[ifPresent: "id"]
        let source: StreamSource? = try object[ifPresent: "source"]
        if source != nil, let node = json["stream"] {
            throw JSONError(.invalidValue, StreamModel.oneOfBoth, at: node)
        }
        self.init(
            documentID: id ?? "",
            name: try object[ifPresent: "name"],
            description: try object[ifPresent: "description"],
            stream: source == nil ? try object["stream"] : [],
            operators: try object[ifPresent: "operators"],
            isDefault: try object[ifPresent: "isDefault"]
        )
        self.source = source
        kept = json.kept(besides: Self.known)
    }
}

extension StreamModel: JSONWritable where Value: JSONWritable {
    /// Writes the stream with all members of its document; members that are `nil` are omitted.
    ///
    /// A stream that can't be saved calls ``JSONWriter/fail(_:)``, so that `SluiceJSONEncoder` throws.
    public func write(to json: inout JSONWriter) {
        if let problem { return json.fail(problem) }
        json.object {
            write(before: "id", to: &$0)
            if !documentID.isEmpty { $0.member("id", documentID) }
            write(before: "name", to: &$0)
            $0.member("name", ifPresent: name)
            $0.member("description", ifPresent: description)
            $0.member("isDefault", ifPresent: isDefault)
            write(before: "source", to: &$0)
            if let source { $0.member("source", source) } else { $0.member("stream", stream) }
            $0.member("operators", ifPresent: operators)
            write(before: nil, to: &$0)
        }
    }

    private func write(before key: String?, to json: inout JSONWriter) {
        for member in kept(before: key) { json.member(key: member.key, member.value) }
    }
}
