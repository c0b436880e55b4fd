import SluiceExpressions
import SluiceJSON

/// An operator or a source at its scope in a stream that is being compiled, with its input and its checked arguments.
///
/// Errors are recorded, and a harmless default is returned, so that the rest is checked too.
struct Stage {
    let compiler: StreamCompiler
    /// The path of its arguments.
    let scope: CompilationScope
    let parameters: [Parameter]
    let arguments: [String: Argument]
    /// The stream that an operator acts on.
    let input: Flow<CELValue>
    /// The type of the items: of the input at first, then of the output.
    var item: CELType
    /// The type of a source's items by the schema that the document declares, before they are checked.
    var declared = CELType.dyn

    // MARK: Plain arguments

    /// Returns a Boolean value that indicates whether a key is present.
    func has(_ name: String) -> Bool { arguments[name] != nil }

    /// Returns a whole number.
    func count(_ name: String = "count") -> Int { optionalCount(name) ?? 1 }

    /// Returns a whole number, or `nil` if the key is missing.
    func optionalCount(_ name: String = "count") -> Int? {
        guard let json = json(name) else { return nil }
        guard case .count(let least) = form(name) else { return nil }
        guard case .int(let value) = json, value >= least, value <= Int64(Int32.max) else {
            note(name, "expected a whole number from \(least) to \(Int32.max), found \(json)")
            return nil
        }
        return Int(value)
    }

    /// Returns a time.
    func seconds(_ name: String = "seconds") -> StreamTime { optionalSeconds(name) ?? .zero }

    /// Returns a time, or `nil` if the key is missing.
    func optionalSeconds(_ name: String = "seconds") -> StreamTime? {
        guard let json = json(name) else { return nil }
        guard let number = json.double, let time = StreamTime(seconds: number) else {
            note(name, "expected a number of seconds from 0 to \(Int(StreamTime.maximumSeconds)), found \(json)")
            return nil
        }
        switch form(name) {
        case .seconds(.aboveZero) where time == .zero:
            note(name, "expected a number of seconds above 0, found \(json)")
            return nil
        case .seconds(.from(let least)) where number < least:
            note(name, "expected a number of seconds from \(least), found \(json)")
            return nil
        default: return time
        }
    }

    /// Returns a Boolean value, or the default if the key is missing.
    func bool(_ name: String, default fallback: Bool) -> Bool {
        guard let json = json(name) else { return fallback }
        guard case .bool(let value) = json else {
            note(name, "expected true or false, found \(json)")
            return fallback
        }
        return value
    }

    /// Returns a text.
    func text(_ name: String) -> String? {
        guard let json = json(name) else { return nil }
        guard case .string(let value) = json else {
            note(name, "expected a string, found \(json)")
            return nil
        }
        return value
    }

    /// Returns one of the texts that the parameter allows.
    func choice(_ name: String) -> String? {
        guard let value = text(name), case .choice(let choices) = form(name) else { return nil }
        guard choices.contains(value) else {
            let hint = "one of: " + choices.joined(separator: ", ")
            note(name, "\(JSON.string(value)) is not allowed here", hint: hint)
            return nil
        }
        return value
    }

    /// The treatment of items for which the operator fails.
    var errorPolicy: ErrorPolicy { choice("onError").flatMap(ErrorPolicy.init) ?? .fail }

    // MARK: Values

    /// Returns a value.
    func value(_ name: String = "value") -> CELValue { optionalValue(name) ?? .null }

    /// Returns a value, or `nil` if the key is missing.
    func optionalValue(_ name: String = "value") -> CELValue? { json(name).flatMap { value($0, name) } }

    /// Returns the values of an array.
    func values(_ name: String = "values") -> [CELValue] {
        guard let json = json(name) else { return [] }
        guard case .array(let elements) = json else {
            note(name, "expected an array, found \(json)")
            return []
        }
        return elements.compactMap { value($0, name) }
    }

    /// Returns the members of an object.
    func object(_ name: String) -> [String: JSON] {
        guard let json = json(name) else { return [:] }
        guard case .object(let object) = json else {
            note(name, "expected an object, found \(json)")
            return [:]
        }
        return Dictionary(object.map { ($0.key, $0.value) }) { $1 }
    }

