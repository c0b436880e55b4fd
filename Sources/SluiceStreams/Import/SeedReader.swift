import SluiceJSON

/// A reader of combine-magic's shapes that records errors and writes documents.
struct SeedReader {
    /// The names of the streams that the program used when nothing was stored.
    private static let defaultNames = ("Serial Stream A", "Serial Stream B")
    /// The keys under which the program stored its arrays.
    private static let storedKeys = [
        "storedStreams", "storedOperationStreams", "storedTransformingOperationStreams",
        "storedUnifyingOperationStreams",
        "storedJoinOperationStreams",
    ]

    private var check = JSONValidator()
    private var models: [Model] = []

    private struct Model {
        let node: JSONNode
        let id: String?
        let name: String?
        let description: String?
        let body: Body
    }

    private enum Body {
        case stream(items: [JSON], isDefault: Bool)
        case operation([JSON], hasExpressions: Bool)
        case unifying(String)
    }

    mutating func read(_ root: JSONNode) {
        if root.kind == .array { return root.elements.forEach { model($0) } }
        let isStored = root.members.contains { Self.storedKeys.contains($0.key) }
        guard isStored else { return model(root) }
        guard let fields = check.object(root, keys: Self.storedKeys) else { return }
        for key in Self.storedKeys { check.elements(fields[key]).forEach { model($0) } }
    }

    private mutating func model(_ node: JSONNode) {
        guard check.expect(.object, node) else { return }
        let shapes = ["stream", "operators", "operatorItem"].filter { node[$0] != nil }
        guard shapes.count == 1, let shape = shapes.first else {
            let found = shapes.isEmpty ? "none of them" : shapes.joined(separator: " and ")
            check.note(
                .missingKey,
                at: node,
                "a stream of the program has one of the keys stream, operators, operatorItem; this has \(found)"
            )
            return
        }
        let keys = ["id", "name", "description", shape] + (shape == "stream" ? ["isDefault"] : [])
        guard let fields = check.object(node, keys: keys) else { return }
        let id = check.string(fields["id"])
        let name = check.optionalString(fields["name"])
        let description = check.optionalString(fields["description"])
        guard let body = body(shape, fields) else { return }
        models.append(Model(node: node, id: id, name: name, description: description, body: body))
    }

    private mutating func body(_ shape: String, _ fields: JSONFields) -> Body? {
        switch shape {
        case "stream":
            let items = check.elements(fields["stream"]).compactMap { item($0) }
            return .stream(items: items, isDefault: check.bool(fields["isDefault"]) ?? false)
        case "operators":
            var hasExpressions = false
            let operators = check.elements(fields["operators"]).compactMap { self.operator($0, &hasExpressions) }
            return .operation(operators, hasExpressions: hasExpressions)
        default:
            let names = ["merge", "flatMap", "append", "zip", "combineLatest"]
            return check.string(fields["operatorItem"], oneOf: names).map { .unifying($0) }
        }
    }

    private mutating func item(_ node: JSONNode) -> JSON? {
        guard let fields = check.object(node, keys: ["value", "operators"], required: ["value"]),
            let value = check.json(fields["value"])
        else { return nil }
        var operators: [JSON] = []
        for node in check.elements(fields["operators"]) {
            guard let member = check.namedMember(node, names: ["delay"], what: "operator of an item"),
                member.key == "delay",
                let parameters = check.object(member.value, keys: ["seconds"], required: ["seconds"]),
                check.double(parameters["seconds"], in: 0...StreamTime.maximumSeconds) != nil,
                let seconds = check.json(parameters["seconds"])
            else { continue }
            operators.append(["delay": ["seconds": seconds]])
        }
        return ["value": value, "operators": .array(operators)]
    }

