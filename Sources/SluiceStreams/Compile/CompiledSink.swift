import SluiceExpressions
package import SluiceJSON

/// A sink that was compiled: it decides which outputs are delivered, and renders them.
package struct CompiledSink: Sendable {
    private enum Field: Sendable {
        case plain(JSON)
        case expression(StreamExpression)
    }

    /// The id.
    package let id: String
    /// The name of its kind.
    package let kind: String
    /// The name under which the host has its receiver.
    package let receiver: String
    /// A Boolean value that indicates whether deliveries are held back.
    package let isDisabled: Bool
    /// The rules of delivery.
    package let rules: SinkRules
    /// The text of everything that decides what is delivered. It differs after an edit that changes that.
    package let fingerprint: String
    /// The name of the argument that is the content of a delivery, such as the body; `nil` where all arguments are.
    package let content: String?
    private let condition: StreamExpression?
    private let key: StreamExpression?
    private let fields: [(name: String, field: Field)]

    /// Creates a sink from its stage, and records errors in its arguments.
    init(_ sink: StreamSink, _ kind: SinkKind, _ stage: Stage) {
        var rules = SinkRules()
        id = sink.id ?? kind.name
        self.kind = kind.name
        content = kind.content
        isDisabled = sink.isDisabled
        stage.readRules(into: &rules)
        kind.check(stage)
        self.rules = rules
        condition = stage.has("when") ? stage.sinkExpression("when", of: stage.item, answering: .bool) : nil
        key = stage.has("key") ? stage.sinkExpression("key", of: stage.item) : nil
        let item: CELType = stage.has("batch") ? .list(stage.item) : stage.item
        var fields: [(String, Field)] = []
        for parameter in kind.own where parameter.name != kind.registered {
            if case .expression = parameter.form {
                let implied = stage.has(parameter.name) ? nil : kind.implied[parameter.name]
                guard stage.has(parameter.name) || implied != nil else { continue }
                // The item itself needs no evaluation.
                guard implied != "x" else {
                    fields.append((parameter.name, .expression(.missing)))
                    continue
                }
                fields.append((parameter.name, .expression(stage.sinkExpression(parameter.name, of: item))))
            } else if let json = stage.sinkArgument(parameter) ?? parameter.standard {
                fields.append((parameter.name, .plain(json)))
            }
        }
        self.fields = fields
        receiver = kind.registered.flatMap { stage.text($0) } ?? kind.name
        var writer = JSONWriter()
        writer.value(WrittenArguments(kind.parameters, sink.arguments, []))
        // The values of the document's parameters are part of what is delivered.
        let parameters = stage.scope.parameters.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        // So is a stack that is named, whose text is elsewhere.
        let stack = rules.stack.flatMap { $0.id == nil ? nil : $0.text }.map { [$0] } ?? []
        fingerprint = ([kind.name, writer.text] + parameters + stack).joined(separator: "\n")
    }

    /// A Boolean value that indicates whether every output is delivered, in one order.
    package var takesAll: Bool { condition == nil && (key == nil || rules.concurrency == 1) }

    /// Returns a Boolean value that indicates whether an output is delivered.
    ///
    /// - Throws: ``StreamError`` when the condition can't be evaluated.
    package func accepts(_ item: JSON) throws -> Bool {
        var cost = 0
        return try accepts(item, cost: &cost)
    }

    /// Returns a Boolean value as ``accepts(_:)`` does, and adds the cost of the evaluation to `cost`.
    package func accepts(_ item: JSON, cost: inout Int) throws -> Bool {
        guard let condition else { return true }
        guard case .bool(let value)? = try condition.evaluated([CELValue(item)], cost: &cost) else {
            throw StreamError(message: "\"when\" does not answer true or false")
        }
        return value
    }

    /// Returns the key of an output, of which deliveries keep the order; `nil` where all outputs share one order.
    ///
    /// - Throws: ``StreamError`` when the key can't be evaluated.
    package func key(of item: JSON) throws -> String? {
        var cost = 0
        return try key(of: item, cost: &cost)
    }

    /// Returns a key as ``key(of:)`` does, and adds the cost of the evaluation to `cost`.
    package func key(of item: JSON, cost: inout Int) throws -> String? {
        guard rules.concurrency > 1, let key else { return nil }
        guard let value = try key.evaluated([CELValue(item)], cost: &cost) else { return nil }
        return try value.json().description
    }

    /// Returns the request for outputs: the arguments of the sink with its expressions evaluated.
    ///
    /// - Parameter items: one output, or those of a batch.
    /// - Throws: ``StreamError`` when an expression can't be evaluated.
    package func request(for items: [JSON]) throws -> JSON {
        var cost = 0
        return try request(for: items, cost: &cost)
    }

    /// Returns a request as ``request(for:)`` does, and adds the cost of the evaluations to `cost`.
    package func request(for items: [JSON], cost: inout Int) throws -> JSON {
        let item: JSON = rules.batchCount > 1 || items.count != 1 ? .array(items) : items[0]
        var object = JSON.Object()
        for (name, field) in fields {
            switch field {
            case .plain(let json): object[name] = json
            case .expression(let expression):
                object[name] = try expression.evaluated([CELValue(item)], cost: &cost)?.json() ?? item
            }
        }
        return .object(object)
    }
}

