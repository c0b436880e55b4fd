/// Why a text was refused, and where.
///
///     do { _ = try JSONDocument(parsing: "{\"a\": 1,}") } catch let error as JSONError {
///         error.line          // 1
///         error.column        // 9
///         error.description   // 1:9: a key is missing: found "}" where a string was expected (remove the comma …)
///     }
///
/// Lines and columns count from 1; a line ends at LF, CR or CR LF, and columns count Unicode scalars.
public struct JSONError: Error, Sendable, Hashable {
    /// What went wrong, for code that must tell cases apart.
    public var code: Code
    /// The place in the document, empty for its root and for errors of syntax.
    public var path: JSONPath
    /// The line, from 1.
    public var line: Int
    /// The column in Unicode scalars, from 1.
    public var column: Int
    /// The distance from the start of the text in bytes.
    public var offset: Int
    /// What is wrong, in one line.
    public var message: String
    /// What to do about it, if something can be said.
    public var hint: String?
    /// A piece of the text at the place, where one was taken.
    public var snippet: String?

    /// An error of your own at a place that you know.
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

    /// Line, column and offset in one.
    public var position: JSONPosition { JSONPosition(line: line, column: column, offset: offset) }

    /// The error as compilers print it: `FILE:LINE:COLUMN: error: text`, and the hint on a line of its own.
    public func diagnostic(file: String) -> String {
        let place = path.isEmpty ? "" : "\(path): "
        let tail = hint.map { "\n  hint: \($0)" } ?? ""
        return "\(file):\(line):\(column): error: \(place)\(message)\(tail)"
    }
}

extension JSONError: CustomStringConvertible {
    /// `LINE:COLUMN: PATH: message (hint)`, without the parts that are not there.
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
        /// Something stands where the grammar has no place for it.
        public static let unexpectedCharacter = Code(.unexpectedCharacter)
        /// A number that the grammar does not know: `01`, `1.`, `+1`, `1e`.
        public static let invalidNumber = Code(.invalidNumber)
        /// A string with a bare control character, an unknown escape or half a surrogate pair.
        public static let invalidString = Code(.invalidString)
        /// Bytes that are not UTF-8.
        public static let invalidUTF8 = Code(.invalidUTF8)
        /// Something follows the value.
        public static let trailingContent = Code(.trailingContent)
        /// UTF-16 or UTF-32.
        public static let unsupportedEncoding = Code(.unsupportedEncoding)
        /// A key occurs twice in one object.
        public static let duplicateKey = Code(.duplicateKey)
        /// One of ``JSONLimits`` is exceeded.
        public static let limitExceeded = Code(.limitExceeded)
        /// A value of another kind was expected.
        public static let wrongType = Code(.wrongType)
        /// A number that the asked type cannot hold.
        public static let numberOutOfRange = Code(.numberOutOfRange)
        /// A key that must be there is not.
        public static let missingKey = Code(.missingKey)
        /// A key that nobody knows.
        public static let unknownKey = Code(.unknownKey)
        /// A value of the right kind that is not allowed.
        public static let invalidValue = Code(.invalidValue)

        /// The name of the constant.
        public var description: String { kind.rawValue }
    }
}
