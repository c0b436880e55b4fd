extension JSON {
    /// The style of a written value.
    public enum TextStyle: Sendable, Hashable {
        /// One line without spaces, members in their order, and the shortest numbers that read back as the same.
        case canonical
        /// One line for each member and element, indented by two spaces, so that a change of one value changes one
        /// line.
        case pretty
    }

    /// Returns the value as text.
    ///
    /// ```swift
    /// let json: JSON = ["a": [1, 2.0], "b": nil]
    /// json.text(.canonical)   // {"a":[1,2.0],"b":null}
    /// ```
    ///
    /// The text reads back as an equal value, except for NaN and infinities, which become `null`.
    /// - Complexity: O(*n*) in the size of the value.
    public func text(_ style: TextStyle = .canonical) -> String {
        var writer = JSONWriter()
        _ = writer.json(self, style == .pretty ? .pretty : .canonical)
        return writer.text
    }

    /// Returns the value as UTF-8 bytes.
    /// - Complexity: O(*n*) in the size of the value.
    public func bytes(_ style: TextStyle = .canonical) -> [UInt8] {
        var writer = JSONWriter()
        _ = writer.json(self, style == .pretty ? .pretty : .canonical)
        return writer.bytes
    }

    /// Returns the text of RFC 8785, for hashes and signatures: members sorted by the UTF-16 units of their keys,
    /// numbers as ECMAScript writes doubles.
    ///
    /// ```swift
    /// try JSON(parsing: #"{"b": 1.0, "a": 1e3}"#).rfc8785()   // {"a":1000,"b":1}
    /// ```
    ///
    /// - Throws: ``JSONError`` for a whole number that no double represents exactly, since its hash would equal
    ///   another's, and for a number beyond the largest double. The error contains the number's path; its position is
    ///   the start.
    /// - Complexity: O(*n* log *n*) in the size of the value.
    public func rfc8785() throws(JSONError) -> String {
        var writer = JSONWriter()
        if let error = writer.json(self, .rfc8785) { throw error }
        return writer.text
    }
}

extension JSON: CustomStringConvertible, CustomDebugStringConvertible {
    /// The canonical text.
    public var description: String { text(.canonical) }
    /// The canonical text.
    public var debugDescription: String { text(.canonical) }
}