    private func value(_ json: JSON, _ name: String) -> CELValue? {
        do throws(CELError) { return try CELValue(json) } catch {
            note(name, error.issues.first?.message ?? "\(error)")
            return nil
        }
    }

    // MARK: Streams

    /// Returns the stream of a source argument.
    ///
    /// - Parameter name: The name and type by which its expressions see the item for which it was started.
    func source(_ key: String = "source", for item: (name: String, type: CELType)? = nil) -> TypedFlow {
        guard case .source(let source) = arguments[key] else { return TypedFlow(.never) }
        var flow = compiler.source(source, inner(key, item).deeper())
        flow.flow = compiler.nested(flow.flow, key)
        return flow
    }

    /// The streams of an array of sources.
    var sources: [TypedFlow] {
        guard case .sources(let sources) = arguments["sources"] else { return [] }
        return sources.enumerated().map { index, source in
            let scope = scope.deeper().at(scope.path.appending("sources").appending(index))
            var flow = compiler.part(source, scope)
            flow.flow = compiler.nested(flow.flow, StageKey.source(index))
            return flow
        }
    }

    /// The stream of `source` and those of `sources`; at least one is required.
    var others: [TypedFlow] {
        let flows = (has("source") ? [source()] : []) + sources
        if flows.isEmpty {
            compiler.note(scope.path, "another stream is missing", hint: "give \"source\" or \"sources\"")
        }
        return flows
    }

    /// Returns the stream of an input with the operators of an argument applied.
    func operators(on input: TypedFlow, for item: (name: String, type: CELType)? = nil) -> TypedFlow {
        guard case .operators(let operators) = arguments["operators"] else { return input }
        var flow = compiler.operators(operators, on: input, inner("operators", item).deeper())
        flow.flow = compiler.nested(flow.flow, "operators")
        return flow
    }

    private func inner(_ key: String, _ item: (name: String, type: CELType)?) -> CompilationScope {
        let inner = scope.at(scope.path.appending(key))
        return item.map { inner.inside($0.name, $0.type) } ?? inner
    }

    // MARK: Expressions

    /// The variables of an expression.
    enum Variables {
        /// The item `x` and its index `i`.
        case item
        /// The variables `acc`, `x`, and `i`.
        case accumulation
        /// The variables `a`, `b`, … for the values of several streams, up to 26.
        case joined([CELType])
        /// The variable `error`: the message of a stream's failure.
        case error
        /// The item `x` alone, of a type.
        case only(CELType)
        /// The item `a` of the outer stream, the item `x` of the inner stream, and the index `i` of `x`.
        case flattened(CELType)
    }

    /// Returns an expression, checked against the types of its variables.
    ///
    /// - Parameter type: The required type of its result; `nil` for any type.
    func expression(
        _ variables: Variables,
        _ name: String = "expression",
        answering type: CELType? = nil
    ) -> StreamExpression {
        guard let text = text(name) else { return .missing }
        let declared: [(String, CELType)] =
            switch variables {
            case .item: [("x", item), ("i", .int)]
            case .accumulation: [("acc", .dyn), ("x", item), ("i", .int)]
            case .joined(let types): zip(Self.letters, types).map { ($0, $1) }
            case .error: [("error", .string)]
            case .only(let type): [("x", type)]
            case .flattened(let inner): [("a", item), ("x", inner), ("i", .int)]
            }
        if case .joined(let types) = variables, types.count > Self.letters.count {
            note(name, "an expression sees at most \(Self.letters.count) streams, a to z, found \(types.count)")
            return .missing
        }
        return compile(text, declared, name, answering: type)
    }

    /// Returns an expression whose result may be `null` or a value: where one branch of a `?:` is `null`, the other one may
    /// have any type, and the type of both is dynamic.
    func nullableExpression(_ name: String = "expression") -> StreamExpression {
        guard let text = text(name) else { return .missing }
        return compile(text, [("x", item), ("i", .int)], name, answering: nil, joinsNull: true)
    }

    /// Returns an expression of a sink, which sees the output `x` alone.
    func sinkExpression(_ name: String, of item: CELType, answering type: CELType? = nil) -> StreamExpression {
        expression(.only(item), name, answering: type)
    }

