// Parts of JSON Schemas (draft 2020-12) of documents, which all allow members of other programs.

extension JSON {
    /// Returns the schema of an object with these members, and members whose names begin with `x-`.
    package static func schema(ofObject properties: Object, required: [String] = []) -> JSON {
        [
            "type": "object",
            "properties": .object(properties),
            "required": .array(required.map { .string($0) }),
            "patternProperties": ["^x-": true],
            "additionalProperties": false,
        ]
    }

    /// Returns the schema of an object that one member names, beside optional members.
    package static func schema(ofMember name: String, _ value: JSON, beside: Object = [:]) -> JSON {
        var properties: Object = [:]
        properties[name] = value
        for member in beside { properties[member.key] = member.value }
        return schema(ofObject: properties, required: [name])
    }

    /// The schemas of `id`, `note`, and `disabled`, which every operator and filter may have.
    package static let schemasOfNotes: Object = [
        "id": ["type": "string"], "note": ["type": "string"], "disabled": ["type": "boolean"],
    ]
}
