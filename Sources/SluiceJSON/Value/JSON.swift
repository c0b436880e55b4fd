/// A JSON value that preserves its text's order of members, whole numbers exactly, and other numbers by value.
///
/// ```swift
/// let json = try JSON(parsing: #"{"id": 9007199254740993, "tags": ["a", 1.50]}"#)
/// json["id"]?.int        // 9007199254740993
/// json["tags"]?[1]       // 1.5
/// json.description       // {"id":9007199254740993,"tags":["a",1.5]}
/// ```
///
/// Two values are equal if they are the same JSON: objects regardless of the order of their members. A whole number is
/// not equal to the same number written with a fraction, since Sluice distinguishes the two.
public enum JSON: Sendable {
    /// The value `null`.
    case null
    /// A Boolean value.
    case bool(Bool)
    /// A whole number without fraction and exponent.
    case int(Int64)
    /// A whole number above `Int64.max`; use ``int(_:)`` for all others.
    case unsigned(UInt64)
    /// A number with a fraction or an exponent that a double represents: its shortest text has the same value.
    case double(Double)
    /// Any other number, as it was written: a whole number beyond 64 bits, or more digits than a double has.
    case number(Number)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object, its members in order.
    case object(Object)

    /// A number as text.
    ///
    /// Two numbers are equal if their texts are: `1e400` and `10e399` are different values.
    public struct Number: Sendable, Hashable, CustomStringConvertible {
        /// The number as it was written.
        public let description: String

        /// Creates a number with this text, or returns nil if the text isn't a number of JSON's grammar.
        public init?(_ text: String) {
            guard let document = try? JSONDocument(parsing: text), document.root.kind == .number else { return nil }
            self.init(checked: document.root.sourceText)
        }

        init(checked text: String) { description = text }

        /// The nearest double; infinity beyond the largest double.
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
    /// - Throws: ``JSONError`` at the first place where the text is not JSON, exceeds a limit, or repeats a key.
    /// - Complexity: O(*n*) in the length of the text.
    public init(
        parsing text: String,
        limits: JSONLimits = .default,
        duplicateKeys: JSONDuplicateKeys = .refused
    ) throws(JSONError) {
        self = try JSONDocument(parsing: text, limits: limits, duplicateKeys: duplicateKeys).root.json()
    }

    /// Reads a single value from UTF-8 bytes (`[UInt8]`, `Data`, a buffer, or a slice of one).
    /// - Throws: ``JSONError`` at the first place where the text is not JSON, exceeds a limit, or repeats a key.
    /// - Complexity: O(*n*) in the number of bytes.
    public init(
        parsing bytes: some Sequence<UInt8>,
        limits: JSONLimits = .default,
        duplicateKeys: JSONDuplicateKeys = .refused
    ) throws(JSONError) {
        self = try JSONDocument(parsing: bytes, limits: limits, duplicateKeys: duplicateKeys).root.json()
    }
}
