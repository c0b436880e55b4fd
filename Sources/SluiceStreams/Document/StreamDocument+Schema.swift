public import SluiceJSON

extension StreamDocument {
    /// The JSON Schema of documents (draft 2020-12), for editors that complete and check text while it is typed.
    ///
    /// It describes the parameters of every operator, source, and sink. It leaves out checks that need the whole document,
    /// such as types of expressions and references.
    public static let jsonSchema: JSON = SchemaWriter().document
}

/// A generator of the schema of documents.
private struct SchemaWriter {
    var document: JSON {
        [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": "sluice.stream/1",
            "title": "A stream of Sluice",
            "type": "object",
            "properties": [
                "schema": ["const": .string(DocumentReader.schema)],
                "id": ["type": "string"],
                "revision": ["type": "integer", "minimum": 1],
                "name": ["type": ["string", "null"]],
                "description": ["type": ["string", "null"]],
                "isDefault": ["type": "boolean"],
                "behind": ["enum": .array(BehindPolicy.allCases.map { .string($0.rawValue) })],
                "gate": ["type": "boolean"],
                "partition": [
                    "type": "object",
                    "properties": [
                        "by": ["type": "string"],
                        "count": [
                            "type": "integer", "minimum": .int(Int64(StreamPartition.counts.lowerBound)),
                            "maximum": .int(Int64(StreamPartition.counts.upperBound)),
                        ],
                    ],
                    "required": ["by", "count"],
                    "additionalProperties": false,
                ],
                "parameters": ["type": "object"],
                "item": item,
                "source": ["$ref": "#/$defs/source"],
                "stream": ["$ref": "#/$defs/items"],
                "operators": ["$ref": "#/$defs/operators"],
                "sinks": ["type": "array", "items": ["$ref": "#/$defs/sink"]],
                "tests": ["type": "array", "items": ["$ref": "#/$defs/test"]],
            ],
            "patternProperties": ["^x-": true],
            "additionalProperties": false,
            "oneOf": [["required": ["source"]], ["required": ["stream"]]],
            "$defs": [
                "source": ["anyOf": .array([pipeline] + SourceKind.all.flatMap(source))],
                "operators": ["type": "array", "items": ["$ref": "#/$defs/operator"]],
                "operator": ["anyOf": .array(OperatorKind.all.flatMap(`operator`))],
                "sink": ["anyOf": .array(SinkKind.all.flatMap(sink))],
                "items": ["type": "array", "items": ["$ref": "#/$defs/item"]],
                "item": [
                    "type": "object",
                    "properties": ["value": true, "operators": ["$ref": "#/$defs/operators"]],
                    "required": ["value"],
                    "patternProperties": ["^x-": true],
                    "additionalProperties": false,
                ],
                "test": [
                    "type": "object",
                    "properties": [
                        "name": ["type": "string"],
                        "frame": ["type": "number", "exclusiveMinimum": 0],
                        "inputs": ["type": "object", "additionalProperties": input],
                        "values": ["type": "object"],
                        "expect": ["type": "string"],
                        "delivers": ["type": "object", "additionalProperties": ["type": "string"]],
                        "now": ["type": "string", "format": "date-time"],
                    ],
                    "anyOf": [["required": ["expect"]], ["required": ["delivers"]]],
                    "patternProperties": ["^x-": true],
                    "additionalProperties": false,
                ],
                "schema": SchemaReader.schema,
                "parameter": ["type": "string", "pattern": "^\\$\\{[^}]*\\}$"],
            ],
        ]
    }

    private var input: JSON {
        ["anyOf": [["type": "string"], ["type": "array", "items": ["type": "string"]]]]
    }

    private var item: JSON {
        ["anyOf": [["enum": .array(ItemType.named.map { .string($0.name) })], ["$ref": "#/$defs/schema"]]]
    }

    private var pipeline: JSON {
        [
            "type": "object",
            "properties": [
                "item": item, "source": ["$ref": "#/$defs/source"], "stream": ["$ref": "#/$defs/items"],
                "operators": ["$ref": "#/$defs/operators"],
            ],
            "patternProperties": ["^x-": true],
            "additionalProperties": false,
            "anyOf": [["required": ["source"]], ["required": ["stream", "operators"]]],
        ]
    }

    private func source(_ kind: SourceKind) -> [JSON] {
        let arguments = arguments(kind.parameters)
        let bare = kind.parameters.first { $0.name == kind.bare }.map { form($0.form) }
        let value: JSON = bare.map { ["anyOf": [$0, arguments]] } ?? arguments
        return ([kind.name] + kind.synonyms).map { .schema(ofMember: $0, value, beside: ["note": ["type": "string"]]) }
    }

    private func `operator`(_ kind: OperatorKind) -> [JSON] {
        ([kind.name] + kind.synonyms).map {
            .schema(ofMember: $0, arguments(kind.parameters), beside: JSON.schemasOfNotes)
        }
    }

    private func sink(_ kind: SinkKind) -> [JSON] {
        [.schema(ofMember: kind.name, arguments(kind.parameters), beside: JSON.schemasOfNotes)]
    }

    private func arguments(_ parameters: [Parameter]) -> JSON {
        var properties: JSON.Object = [:]
        for parameter in parameters { properties[parameter.name] = form(parameter.form) }
        return .schema(ofObject: properties, required: parameters.filter(\.isRequired).map(\.name))
    }

    private func seconds(_ bound: String, _ least: JSON) -> JSON {
        ["type": "number", bound: least, "maximum": .double(StreamTime.maximumSeconds)]
    }

    private func form(_ form: Parameter.Form) -> JSON {
        switch form {
        case .expression, .text: ["type": "string"]
        case .choice(let choices): orParameter(["enum": .array(choices.map { .string($0) })])
        case .count(let least): orParameter(["type": "integer", "minimum": .int(Int64(least))])
        case .seconds(.zero): orParameter(seconds("minimum", 0))
        case .seconds(.aboveZero): orParameter(seconds("exclusiveMinimum", 0))
        case .seconds(.from(let least)): orParameter(seconds("minimum", .double(least)))
        case .bool: orParameter(["type": "boolean"])
        case .value: true
        case .values: orParameter(["type": "array"])
        case .object: orParameter(["type": "object"])
        case .stack: ["type": ["string", "object"]]
        case .source: ["$ref": "#/$defs/source"]
        case .sources: ["type": "array", "items": ["$ref": "#/$defs/source"]]
        case .operators: ["$ref": "#/$defs/operators"]
        case .items: ["$ref": "#/$defs/items"]
        }
    }

    /// Returns a schema that also allows `"${low}"` in place of a plain argument.
    private func orParameter(_ schema: JSON) -> JSON { ["anyOf": [schema, ["$ref": "#/$defs/parameter"]]] }
}
