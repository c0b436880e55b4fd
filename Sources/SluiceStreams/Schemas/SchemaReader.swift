import SluiceExpressions
import SluiceJSON

/// A reader of schemas of items, which reports all errors at their places.
struct SchemaReader {
    /// The limits of a schema, so that a check of an expression or an item takes a time in proportion to it.
    enum Limits {
        static let depth = 32
        static let schemas = 1_000
        /// The largest number of values in all `enum` and `const`.
        static let values = 1_000
        /// The largest number of names in one `required`: that of properties.
        static let required = schemas
    }

    static let keywords = ["type", "properties", "required", "additionalProperties", "items", "enum", "const"]
    /// The keywords that describe a schema, and that have no effect.
    static let annotations = [
        "title", "description", "$schema", "$id", "$comment", "default", "examples", "format", "deprecated", "readOnly",
        "writeOnly",
    ]
    /// The names of types in other languages.
    private static let otherNames = [
        "int": "integer", "long": "integer", "float": "number", "double": "number", "bool": "boolean", "str": "string",
        "text": "string", "list": "array", "map": "object", "dict": "object", "nil": "null", "none": "null",
        "any": "", "dyn": "",
    ]

    private var schemaCount = 0
    private var valueCount = 0
    private var isFull = false

    /// Returns a schema, or `nil` with errors recorded.
    static func schema(_ node: JSONNode, _ check: inout JSONValidator) -> ItemSchema? {
        var reader = SchemaReader()
        let before = check.errors.count + check.omittedCount
        guard let root = reader.node(node, depth: 1, &check), let json = check.json(node) else { return nil }
        return check.errors.count + check.omittedCount == before ? ItemSchema(json, root) : nil
    }

    private mutating func node(_ node: JSONNode, depth: Int, _ check: inout JSONValidator) -> SchemaNode? {
        guard countSchema(node, depth: depth, &check), check.expect(.object, node) else { return nil }
        guard let fields = check.object(node, keys: Self.keywords, unknown: .kept) else { return nil }
        for member in fields.others where !member.key.hasPrefix("x-") && !Self.annotations.contains(member.key) {
            // Unlike an operator that another version may know, it would change which items are allowed.
            check.note(
                at: member.keyNode,
                "the keyword \(JSON.string(member.key)) is not offered in a schema of items",
                hint: Self.hint(member.key)
            )
        }
        return SchemaNode(
            kinds: fields["type"].flatMap { kinds($0, &check) },
            values: values(fields, &check),
            properties: fields["properties"].flatMap { properties($0, depth, &check) },
            required: fields["required"].map { required($0, &check) } ?? [],
            rest: fields["additionalProperties"].map { rest($0, depth, &check) } ?? .unsaid,
            items: fields["items"].flatMap { inner($0, depth, &check) }
        )
    }

    /// Counts a schema; records an error if there are too many, or if they are nested too deep.
    private mutating func countSchema(_ node: JSONNode, depth: Int, _ check: inout JSONValidator) -> Bool {
        schemaCount += 1
        if schemaCount <= Limits.schemas, depth <= Limits.depth { return true }
        let message =
            depth > Limits.depth
            ? "schemas are nested more than \(Limits.depth) deep" : "more than \(Limits.schemas) schemas in one"
        if !isFull { check.note(at: node, message, hint: "use {} where anything is allowed") }
        isFull = true
        return false
    }

    private static func hint(_ key: String) -> String {
        if key == "nullable" { return "write \"type\": [\"string\", \"null\"]" }
        let known = keywords + annotations
        if let near = nearestName(to: key, among: known) { return "did you mean \(JSON.string(near))?" }
        return "known: " + keywords.joined(separator: ", ")
    }

    /// Returns the schema at a key; `true` allows anything.
    private mutating func inner(_ node: JSONNode, _ depth: Int, _ check: inout JSONValidator) -> SchemaNode? {
        guard node.bool == true else { return self.node(node, depth: depth + 1, &check) }
        return countSchema(node, depth: depth, &check) ? SchemaNode() : nil
    }

