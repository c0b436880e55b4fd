public import SluiceJSON

extension StackDocument {
    /// The JSON Schema of documents (draft 2020-12), for editors that complete and check text while it is typed.
    ///
    /// It describes the keys of every filter. It leaves out checks that need the whole document, such as the names of
    /// budgets.
    public static let jsonSchema: JSON = {
        let text: JSON = ["type": "string"]
        let document = JSON.schema(
            ofObject: [
                "schema": ["const": .string(StackReader.schema)], "id": text,
                "revision": ["type": "integer", "minimum": 1], "name": text, "description": text,
                "budgets": ["type": "object", "additionalProperties": StackSchema.object(BudgetKeys.parameters)],
                "filters": ["$ref": "#/$defs/filters"],
                "balancer": StackSchema.object(BalancerKeys.parameters),
            ],
            required: ["filters"]
        )
        let filters = FilterKinds.all.map { kind -> JSON in
            .schema(ofMember: kind.name, StackSchema.object(kind.parameters), beside: JSON.schemasOfNotes)
        }
        var schema: JSON.Object = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": .string(StackReader.schema),
            "title": "A filter stack of Sluice",
        ]
        for member in document.object ?? [:] { schema[member.key] = member.value }
        schema["$defs"] = [
            "filters": [
                "type": "array", "maxItems": .int(Int64(StackReader.mostFilters)), "items": ["$ref": "#/$defs/filter"],
            ],
            "filter": ["anyOf": .array(filters)],
        ]
        return .object(schema)
    }()
}

/// The schemas of values in stack documents.
private enum StackSchema {
    static func object(_ parameters: [StackParameter]) -> JSON {
        var properties: JSON.Object = [:]
        for parameter in parameters {
            var schema = form(parameter.form).object ?? [:]
            if !parameter.meaning.isEmpty { schema["description"] = .string(parameter.meaning) }
            if let standard = parameter.standard { schema["default"] = standard }
            properties[parameter.name] = .object(schema)
        }
        return .schema(ofObject: properties, required: parameters.filter(\.isRequired).map(\.name))
    }

    private static func form(_ form: StackParameter.Form) -> JSON {
        switch form {
        case .seconds(let isPositive):
            ["type": "number", isPositive ? "exclusiveMinimum" : "minimum": 0, "maximum": 3_155_760_000]
        case .count(let range):
            [
                "type": "integer", "minimum": .int(Int64(range.lowerBound)), "maximum": .int(Int64(range.upperBound)),
            ]
        case .number(let range):
            [
                "type": "number", "minimum": JSON(number: range.lowerBound), "maximum": JSON(number: range.upperBound),
            ]
        case .text: ["type": "string", "minLength": 1]
        case .budget: ["type": "string"]
        case .choice(let choices): ["enum": .array(choices.map { .string($0) })]
        case .bool: ["type": "boolean"]
        case .value: [:]
        case .oneOf(let kinds): ["anyOf": .array(kinds.map(kind))]
        case .countOr(let range, let kinds): ["anyOf": .array([self.form(.count(range))] + kinds.map(kind))]
        case .list(let form, let most):
            ["type": "array", "minItems": 1, "maxItems": .int(Int64(most)), "items": self.form(form)]
        case .filters: ["$ref": "#/$defs/filters"]
        }
    }

    private static func kind(_ kind: StackKind) -> JSON { .schema(ofMember: kind.name, object(kind.parameters)) }
}
