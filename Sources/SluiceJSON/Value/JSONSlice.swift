/// A value kept byte for byte as it appeared in its text, for parts that a model passes through without reading them.
///
/// ```swift
/// struct Model: Codable { var id: Int, extra: JSONSlice }
/// let model = try SluiceJSONDecoder().decode(Model.self, from: #"{"id":1,"extra":{ "x" : 1.50 }}"#)
/// try SluiceJSONEncoder().text(model)   // {"id":1,"extra":{ "x" : 1.50 }}
/// ```
///
/// Two slices are equal if their bytes are. Foundation's coders, and formatting that sorts members or adds lines,
/// preserve the value but not the bytes.
public struct JSONSlice: Sendable, Hashable {
    /// The value as it appeared in its text, without the space around it.
    public let text: String

    /// Creates a slice with the value of a node.
    public init(_ node: JSONNode) { text = node.sourceText }

    /// Creates a slice with the value of a text.
    /// - Throws: ``JSONError`` if the text is not JSON, exceeds a limit, or repeats a key.
    public init(parsing text: String, limits: JSONLimits = .default) throws(JSONError) {
        self.init(try JSONDocument(parsing: text, limits: limits).root)
    }

    /// Returns the value for reading its contents.
    /// - Throws: ``JSONError`` if it is deeper than ``JSONLimits/deepestValue``.
    /// - Complexity: O(*n*) in the length of the text.
    public func json() throws(JSONError) -> JSON {
        // The text was parsed once, so the limits that applied then don't apply again.
        let limits = JSONLimits(
            maximumByteCount: .max,
            maximumDepth: .max,
            maximumNumberLength: .max,
            maximumMemberCount: .max
        )
        return try JSON(parsing: text, limits: limits, duplicateKeys: .firstWins)
    }
}

extension JSONSlice: JSONConvertible, Codable, CustomStringConvertible {
    /// Keeps the bytes of a node.
    public init(json: JSONNode) { self.init(json) }

    /// Writes the bytes.
    public func write(to json: inout JSONWriter) { json.verbatim(text) }

    /// Keeps the canonical text if the decoder is not Sluice's.
    public init(from decoder: any Decoder) throws { text = try JSON(from: decoder).description }

    /// Encodes the value if the encoder is not Sluice's.
    public func encode(to encoder: any Encoder) throws { try json().encode(to: encoder) }

    /// The text.
    public var description: String { text }
}
