public import SluiceJSON

extension StreamSource: JSONReadable {
    /// Reads a source.
    ///
    /// - Throws: `JSONError` with path and position; it names an unknown source.
    public init(json: JSONNode) throws {
        var reader = DocumentReader()
        let read = reader.source(json)
        if let error = reader.check.errors.first { throw error }
        guard let read else { throw JSONError(.invalidValue, "no source", at: json) }
        self = read
    }
}

extension StreamSource: Codable {
    /// Reads a source from its object.
    ///
    /// - Throws: `DecodingError` that names an unknown source, and the place.
    public init(from decoder: any Decoder) throws {
        let json = try JSON(from: decoder)
        do {
            try self.init(json: JSONDocument(parsing: json.text()).root)
        } catch let error as JSONError {
            let text = error.message + (error.hint.map { " (\($0))" } ?? "")
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
    }

    /// Writes the source as an object with its name as a key.
    public func encode(to encoder: any Encoder) throws {
        var writer = JSONWriter()
        write(to: &writer)
        try JSON(parsing: writer.text).encode(to: encoder)
    }
}
