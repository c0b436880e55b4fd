/// An error in a JSON text: a message, a hint, and the place.
///
/// ```swift
/// do { _ = try JSONDocument(parsing: "{\"a\": 1,}") } catch {
///     error.line          // 1
///     error.column        // 9
///     error.description   // 1:9: a key is missing: found "}" where a string was expected (remove the comma …)
/// }
/// ```
///
/// Lines and columns count from 1; a line ends at LF, CR, or CR LF, and columns count Unicode scalars.
public struct JSONError: Error, Sendable, Hashable {
    /// The kind of error, for code that handles kinds differently.
    public var code: Code
    /// The path of the value in the document; empty for the root and for syntax errors.
    public var path: JSONPath
    /// The line, from 1.
    public var line: Int
    /// The column in Unicode scalars, from 1.
    public var column: Int
    /// The distance from the start of the text in bytes.
    public var offset: Int
    /// A description of the problem, in one line.
    public var message: String
    /// A suggestion for fixing the problem, if there is one.
    public var hint: String?
    /// A piece of the text at the place, if it was recorded.
    public var snippet: String?

    /// Creates an error at a place that you know.
    public init(
        _ code: Code,
        _ message: String,
        hint: String? = nil,
        path: JSONPath = JSONPath(),
        at position: JSONPosition
    ) {
        self.code = code
        self.path = path
        self.line = position.line
        self.column = position.column
        self.offset = position.offset
        self.message = message
        self.hint = hint
    }

    /// The line, column, and offset.
    public var position: JSONPosition { JSONPosition(line: line, column: column, offset: offset) }

    /// Returns the error in the format of compilers: `FILE:LINE:COLUMN: error: text`, and the hint on a line of its
    /// own.
    public func diagnostic(file: String) -> String {
        let place = path.isEmpty ? "" : "\(path): "
        let tail = hint.map { "\n  hint: \($0)" } ?? ""
        return "\(file):\(line):\(column): error: \(place)\(message)\(tail)"
    }
}

extension JSONError: CustomStringConvertible {
    /// The error as `LINE:COLUMN: PATH: message (hint)`, without missing parts.
    public var description: String {
        let place = path.isEmpty ? "" : "\(path): "
        let tail = hint.map { " (\($0))" } ?? ""
        return "\(line):\(column): \(place)\(message)\(tail)"
    }
}

extension JSONError {
    /// The kinds of error; later versions may add some.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case unexpectedEnd, unexpectedCharacter, invalidNumber, invalidString, invalidUTF8, trailingContent
            case unsupportedEncoding, duplicateKey, limitExceeded
            case wrongType, numberOutOfRange, missingKey, unknownKey, invalidValue
        }
        private var kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The text ends before its value does.
        public static let unexpectedEnd = Code(.unexpectedEnd)
        /// A character occurs where the grammar doesn't allow it.
        public static let unexpectedCharacter = Code(.unexpectedCharacter)
        /// A number that the grammar doesn't allow: `01`, `1.`, `+1`, `1e`.
        public static let invalidNumber = Code(.invalidNumber)
        /// A string with an unescaped control character, an unknown escape, or half a surrogate pair.
        public static let invalidString = Code(.invalidString)
        /// Bytes that are not UTF-8.
        public static let invalidUTF8 = Code(.invalidUTF8)
        /// The value is followed by something else.
        public static let trailingContent = Code(.trailingContent)
        /// UTF-16 or UTF-32.
        public static let unsupportedEncoding = Code(.unsupportedEncoding)
        /// A key occurs twice in one object.
        public static let duplicateKey = Code(.duplicateKey)
        /// One of ``JSONLimits`` is exceeded.
        public static let limitExceeded = Code(.limitExceeded)
        /// A value of another kind was expected.
        public static let wrongType = Code(.wrongType)
        /// A number doesn't fit into the requested type.
        public static let numberOutOfRange = Code(.numberOutOfRange)
        /// A required key is missing.
        public static let missingKey = Code(.missingKey)
        /// A key is unknown.
        public static let unknownKey = Code(.unknownKey)
        /// A value has the right kind but is not allowed.
        public static let invalidValue = Code(.invalidValue)

        /// The name of the constant.
        public var description: String { kind.rawValue }
    }
}