    private func kinds(_ node: JSONNode, _ check: inout JSONValidator) -> Set<SchemaNode.Kind>? {
        guard node.kind == .array else { return kind(node, &check).map { [$0] } }
        var kinds: Set<SchemaNode.Kind> = []
        for element in node.elements.prefix(100) {
            if let kind = kind(element, &check) { kinds.insert(kind) }
        }
        if node.count == 0 { check.note(at: node, "a schema without types allows nothing", hint: "name at least one") }
        return kinds.isEmpty ? nil : kinds
    }

    private func kind(_ node: JSONNode, _ check: inout JSONValidator) -> SchemaNode.Kind? {
        guard let name = check.string(node) else { return nil }
        if let kind = SchemaNode.Kind(rawValue: name) { return kind }
        let names = SchemaNode.Kind.allCases.map(\.rawValue)
        let near = Self.otherNames[name.lowercased()] ?? nearestName(to: name, among: names)
        let hint =
            near.map { $0.isEmpty ? "leave \"type\" out" : "did you mean \(JSON.string($0))?" }
            ?? "one of: " + names.joined(separator: ", ")
        check.note(at: node, "\(JSON.string(name)) is not a type of JSON", hint: hint)
        return nil
    }

    private mutating func properties(
        _ node: JSONNode,
        _ depth: Int,
        _ check: inout JSONValidator
    ) -> [String: SchemaNode]? {
        guard check.expect(.object, node) else { return nil }
        var properties: [String: SchemaNode] = [:]
        for member in node.members where properties[member.key] == nil {
            if isFull { break }
            properties[member.key] = inner(member.value, depth, &check)
        }
        return properties
    }

    private func required(_ node: JSONNode, _ check: inout JSONValidator) -> [String] {
        guard check.expect(.array, node) else { return [] }
        guard node.count <= Limits.required else {
            check.note(at: node, "more than \(Limits.required) names in one list of required fields")
            return []
        }
        return node.elements.compactMap { check.string($0) }
    }

    private mutating func rest(_ node: JSONNode, _ depth: Int, _ check: inout JSONValidator) -> SchemaNode.Rest {
        if let isAllowed = node.bool { return .allowed(isAllowed) }
        return self.node(node, depth: depth + 1, &check).map { .schema($0) } ?? .unsaid
    }

    /// Returns the values that `enum` and `const` allow.
    private mutating func values(_ fields: JSONFields, _ check: inout JSONValidator) -> [CELValue]? {
        var values: [CELValue]?
        if let node = fields["enum"], check.expect(.array, node), count(node, &check) {
            values = node.elements.compactMap { value($0, &check) }
            if node.count == 0 {
                check.note(at: node, "\"enum\" without values allows nothing", hint: "list the values")
            }
        }
        if let node = fields["const"], count(node, &check), let value = value(node, &check) {
            values = values.map { $0.filter { $0.isEqual(to: value) } } ?? [value]
        }
        return values
    }

    private func value(_ node: JSONNode, _ check: inout JSONValidator) -> CELValue? {
        do throws(CELError) { return try CELValue(node) } catch {
            check.note(at: node, error.issues.first?.message ?? "\(error)")
            return nil
        }
    }

    /// Counts the values in a value; records an error if there are too many.
    private mutating func count(_ node: JSONNode, _ check: inout JSONValidator) -> Bool {
        var pending = [node]
        while let node = pending.popLast() {
            valueCount += 1
            guard valueCount <= Limits.values else {
                if !isFull { check.note(at: node, "more than \(Limits.values) values in one schema") }
                isFull = true
                return false
            }
            guard node.count <= Limits.values else {
                valueCount += node.count
                pending.append(node)
                continue
            }
            pending.append(contentsOf: node.elements)
            pending.append(contentsOf: node.members.map(\.value))
        }
        return true
    }
}
