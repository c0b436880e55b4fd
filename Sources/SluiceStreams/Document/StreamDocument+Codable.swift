import SluiceJSON

extension StreamDocument: Codable {
    /// Reads a document.
    ///
    /// - Throws: `DecodingError` with all errors.
    public init(from decoder: any Decoder) throws {
        let json = try JSON(from: decoder)
        do { try self.init(parsing: json.text()) } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error)
            )
        }
    }

    /// Writes the document as its author wrote it.
    public func encode(to encoder: any Encoder) throws { try JSON(parsing: text).encode(to: encoder) }
}

extension StreamDocument: Equatable {
    /// Returns a Boolean value that indicates whether both have the same content, however they are written.
    public static func == (a: StreamDocument, b: StreamDocument) -> Bool { a.canonicalText == b.canonicalText }
}
