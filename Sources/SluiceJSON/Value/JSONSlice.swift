/// A value kept byte for byte as it stood in its text: for parts that a model passes through without looking at them.
///
///     struct Model: Codable { var id: Int, extra: JSONSlice }
///     let model = try SluiceJSONDecoder().decode(Model.self, from: #"{"id":1,"extra":{ "x" : 1.50 }}"#)
///     try SluiceJSONEncoder().text(model)   // {"id":1,"extra":{ "x" : 1.50 }}
///
/// Two slices are equal if their bytes are. Foundation's coders, and formatting that moves members or adds lines, keep the
/// value and not the bytes.
public struct JSONSlice: Sendable, Hashable {
    /// The value as it stood in its text, without the space around it.
    public let text: String

    /// The value of a node.
    public init(_ node: JSONNode) { text = node.sourceText }

    /// The value of a text.
    /// - Throws: ``JSONError`` where the text is not JSON, exceeds a limit or repeats a key.
    public init(parsing text: String, limits: JSONLimits = .default) throws(JSONError) {
        self.init(try JSONDocument(parsing: text, limits: limits).root)
    }

    /// The value, to look into.
    /// - Throws: ``JSONError`` where it is deeper than ``JSONLimits/deepestValue``.
    /// - Complexity: O(*n*) in the length of the text.
    public func json() throws(JSONError) -> JSON {
        // It was read once: what the limits refused then is not refused now.
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

    /// Keeps the canonical text, where the decoder is not Sluice's.
    public init(from decoder: any Decoder) throws { text = try JSON(from: decoder).description }

    /// Encodes the value, where the encoder is not Sluice's.
    public func encode(to encoder: any Encoder) throws { try json().encode(to: encoder) }

    /// The text.
    public var description: String { text }
}
