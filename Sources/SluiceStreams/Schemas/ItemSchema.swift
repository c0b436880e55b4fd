import SluiceExpressions
public import SluiceJSON

/// A JSON Schema of the items of a source: the subset that the types of expressions express.
///
/// ```swift
/// let schema = try ItemSchema(parsing: #"{"type": "object", "properties": {"price": {"type": "number"}}, "required": ["price"]}"#)
/// schema.problem(with: ["price": 1.5])   // nil
/// schema.problem(with: ["price": "1"])   // price: expected a number, found a string
/// ```
///
/// The keywords are `type`, `properties`, `required`, `additionalProperties`, `items`, `enum`, and `const`. Annotations,
/// such as `title`, are allowed and have no effect. Anything else is an error.
///
/// An expression may name only the fields in `properties`, unless `additionalProperties` allows others. An item may have
/// others, unless `additionalProperties` is `false`.
public struct ItemSchema: Sendable, Hashable {
    /// The schema as it was written.
    public let json: JSON
    let root: SchemaNode

    init(_ json: JSON, _ root: SchemaNode) { (self.json, self.root) = (json, root) }

    /// Reads a schema.
    ///
    /// - Throws: `JSONErrors` with all errors at once, each with path, line, column, and a hint.
    /// - Complexity: O(*n*) in the length of the text.
    public init(parsing text: String) throws(JSONErrors) {
        let root: JSONNode
        do throws(JSONError) { root = try JSONDocument(parsing: text).root } catch { throw JSONErrors([error]) }
        var check = JSONValidator()
        let schema = SchemaReader.schema(root, &check)
        try check.throwErrors()
        guard let schema else { throw JSONErrors([JSONError(.invalidValue, "expected a schema", at: root)]) }
        self = schema
    }

    /// Returns a Boolean value that indicates whether both are written alike.
    public static func == (left: ItemSchema, right: ItemSchema) -> Bool { left.json == right.json }

    /// Hashes the schema as it is written.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

/// A schema within a schema, or the whole.
final class SchemaNode: Sendable {
    /// The kinds of values that `type` names.
    enum Kind: String, CaseIterable {
        case null, boolean, integer, number, string, array, object
    }

    /// The members of an object besides those in `properties`.
    enum Rest: Sendable {
        /// Nothing is said: items may have them, and expressions may not name them if there are `properties`.
        case unsaid
        /// There may be any, or none of them.
        case allowed(Bool)
        /// There may be any with this schema.
        case schema(SchemaNode)
    }

    /// The kinds of values; `nil` for all.
    let kinds: Set<Kind>?
    /// The values, of which it has to be one; `nil` for all.
    let values: [CELValue]?
    /// The schemas of the members by name; `nil` without `properties`.
    let properties: [String: SchemaNode]?
    let required: [String]
    let rest: Rest
    /// The schema of the elements; `nil` for any.
    let items: SchemaNode?

    init(
        kinds: Set<Kind>? = nil,
        values: [CELValue]? = nil,
        properties: [String: SchemaNode]? = nil,
        required: [String] = [],
        rest: Rest = .unsaid,
        items: SchemaNode? = nil
    ) {
        self.kinds = kinds
        self.values = values
        self.properties = properties
        self.required = required
        self.rest = rest
        self.items = items
    }
}