    /// Returns an optional expression.
    func optionalExpression(
        _ variables: Variables,
        _ name: String = "expression",
        answering type: CELType? = nil
    ) -> StreamExpression? {
        has(name) ? expression(variables, name, answering: type) : nil
    }

    /// Returns the expression of an accumulator and sets the type of the items. The expression is checked with the
    /// initial value's type, which becomes dynamic if the result has another type.
    mutating func accumulation(from initial: CELValue?, _ name: String = "expression") -> StreamExpression {
        guard let text = text(name) else { return .missing }
        let type = initial.map(CELType.init(of:)) ?? item
        let known = compiler.issueCount
        let typed = compile(text, [("acc", type), ("x", item), ("i", .int)], name, answering: nil)
        if compiler.issueCount == known && typed.type == type {
            compiler.accumulates(type, at: scope.path)
            item = type
            return typed
        }
        compiler.forget(after: known)
        let shape: CELType = item.hasShape ? .dyn.refined(by: item.shape) : .dyn
        item = .dyn
        return compile(text, [("acc", .dyn), ("x", shape), ("i", .int)], name, answering: nil)
    }

    /// Makes an edit of the document try an expression on the state that it would keep.
    func tries(_ expression: StreamExpression, _ kind: StateTrial.Kind) {
        compiler.tries(StateTrial(expression: expression, kind: kind), at: scope.path)
    }

    private static let letters = "abcdefghijklmnopqrstuvwxyz".map { String($0) }

    /// Returns an expression of a template, which sees the items of enclosing streams; the name of a parameter is its value.
    func templateExpression(_ text: String, _ name: String) -> StreamExpression {
        let word = text.filter { $0 != " " }
        let isParameter = scope.parameters[word] != nil || scope.items[word] != nil
        return compile(isParameter ? "${\(word)}" : text, [], name, answering: nil)
    }

    /// Returns the text of an expression of the page `x` that the source itself evaluates, checked, with the document's
    /// parameters substituted; `nil` for an invalid one.
    func pageExpression(_ text: String, _ name: String) -> String? {
        if compiler.budget.isExhausted {
            compiler.noteExhaustion(scope.path.appending(name))
            return nil
        }
        var items: [String: OuterItem] = [:]
        guard let text = substituted(text, name, &items) else { return nil }
        guard items.isEmpty else {
            note(name, "the expression of a page sees \"x\" alone, and no items of other streams")
            return nil
        }
        do throws(CELError) {
            _ = try CELExpression(text, variables: ["x": .dyn], promotesInts: true, budget: compiler.budget)
            return text
        } catch {
            for issue in error.issues { note(name, issue.message, hint: issue.hint) }
            return nil
        }
    }

    /// Returns the value at a key as it is written, with templates in it.
    func written(_ name: String) -> JSON? {
        guard case .json(let json) = arguments[name] else { return nil }
        return json
    }

    private func compile(
        _ text: String,
        _ declared: [(String, CELType)],
        _ name: String,
        answering type: CELType?,
        joinsNull: Bool = false
    ) -> StreamExpression {
        let path = scope.path.appending(name)
        compiler.noteFields(of: declared + scope.outer, at: path)
        var items: [String: OuterItem] = [:]
        // Only the first expression beyond the budget is reported; those after it exceed it too.
        if compiler.budget.isExhausted {
            compiler.noteExhaustion(path)
            return .missing
        }
        guard let text = substituted(text, name, &items) else { return .missing }
        do throws(CELError) {
            let expression = try StreamExpression(
                text,
                declared,
                outer: scope.outer,
                items: items,
                path: path,
                joinsNull: joinsNull,
                budget: compiler.budget
            )
            if let type, !expression.type.mayBe(type) {
                compiler.note(path, "the expression answers \(expression.type), \(type) is wanted")
            }
            return expression
        } catch {
            for issue in error.issues {
                compiler.note(path, issue.message, hint: issue.hint, line: issue.line, column: issue.column)
            }
            return .missing
        }
    }

    // MARK: Parameters of the document

    /// Returns the value at a key, with the document's parameters substituted.
    func json(_ name: String) -> JSON? {
        guard case .json(let json) = arguments[name] else { return nil }
        return resolved(json, name)
    }

