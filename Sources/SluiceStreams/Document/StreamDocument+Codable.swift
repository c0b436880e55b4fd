import SluiceJSON

extension StreamDocument: Codable {
    /// Reads a document.
    ///
    /// - Throws: `DecodingError` with everything that is wrong.
    public init(from decoder: any Decoder) throws {
        let json = try JSON(from: decoder)
        do { try self.init(parsing: json.text()) } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error)
            )
        }
    }

    /// Writes the document with what its author wrote.
    public func encode(to encoder: any Encoder) throws { try JSON(parsing: text).encode(to: encoder) }
}

extension StreamDocument: Equatable {
    /// Whether both say the same, however they are written.
    public static func == (a: StreamDocument, b: StreamDocument) -> Bool { a.canonicalText == b.canonicalText }
}
