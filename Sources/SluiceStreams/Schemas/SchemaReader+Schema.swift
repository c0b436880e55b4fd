import SluiceJSON

extension SchemaReader {
    /// The JSON Schema of the schemas of items.
    static var schema: JSON {
        let inner: JSON = ["$ref": "#/$defs/schema"]
        let name: JSON = ["enum": .array(SchemaNode.Kind.allCases.map { .string($0.rawValue) })]
        var properties: JSON.Object = [
            "type": ["anyOf": [name, ["type": "array", "items": name, "minItems": 1]]],
            "properties": ["type": "object", "additionalProperties": ["anyOf": [inner, ["const": true]]]],
            "required": ["type": "array", "items": ["type": "string"]],
            "additionalProperties": ["anyOf": [inner, ["type": "boolean"]]],
            "items": ["anyOf": [inner, ["const": true]]],
            "enum": ["type": "array", "minItems": 1],
            "const": true,
        ]
        for annotation in annotations { properties[annotation] = true }
        return .schema(ofObject: properties)
    }
}
