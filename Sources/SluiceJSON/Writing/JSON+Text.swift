extension JSON {
    /// How a value is written.
    public enum TextStyle: Sendable, Hashable {
        /// One line without spaces, members in their order, numbers as short as they can be read back.
        case canonical
        /// One line for each member and element, two spaces of indentation: a change of one value changes one line.
        case pretty
    }

    /// The value as text.
    ///
    ///     let json: JSON = ["a": [1, 2.0], "b": nil]
    ///     json.text(.canonical)   // {"a":[1,2.0],"b":null}
    ///
    /// What is written reads back as an equal value, except NaN and infinities, which become `null`.
    /// - Complexity: O(*n*) in the size of the value.
    public func text(_ style: TextStyle = .canonical) -> String {
        var writer = JSONWriter()
        _ = writer.json(self, style == .pretty ? .pretty : .canonical)
        return writer.text
    }

    /// The value as UTF-8 bytes.
    /// - Complexity: O(*n*) in the size of the value.
    public func bytes(_ style: TextStyle = .canonical) -> [UInt8] {
        var writer = JSONWriter()
        _ = writer.json(self, style == .pretty ? .pretty : .canonical)
        return writer.bytes
    }

    /// The text of RFC 8785, for hashes and signatures: members sorted by the UTF-16 units of their keys, numbers as
    /// ECMAScript writes doubles.
    ///
    ///     try JSON(parsing: #"{"b": 1.0, "a": 1e3}"#).rfc8785()   // {"a":1000,"b":1}
    ///
    /// - Throws: ``JSONError`` for a whole number that no double is written as, since it would hash like another one,
    ///   and for what is beyond the largest double. It names the number's path; its position is the start.
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
