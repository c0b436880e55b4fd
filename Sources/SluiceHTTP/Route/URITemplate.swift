#if HTTP
/// A URI template of RFC 6570, with all four levels: `https://api.example/users{/id}{?q,lang*}`.
///
/// ```swift
/// let template = try URITemplate("https://api.example/users{/id}{?q,lang*}")
/// let text = try template.expand(["id": "ada", "q": "C++", "lang": ["sv", "en"]])
/// // https://api.example/users/ada?q=C%2B%2B&lang=sv&lang=en
/// ```
///
/// | operator | what it is for | `{x,y}` with 1 and 2 |
/// |---|---|---|
/// | none | a value, percent-encoded | `1,2` |
/// | `+` | a value that may have `/`, `?` and such | `1,2` |
/// | `#` | a fragment | `#1,2` |
/// | `.` | a label | `.1.2` |
/// | `/` | segments of a path | `/1/2` |
/// | `;` | parameters of a path | `;x=1;y=2` |
/// | `?` | a query | `?x=1&y=2` |
/// | `&` | more of a query | `&x=1&y=2` |
///
/// `{x:3}` takes the first three characters (Unicode scalars), and `{x*}` writes each element of a list or each pair
/// separately. Variables without a value are left out. A value without an operator can't escape its segment, since its
/// `/` becomes `%2F`; but `.` and `..` are ordinary segments, so check names that others choose.
///
/// Reading and expanding take time and memory proportional to the texts, for any input.
public struct URITemplate: Sendable, Hashable, CustomStringConvertible {
    /// The template as it was written.
    public let description: String
    /// The names of the variables, in the order in which they first occur.
    public let variables: [String]

    let parts: [Part]

    /// Reads a template.
    ///
    /// - Throws: ``URITemplateError`` with the column of the first error.
    public init(_ text: String) throws(URITemplateError) {
        var parser = URITemplateParser(text)
        parts = try parser.parts()
        description = text
        var seen: Set<String> = []
        variables = parts.flatMap(\.names).filter { seen.insert($0).inserted }
    }

    /// Returns whether both templates have the same text.
    public static func == (left: URITemplate, right: URITemplate) -> Bool { left.description == right.description }

    /// Feeds the text to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// A piece of a template.
    enum Part: Sendable {
        /// Text that is the same in every expansion, percent-encoded.
        case literal([UInt8])
        case expression(Operator, [Variable])

        fileprivate var names: [String] {
            if case .expression(_, let variables) = self { variables.map(\.name) } else { [] }
        }
    }

    /// A variable of an expression.
    struct Variable: Sendable {
        enum Modifier: Sendable { case none, prefix(Int), explode }

        let name: String
        let modifier: Modifier
        /// The position in the template.
        let column: Int
    }

    /// The operator at the beginning of an expression (RFC 6570, appendix A).
    enum Operator: Character, Sendable {
        case simple = " "
        case reserved = "+"
        case fragment = "#"
        case label = "."
        case segments = "/"
        case parameters = ";"
        case query = "?"
        case continuation = "&"

        /// The text before the first value.
        var first: String {
            switch self {
            case .simple, .reserved: ""
            default: String(rawValue)
            }
        }

        /// The text between values.
        var separator: String {
            switch self {
            case .simple, .reserved, .fragment: ","
            case .query: "&"
            default: String(rawValue)
            }
        }

        /// A Boolean value that indicates whether values are written with their names.
        var isNamed: Bool { self == .parameters || self == .query || self == .continuation }

        /// The text after the name of an empty value.
        var empty: String { self == .parameters ? "" : "=" }

        /// A Boolean value that indicates whether values keep reserved characters and escapes.
        var keepsReserved: Bool { self == .reserved || self == .fragment }
    }
}

/// The error of an invalid template, or of one that can't be expanded: the place, the problem, and a hint.
public struct URITemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The column in the template, in Unicode scalars from 1; 0 if the error has no single place.
    public let column: Int
    /// The problem.
    public let message: String
    /// A hint for solving the problem, if there is one.
    public let hint: String?

    init(column: Int = 0, _ message: String, hint: String? = nil) {
        self.column = column
        self.message = message
        self.hint = hint
    }

    /// A description such as `column 3: what is wrong (what to do)`.
    public var description: String {
        (column > 0 ? "column \(column): " : "") + message + (hint.map { " (\($0))" } ?? "")
    }
}
#endif
