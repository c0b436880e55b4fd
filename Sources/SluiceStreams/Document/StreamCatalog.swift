import SluiceJSON

/// A catalog of all operators, sources, and sinks with their names and parameters, for editors.
package enum StreamCatalog {
    /// The catalog as JSON text.
    package static let text: String = {
        let operators = OperatorKind.all.map { kind($0.name, $0.summary, $0.synonyms, $0.parameters, bare: nil) }
        let sources = SourceKind.all.map { kind($0.name, $0.summary, $0.synonyms, $0.parameters, bare: $0.bare) }
        let sinks = SinkKind.all.map { kind($0.name, $0.summary, [], $0.parameters, bare: nil) }
        let catalog: JSON = ["operators": .array(operators), "sources": .array(sources), "sinks": .array(sinks)]
        return catalog.description
    }()

    private static func kind(
        _ name: String,
        _ summary: String,
        _ synonyms: [String],
        _ parameters: [Parameter],
        bare: String?
    ) -> JSON {
        var kind: JSON.Object = [
            "name": .string(name), "summary": .string(summary), "synonyms": .array(synonyms.map { .string($0) }),
        ]
        kind["bare"] = bare.map { .string($0) }
        kind["parameters"] = .array(parameters.map { .object($0.entry) })
        return .object(kind)
    }
}

extension Parameter {
    fileprivate var entry: JSON.Object {
        var entry: JSON.Object = ["name": .string(name), "form": .string(form.name), "isRequired": .bool(isRequired)]
        if !meaning.isEmpty { entry["meaning"] = .string(meaning) }
        entry["default"] = standard
        switch form {
        case .choice(let choices): entry["choices"] = .array(choices.map { .string($0) })
        case .count(let least): entry["least"] = .int(Int64(least))
        case .seconds(let least):
            entry["isPositive"] = .bool(least != .zero)
            if case .from(let least) = least { entry["least"] = .double(least) }
        default: break
        }
        return entry
    }
}

extension Parameter.Form {
    fileprivate var name: String {
        switch self {
        case .expression: "expression"
        case .text: "text"
        case .choice: "choice"
        case .count: "count"
        case .seconds: "seconds"
        case .bool: "bool"
        case .value: "value"
        case .values: "values"
        case .object: "object"
        case .stack: "stack"
        case .source: "source"
        case .sources: "sources"
        case .operators: "operators"
        case .items: "items"
        }
    }
}