extension StreamCompiler {
    /// Returns the sinks of a document, for items of a type.
    func compile(_ sinks: [StreamSink], for item: CELType, _ scope: CompilationScope) -> [CompiledSink] {
        let path = scope.path.appending("sinks")
        return sinks.enumerated().compactMap { index, sink in
            let place = path.appending(index)
            guard let kind = sink.kind, sink.unknown == nil else {
                if sink.kind == nil { noteUnknown("sink", sink.name, place) }
                return nil
            }
            let stage = Stage(
                compiler: self,
                scope: scope.at(place.appending(sink.name)),
                parameters: kind.parameters,
                arguments: sink.arguments,
                input: .never,
                item: item
            )
            return CompiledSink(sink, kind, stage)
        }
    }
}

extension Stage {
    /// Returns the argument of a sink that is no expression; `nil` where it is absent.
    fileprivate func sinkArgument(_ parameter: Parameter) -> JSON? {
        guard has(parameter.name) else { return nil }
        switch parameter.form {
        case .text: return text(parameter.name).map { .string(literal($0, parameter.name)) }
        case .choice: return choice(parameter.name).map { .string($0) }
        case .count: return optionalCount(parameter.name).map { .int(Int64($0)) }
        case .bool: return .bool(bool(parameter.name, default: false))
        default:
            var object = JSON.Object()
            for (key, value) in self.object(parameter.name).sorted(by: { $0.key < $1.key }) { object[key] = value }
            if parameter.name == "headers" { checkFields(object) }
            return .object(object)
        }
    }

    /// Returns a text in which `$${` is the text `${`, and records an error for what would be an expression elsewhere: a
    /// request to an address with `${x.id}` in it would be delivered where nobody expects it.
    private func literal(_ text: String, _ name: String) -> String {
        guard text.contains("${") else { return text }
        return pieces(text, name).map { piece in
            switch piece {
            case .text(let text): return text
            case .expression(let expression): noteConstant(expression, name)
            case .secret: note(name, "a secret can be used in \"headers\" and in credentials only")
            }
            return ""
        }.joined()
    }

    /// Records the errors in the header fields of a sink, in which `${secret:NAME}` is a secret.
    private func checkFields(_ fields: JSON.Object) {
        for (_, value) in fields {
            guard let text = value.string, text.contains("${") else { continue }
            for case .expression(let expression) in pieces(text, "headers") { noteConstant(expression, "headers") }
        }
    }

    private func noteConstant(_ expression: String, _ name: String) {
        note(
            name,
            "${\(expression.prefix(100))} has no value here: this is the same for all outputs",
            hint: "write $${ for the text ${; expressions such as \"body\" see the output"
        )
    }

    /// Reads the rules of delivery.
    fileprivate func readRules(into rules: inout SinkRules) {
        if let count = optionalCount("concurrency") {
            rules.concurrency = min(count, SinkRules.largestConcurrency)
            if count > SinkRules.largestConcurrency {
                note("concurrency", "expected at most \(SinkRules.largestConcurrency), found \(count)")
            }
            if count > 1, !has("key") {
                note("concurrency", "needs \"key\": outputs of one key are delivered in order")
            }
            if count > 1, has("batch") { note("concurrency", "can't be combined with \"batch\"", hint: "remove one") }
        }
        if has("key"), rules.concurrency == 1 {
            note("key", "has no effect without \"concurrency\" above 1", hint: "add \"concurrency\"")
        }
        if has("batch") { readBatch(into: &rules) }
        rules.stack = connectorStack(of: .sink)
        if let policy = choice("onFailure").flatMap(SinkRules.FailurePolicy.init) { rules.onFailure = policy }
        if let text = text("from") {
            if let start = SinkRules.Start(text) {
                rules.start = start
            } else {
                note(
                    "from",
                    "expected \"now\", \"start\", or the cursor of an output such as \"2-17\", found \"\(text)\""
                )
            }
        }
    }

    private func readBatch(into rules: inout SinkRules) {
        rules.batchCount = SinkRules.largestBatch
        let members = object("batch")
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            switch (key, value) {
            case ("count", .int(let count)) where (2...Int64(SinkRules.largestBatch)).contains(count):
                rules.batchCount = Int(count)
            case ("count", _):
                note("batch", "count: expected a whole number from 2 to \(SinkRules.largestBatch), found \(value)")
            case ("seconds", _):
                guard let seconds = value.double, seconds > 0, seconds <= 86_400 else {
                    note("batch", "seconds: expected a number above 0, up to 86400, found \(value)")
                    continue
                }
                rules.batchSeconds = seconds
            default: note("batch", "unknown key \(JSON.string(key))", hint: "known: count, seconds")
            }
        }
        if members.isEmpty { note("batch", "needs \"count\", \"seconds\", or both") }
    }
}
