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
        writer.json(self, style, 0)
        return writer.text
    }

    /// The value as UTF-8 bytes.
    /// - Complexity: O(*n*) in the size of the value.
    public func bytes(_ style: TextStyle = .canonical) -> [UInt8] {
        var writer = JSONWriter()
        writer.json(self, style, 0)
        return writer.bytes
    }

    /// The text of RFC 8785, for hashes and signatures: members sorted by the UTF-16 units of their keys, numbers as
    /// ECMAScript writes doubles.
    ///
    ///     try JSON(parsing: #"{"b": 1.0, "a": 1e3}"#).rfc8785()   // {"a":1000,"b":1}
    ///
    /// - Throws: ``JSONError`` for a whole number that no double holds exactly, since it would hash like another one,
    ///   and for what is beyond the largest double. It names the number's path; its position is the start.
    /// - Complexity: O(*n* log *n*) in the size of the value.
    public func rfc8785() throws(JSONError) -> String {
        var writer = JSONWriter()
        try writer.rfc8785(self, JSONPath())
        return writer.text
    }
}

extension JSON: CustomStringConvertible, CustomDebugStringConvertible {
    /// The canonical text.
    public var description: String { text(.canonical) }
    /// The canonical text.
    public var debugDescription: String { text(.canonical) }
}

extension JSON.Number {
    /// The nearest double, or nil if this is a whole number that no double holds exactly.
    fileprivate var faithfulDouble: Double? {
        var text = description
        if text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") || $0 == UInt8(ascii: ".") }) { return double }
        return text.withUTF8 { bytes -> Double? in
            if case .double(let value) = JSON(realText: bytes) { value } else { nil }
        }
    }
}

extension JSONWriter {
    mutating func json(_ value: JSON, _ style: JSON.TextStyle, _ depth: Int) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .int(let value): integer(value)
        case .unsigned(let value): integer(value)
        case .double(let value): double(value)
        case .number(let number): verbatim(number.description)
        case .string(let value): string(value)
        case .array(let elements):
            open(UInt8(ascii: "["))
            for element in elements {
                line(style, depth + 1)
                json(element, style, depth + 1)
            }
            if !elements.isEmpty { closingLine(style, depth) }
            close(UInt8(ascii: "]"))
        case .object(let object):
            open(UInt8(ascii: "{"))
            for (key, value) in object.members {
                line(style, depth + 1)
                self.key(text: key)
                if style == .pretty {
                    reserve(1)
                    put(UInt8(ascii: " "))
                }
                json(value, style, depth + 1)
            }
            if !object.isEmpty { closingLine(style, depth) }
            close(UInt8(ascii: "}"))
        }
    }

    /// Writes text that is already JSON.
    mutating func verbatim(_ text: String) {
        var text = text
        text.withUTF8 { raw($0) }
    }

    private mutating func line(_ style: JSON.TextStyle, _ depth: Int) {
        guard style == .pretty else { return }
        reserve(depth * 2 + 2)
        if needsComma { put(UInt8(ascii: ",")) }
        needsComma = false
        put(UInt8(ascii: "\n"))
        for _ in 0..<depth * 2 { put(UInt8(ascii: " ")) }
    }

    private mutating func closingLine(_ style: JSON.TextStyle, _ depth: Int) {
        needsComma = false
        line(style, depth)
    }

    fileprivate mutating func rfc8785(_ value: JSON, _ path: JSONPath) throws(JSONError) {
        switch value {
        case .null, .bool, .string: json(value, .canonical, 0)
        case .int(let value):
            guard let exact = Double(exactly: value) else { throw inexact(path, value.description) }
            double(exact, .ecmaScript)
        case .unsigned(let value):
            guard let exact = Double(exactly: value) else { throw inexact(path, value.description) }
            double(exact, .ecmaScript)
        case .double(let value):
            guard value.isFinite else { throw inexact(path, value.description) }
            double(value, .ecmaScript)
        case .number(let number):
            guard let exact = number.faithfulDouble, exact.isFinite else { throw inexact(path, number.description) }
            double(exact, .ecmaScript)
        case .array(let elements):
            open(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() { try rfc8785(element, path.appending(index)) }
            close(UInt8(ascii: "]"))
        case .object(let object):
            open(UInt8(ascii: "{"))
            let sorted = object.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
            for (key, value) in sorted {
                self.key(text: key)
                try rfc8785(value, path.appending(key))
            }
            close(UInt8(ascii: "}"))
        }
    }

    private func inexact(_ path: JSONPath, _ number: String) -> JSONError {
        JSONError(
            .numberOutOfRange,
            "no double holds the number \(number) exactly, so it has no text in RFC 8785",
            hint: "make it a string",
            path: path,
            at: JSONPosition(line: 1, column: 1, offset: 0)
        )
    }
}
