internal import SluiceJSON

/// A reader of stack documents that collects all errors and the values with their defaults.
struct StackReader {
    static let schema = "sluice.stack/1"
    static let keys = ["schema", "id", "revision", "name", "description", "budgets", "filters", "balancer"]
    static let besides = ["id", "note", "disabled"]
    /// The maximum number of filters: calls nest, and each filter takes a part of the stack.
    static let mostFilters = 100

    /// A value that was read: `full` includes all defaults, and `text` is its canonical form.
    struct Value {
        var full: JSON
        var text: JSON
    }

    var check = JSONValidator()
    /// The names of the budgets, which are known before the filters are read.
    var budgets: [String] = []
    /// The filters of each endpoint.
    private(set) var endpointFilters: [StackDocument.Entry] = []
    private var taken: Set<String> = []

    // MARK: Filters

    mutating func entries(_ node: JSONNode?) -> [StackDocument.Entry] {
        let nodes = check.elements(node)
        if nodes.count > Self.mostFilters, let node {
            check.note(.limitExceeded, at: node, "\(nodes.count) filters: at most \(Self.mostFilters) may stand here")
            return []
        }
        return nodes.compactMap { entry($0) }
    }

    private mutating func entry(_ node: JSONNode) -> StackDocument.Entry? {
        let kinds = FilterKinds.all
        guard let member = check.namedMember(node, names: kinds.map { $0.name }, ignored: Self.besides, what: "filter")
        else {
            return nil
        }
        let id = check.string(node["id"])
        if let id, !taken.insert(id).inserted, let place = node["id"] {
            check.note(at: place, "the id \(JSON.string(id)) is taken", hint: "ids are unique within a stack")
        }
        let note = check.string(node["note"])
        let isDisabled = check.bool(node["disabled"]) ?? false
        guard let kind = kinds.first(where: { $0.name == member.key }) else { return nil }
        guard let value = object(member.value, kind.parameters) else { return nil }
        return StackDocument.Entry(
            id: id,
            kind: kind.name,
            note: note,
            isDisabled: isDisabled,
            form: kind,
            settings: StackSettings(json: value.full),
            text: value.text,
            kept: kept(node.members),
            path: node.path,
            position: node.position
        )
    }

    /// Returns the members of other programs.
    func kept(_ members: JSONNode.Members) -> [StackDocument.Kept] {
        members.filter { $0.key.hasPrefix("x-") }.map { StackDocument.Kept(key: $0.key, value: JSONSlice($0.value)) }
    }

    // MARK: Values

    /// Returns an object with these members, or `nil` if it contains an error.
    mutating func object(_ node: JSONNode, _ parameters: [StackParameter]) -> Value? {
        let names = parameters.map(\.name)
        let required = parameters.filter(\.isRequired).map(\.name)
        let before = issues
        guard let fields = check.object(node, keys: names, required: required) else { return nil }
        var (full, text): (JSON.Object, JSON.Object) = ([:], [:])
        for parameter in parameters {
            if let node = fields[parameter.name] {
                guard let value = value(node, parameter.form) else { continue }
                full[parameter.name] = value.full
                if value.full != parameter.standard { text[parameter.name] = value.text }
            } else if let standard = parameter.standard {
                full[parameter.name] = standard
            }
        }
        for member in fields.others where member.key.hasPrefix("x-") { text[member.key] = check.json(member.value) }
        if issues == before { relate(full, fields, parameters) }
        return issues == before ? Value(full: .object(full), text: .object(text)) : nil
    }

    private var issues: Int { check.errors.count + check.omittedCount }

    /// Checks the relations between members.
    private mutating func relate(_ full: JSON.Object, _ fields: JSONFields, _ parameters: [StackParameter]) {
        if let from = full["from"]?.double, let to = full["to"]?.double, from > to {
            let node = fields["to"] ?? fields["from"] ?? fields.node
            check.note(at: node, "\"to\" must not be less than \"from\": \(JSON(number: from)) to \(JSON(number: to))")
        }
        for parameter in parameters {
            guard let rule = parameter.rule, let found = fields.known[parameter.name] else { continue }
            let isFollowed =
                switch rule.condition {
                case .present: fields.known[rule.other] != nil
                case .absent: fields.known[rule.other] == nil
                case .equal(let text): full[rule.other]?.string == text
                }
            if !isFollowed { check.note(at: found.keyNode, rule.message, hint: rule.hint) }
        }
    }