    /// Substitutes `"${low}"` with the value of the parameter `low`.
    private func resolved(_ json: JSON, _ name: String) -> JSON? {
        switch json {
        case .string(let text):
            guard form(name) != .expression, text.hasPrefix("${"), text.hasSuffix("}"),
                !text.dropFirst(2).contains("${")
            else { return json }
            let parameter = String(text.dropFirst(2).dropLast())
            if scope.items[parameter] != nil {
                note(
                    name,
                    "the parameter \(JSON.string(parameter)) is an item, known only when the stream is started",
                    hint: "use ${\(parameter)} in an expression"
                )
                return nil
            }
            return self.parameter(parameter, name)
        case .array(let elements): return .array(elements.compactMap { resolved($0, name) })
        default: return json
        }
    }

    /// Returns an expression with `${low}` replaced by the value of the parameter `low`, in the expression language; or
    /// by the name of a variable, which is added to `items`, if it represents an item.
    private func substituted(_ text: String, _ name: String, _ items: inout [String: OuterItem]) -> String? {
        guard text.contains("${") else { return text }
        var (result, rest) = ("", Substring(text))
        var written: [String: String] = [:]
        while let start = rest.firstRange(of: "${") {
            result += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
                note(name, "a parameter is not closed", hint: "write ${name}")
                return nil
            }
            let parameter = String(rest[start.upperBound..<end])
            if let item = scope.items[parameter] {
                let variable = variable(for: parameter, in: text)
                items[variable] = item
                result += variable
            } else {
                guard let json = self.parameter(parameter, name) else { return nil }
                if written[parameter] == nil, let value = value(json, name) { written[parameter] = "(\(value))" }
                guard let value = written[parameter] else { return nil }
                result += value
            }
            guard result.utf8.count <= CELLimits().maximumTextLength else {
                note(name, "the expression has more than \(CELLimits().maximumTextLength) bytes with its parameters")
                return nil
            }
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// Returns the name of a variable for a parameter: one that doesn't occur in the text.
    private func variable(for parameter: String, in text: String) -> String {
        let index = scope.items.keys.sorted().firstIndex(of: parameter) ?? 0
        var name = "parameter\(index)_"
        while text.contains(name) { name += "_" }
        return name
    }

    /// Returns the values that a reference gives to the parameters of its document, and items by `"${a}"`. If a
    /// parameter of this document and an item have the same name, the parameter is used.
    func givenParameters(_ name: String = "parameters") -> GivenParameters {
        var given = GivenParameters()
        for (key, json) in object(name).sorted(by: { $0.key < $1.key }) {
            guard case .string(let text) = json, text.hasPrefix("${"), text.hasSuffix("}") else {
                given.values[key] = json
                continue
            }
            let parameter = String(text.dropFirst(2).dropLast())
            if let value = scope.parameters[parameter] {
                given.values[key] = value
            } else if let item = scope.items[parameter] {
                given.items[key] = item
            } else if let distance = scope.outer.firstIndex(where: { $0.name == parameter }) {
                given.items[key] = OuterItem(type: scope.outer[distance].type, distance: distance)
            } else {
                let known = scope.parameters.keys.sorted() + scope.items.keys.sorted() + scope.outer.map(\.name)
                compiler.note(
                    scope.path.appending(name).appending(key),
                    "there is no parameter or item \(JSON.string(parameter))",
                    hint: known.isEmpty ? nil : "known: " + known.joined(separator: ", ")
                )
            }
        }
        return given
    }

    private func parameter(_ parameter: String, _ name: String) -> JSON? {
        if let value = scope.parameters[parameter] { return value }
        let known = (scope.parameters.keys.sorted() + scope.items.keys.sorted()).joined(separator: ", ")
        note(
            name,
            "there is no parameter \(JSON.string(parameter))",
            hint: known.isEmpty ? "declare it under \"parameters\"" : "known: \(known)"
        )
        return nil
    }

    private func form(_ name: String) -> Parameter.Form? { parameters.first { $0.name == name }?.form }

    /// Records an error at an argument.
    func note(_ name: String, _ message: String, hint: String? = nil) {
        compiler.note(scope.path.appending(name), message, hint: hint)
    }
}