    private mutating func `operator`(_ node: JSONNode, _ hasExpressions: inout Bool) -> JSON? {
        let names = ["filter", "dropFirst", "map", "scan"]
        guard let member = check.namedMember(node, names: names, what: "operator"), names.contains(member.key) else {
            return nil
        }
        switch member.key {
        case "dropFirst":
            guard let fields = check.object(member.value, keys: ["count"], required: ["count"]),
                let count = check.int(fields["count"], in: 0...Int.max)
            else { return nil }
            return ["dropFirst": ["count": JSON(count)]]
        case "scan":
            hasExpressions = true
            let keys = ["initialValue", "expression"]
            guard let fields = check.object(member.value, keys: keys, required: keys) else { return nil }
            let initial = check.int(fields["initialValue"])
            guard let text = expression(fields["expression"], .scan), let initial else { return nil }
            return ["scan": ["initialValue": JSON(initial), "expression": text]]
        default:
            hasExpressions = true
            guard let fields = check.object(member.value, keys: ["expression"], required: ["expression"]),
                let text = expression(fields["expression"], member.key == "filter" ? .filter : .map)
            else { return nil }
            return [member.key: ["expression": text]]
        }
    }

    private mutating func expression(_ node: JSONNode?, _ use: PredicateFormat.Use) -> JSON? {
        guard let node, let text = check.string(node) else { return nil }
        do throws(PredicateFormat.Fault) {
            return .string(try PredicateFormat.cel(text, use))
        } catch {
            check.note(at: node, "character \(error.place) of the expression: \(error.message)", hint: error.hint)
            return nil
        }
    }
}

extension SeedReader {
    /// Returns the documents, if there are no errors.
    mutating func finish() throws(JSONErrors) -> [StreamImport.Document] {
        var seen = Set<String>()
        for model in models {
            guard let id = model.id, !seen.insert(id).inserted, let node = model.node["id"] else { continue }
            check.note(
                .duplicateKey,
                at: node,
                "the id \(JSON.string(id)) occurs twice",
                hint: "ids are for one stream each"
            )
        }
        try check.throwErrors()
        let defaults = models.filter { if case .stream(_, true) = $0.body { true } else { false } }
        let first = reference(defaults.first, Self.defaultNames.0)
        let last = reference(defaults.last, Self.defaultNames.1)
        return models.map { StreamImport.Document(json: document($0, first, last)) }
    }

    /// Returns a reference to a stream: by its name if that is unique, otherwise by its id.
    private func reference(_ model: Model?, _ fallback: String) -> JSON {
        guard let model else { return ["ref": .string(fallback)] }
        let isUnique = models.filter { $0.name == model.name }.count == 1
        let name = isUnique ? model.name : nil
        return ["ref": .string(name ?? model.id ?? model.name ?? fallback)]
    }

    private func document(_ model: Model, _ first: JSON, _ last: JSON) -> JSON {
        var document: JSON = ["schema": .string(DocumentReader.schema)]
        document["id"] = model.id.map { .string($0) }
        document["name"] = model.name.map { .string($0) }
        document["description"] = model.description.map { .string($0) }
        switch model.body {
        case .stream(let items, let isDefault):
            if isDefault { document["isDefault"] = true }
            document["stream"] = .array(items)
        case .operation(let operators, let hasExpressions):
            document["source"] = first
            document["operators"] = .array((hasExpressions ? [Self.numbers] : []) + operators)
        case .unifying("flatMap"):
            // Just("").flatMap { first }.flatMap { last }: the last stream, once for each value of the first.
            document["source"] = first
            document["operators"] = [["mergeMap": ["to": last]]]
        case .unifying(let name):
            document["source"] = [name: [first, last]]
        }
        return document
    }

    /// The conversion that the program applied before its expressions: `Int($0)`, which dropped everything that wasn't
    /// a number.
    static let numbers: JSON = [
        "compactMap": [
            "expression": #"string(x).matches('^[+-]?0*[0-9]{1,18}$') ? dyn(int(string(x))) : dyn(null)"#
        ]
    ]
}