    private mutating func value(_ node: JSONNode, _ form: StackParameter.Form) -> Value? {
        switch form {
        case .seconds(let isPositive): return seconds(node, isPositive: isPositive).map(same)
        case .count(let range): return check.int(node, in: range).map { same(JSON($0)) }
        case .number(let range): return check.double(node, in: range).map { same(JSON(number: $0)) }
        case .text:
            guard let text = check.string(node) else { return nil }
            guard !text.isEmpty else {
                check.note(at: node, "the text is empty")
                return nil
            }
            return same(.string(text))
        case .choice(let choices): return check.string(node, oneOf: choices).map { same(.string($0)) }
        case .bool: return check.bool(node).map { same(.bool($0)) }
        case .value: return check.json(node).map(same)
        case .budget: return budget(node)
        case .oneOf(let kinds): return oneOf(node, kinds)
        case .countOr(let range, let kinds):
            if node.kind == .object { return oneOf(node, kinds) }
            return check.int(node, in: range).map { same(JSON($0)) }
        case .list(let form, let most): return list(node, form, most)
        case .filters:
            // They are no settings of the balancer, which keeps its statistics when they change.
            endpointFilters = entries(node)
            return nil
        }
    }

    private func same(_ json: JSON) -> Value { Value(full: json, text: json) }

    private mutating func seconds(_ node: JSONNode, isPositive: Bool) -> JSON? {
        guard let seconds = check.double(node, in: 0...3_155_760_000) else { return nil }
        let nanoseconds = (seconds * 1e9).rounded()
        guard !isPositive || nanoseconds > 0 else {
            check.note(.numberOutOfRange, at: node, "the time must be more than 0", hint: "in seconds")
            return nil
        }
        return JSON(number: seconds)
    }

    private mutating func budget(_ node: JSONNode) -> Value? {
        guard let name = check.string(node) else { return nil }
        if budgets.isEmpty {
            check.note(at: node, "there is no budget \(JSON.string(name))", hint: "describe it under \"budgets\"")
            return nil
        }
        return check.string(node, oneOf: budgets).map { same(.string($0)) }
    }

    private mutating func oneOf(_ node: JSONNode, _ kinds: [StackKind]) -> Value? {
        let before = issues
        guard let member = check.namedMember(node, names: kinds.map(\.name), what: "kind") else { return nil }
        guard let kind = kinds.first(where: { $0.name == member.key }) else { return nil }
        guard let value = object(member.value, kind.parameters) else { return nil }
        if kind.isOfCalls, value.full["calls"] == nil, value.full["seconds"] == nil {
            check.note(.missingKey, at: member.value, "a rate of which calls?", hint: "add \"calls\" or \"seconds\"")
        }
        guard issues == before else { return nil }
        var text: JSON.Object = [kind.name: value.text]
        for other in node.members where other.key.hasPrefix("x-") { text[other.key] = check.json(other.value) }
        return Value(full: [kind.name: value.full], text: .object(text))
    }

    private mutating func list(_ node: JSONNode, _ form: StackParameter.Form, _ most: Int) -> Value? {
        let before = issues
        let nodes = check.elements(node)
        guard issues == before else { return nil }
        guard (1...most).contains(nodes.count) else {
            check.note(.limitExceeded, at: node, "expected from 1 to \(most) elements, found \(nodes.count)")
            return nil
        }
        let values = nodes.compactMap { value($0, form) }
        guard values.count == nodes.count else { return nil }
        return Value(full: .array(values.map(\.full)), text: .array(values.map(\.text)))
    }
}

extension JSON {
    /// Creates a number, without a fraction if it is whole: `1.0` and `1` mean the same in a stack.
    init(number: Double) {
        self = number == number.rounded() && abs(number) < 1e15 ? .int(Int64(number)) : .double(number)
    }
}
