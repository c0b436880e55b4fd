/// A JSON value that keeps what the text said: the order of members, whole numbers exactly, other numbers by value.
///
/// ```swift
/// let json = try JSON(parsing: #"{"id": 9007199254740993, "tags": ["a", 1.50]}"#)
/// json["id"]?.int        // 9007199254740993
/// json["tags"]?[1]       // 1.5
/// json.description       // {"id":9007199254740993,"tags":["a",1.5]}
/// ```
///
/// Two values are equal if they are the same JSON: objects whatever the order of their members; a whole number is
/// not equal to the same number written with a fraction, since Sluice tells the two apart.
public enum JSON: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A whole number without fraction and exponent.
    case int(Int64)
    /// A whole number above `Int64.max`; use ``int(_:)`` for all others.
    case unsigned(UInt64)
    /// A number with a fraction or an exponent whose value a double holds: its shortest text has the same value.
    case double(Double)
    /// Any other number, as it was written: whole numbers beyond 64 bits, more digits than a double has.
    case number(Number)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object, its members in order.
    case object(Object)

    /// A number as text.
    ///
    /// Equal if the texts are: `1e400` and `10e399` are two different values here.
    public struct Number: Sendable, Hashable, CustomStringConvertible {
        /// The number as it was written.
        public let description: String

        /// The number with this text, or nil if the text is no number of JSON's grammar.
        public init?(_ text: String) {
            guard let document = try? JSONDocument(parsing: text), document.root.kind == .number else { return nil }
            self.init(checked: document.root.sourceText)
        }

        init(checked text: String) { description = text }

        /// The nearest double; infinite beyond the largest.
        public var double: Double {
            var text = description
            return text.withUTF8 { DoubleText.double($0) }
        }
    }
}

extension JSON {
    /// Reads a text with a single value.
    ///
    /// ```swift
    /// try JSON(parsing: "[1, 2]")   // [1,2]
    /// ```
    ///
    /// - Throws: ``JSONError`` at the first place where the text is not JSON, exceeds a limit or repeats a key.
    /// - Complexity: O(*n*) in the length of the text.
    public init(
        parsing text: String,
        limits: JSONLimits = .default,
        duplicateKeys: JSONDuplicateKeys = .refused
    ) throws(JSONError) {
        self = try JSONDocument(parsing: text, limits: limits, duplicateKeys: duplicateKeys).root.json()
    }

    /// Reads a single value from UTF-8 bytes (`[UInt8]`, `Data`, a buffer, a slice of them).
    /// - Throws: ``JSONError`` at the first place where the text is not JSON, exceeds a limit or repeats a key.
    /// - Complexity: O(*n*) in the number of bytes.
    public init(
        parsing bytes: some Sequence<UInt8>,
        limits: JSONLimits = .default,
        duplicateKeys: JSONDuplicateKeys = .refused
    ) throws(JSONError) {
        self = try JSONDocument(parsing: bytes, limits: limits, duplicateKeys: duplicateKeys).root.json()
    }
}
