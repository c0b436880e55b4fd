/// A template of addresses by RFC 6570, all four levels: `https://api.example/users{/id}{?q,lang*}`.
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
/// `{x:3}` takes the first three characters (Unicode scalars), `{x*}` writes each element of a list or each pair by itself.
/// What has no value is left out. A value without operator cannot leave its place: its `/` becomes `%2F`; but `.` and `..`
/// are segments like any other, so check names that others choose.
///
/// Reading and expanding take time and memory in proportion to the texts, whatever these are.
public struct URITemplate: Sendable, Hashable, CustomStringConvertible {
    /// The template as it was written.
    public let description: String
    /// The names of the variables, in the order in which they first occur.
    public let variables: [String]

    let parts: [Part]

    /// Reads a template.
    ///
    /// - Throws: ``URITemplateError`` with the column of the first fault.
    public init(_ text: String) throws(URITemplateError) {
        var parser = URITemplateParser(text)
        parts = try parser.parts()
        description = text
        var seen: Set<String> = []
        variables = parts.flatMap(\.names).filter { seen.insert($0).inserted }
    }

    /// Whether both were written the same.
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
        /// Where it stands in the template.
        let column: Int
    }

    /// What an expression begins with (RFC 6570, appendix A).
    enum Operator: Character, Sendable {
        case simple = " "
        case reserved = "+"
        case fragment = "#"
        case label = "."
        case segments = "/"
        case parameters = ";"
        case query = "?"
        case continuation = "&"

        /// What stands before the first value.
        var first: String {
            switch self {
            case .simple, .reserved: ""
            default: String(rawValue)
            }
        }

        /// What stands between values.
        var separator: String {
            switch self {
            case .simple, .reserved, .fragment: ","
            case .query: "&"
            default: String(rawValue)
            }
        }

        /// Whether values have their names.
        var isNamed: Bool { self == .parameters || self == .query || self == .continuation }

        /// What stands behind the name of an empty value.
        var empty: String { self == .parameters ? "" : "=" }

        /// Whether values keep reserved characters and escapes.
        var keepsReserved: Bool { self == .reserved || self == .fragment }
    }
}

/// Why a text is no template, or a template cannot be expanded: where, what, and what to do.
public struct URITemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where in the template, in Unicode scalars from 1; 0 when the fault is not at one place of it.
    public let column: Int
    /// What is wrong.
    public let message: String
    /// What to do about it, where something can be said.
    public let hint: String?

    init(column: Int = 0, _ message: String, hint: String? = nil) {
        self.column = column
        self.message = message
        self.hint = hint
    }

    /// `column 3: what is wrong (what to do)`.
    public var description: String {
        (column > 0 ? "column \(column): " : "") + message + (hint.map { " (\($0))" } ?? "")
    }
}
