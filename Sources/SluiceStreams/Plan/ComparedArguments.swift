import SluiceExpressions
import SluiceJSON

/// The arguments of a stage.
struct Taken {
    let name: String
    let arguments: [String: Argument]
}

extension Located {
    /// Returns an argument with the document's parameters substituted, in texts and in the texts of arrays.
    ///
    /// - Parameter isTemplate: A Boolean value that indicates whether the texts within objects are templates, in which
    ///   parameters are substituted too.
    func resolved(_ argument: Argument?, isTemplate: Bool = false) -> Argument? {
        guard case .json(let json) = argument, !parameters.isEmpty else { return argument }
        return .json(resolved(json, isTemplate))
    }

    private func resolved(_ json: JSON, _ isTemplate: Bool) -> JSON {
        switch json {
        case .string(let text): return text.filled(with: parameters)
        case .array(let elements): return .array(elements.map { resolved($0, isTemplate) })
        case .object(let members) where isTemplate:
            var object = JSON.Object()
            for (key, value) in members { object[key] = resolved(value, isTemplate) }
            return .object(object)
        default: return json
        }
    }
}

extension String {
    /// Returns the text with each `${NAME}`, also with spaces around the name, replaced by the value of the parameter;
    /// the value itself if the text is only that.
    ///
    /// A name has no `${` in it.
    ///
    /// - Complexity: O(*n*) in the length of the text, without the values.
    func filled(with parameters: [String: JSON]) -> JSON {
        var (result, rest) = ("", Substring(self))
        var opening = rest.firstRange(of: "${")
        while let start = opening {
            result += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            opening = rest.firstRange(of: "${")
            let name = rest[..<(opening?.lowerBound ?? rest.endIndex)]
            guard let end = name.firstIndex(of: "}"), let value = parameters[name[..<end].filter { $0 != " " }] else {
                result += "${"
                continue
            }
            if start.lowerBound == startIndex, rest.index(after: end) == endIndex { return value }
            result += "(\(value))"
            rest = rest[rest.index(after: end)...]
        }
        return .string(result + rest)
    }
}

extension Located<Taken> {
    /// Returns the streams among the arguments, with their saved keys.
    func streams(_ parameters: [Parameter]) -> [(key: String, stream: Located<StreamPipeline>, isImplied: Bool)] {
        parameters.flatMap { parameter -> [(String, Located<StreamPipeline>, Bool)] in
            let path = path.appending(parameter.name)
            switch part.arguments[parameter.name] {
            case .source(let source): return [(parameter.name, at(source, path).stream, false)]
            case .sources(let sources):
                return sources.enumerated().map { index, source in
                    (StageKey.source(index), at(source, path.appending(index)).stream, false)
                }
            case .operators(let operators):
                // They read the stage itself.
                let stream = StreamPipeline(source: .named(NamedSource(.never)), operators: operators)
                return [(parameter.name, at(stream, self.path), true)]
            case .items, .json, nil: return []
            }
        }
    }

    /// Returns the streams of a stage that is added or dropped.
    func listed(_ action: StreamPlan.Action, _ parameters: [Parameter], depth: Int) -> [StageComparison.Nested] {
        guard depth < StreamCompiler.Limits.depth else { return [] }
        return streams(parameters).map { key, stream, isImplied in
            var comparison = PipelineComparison(action, all: stream, depth: depth + 1)
            comparison.source.isImplied = isImplied
            return .init(
                oldKey: action == .dropped ? key : nil,
                newKey: action == .dropped ? nil : key,
                comparison: comparison
            )
        }
    }
}

/// The arguments of a stage, compared with those before the edit.
struct ComparedArguments {
    private(set) var changes: [StageComparison.Change] = []
    private(set) var reason: String?
    private(set) var typeReason: String?
    private(set) var nested: [StageComparison.Nested] = []
    private(set) var trial: StateTrial?
    private(set) var readsState = false
    private(set) var combined: CombinedStreams?

    /// - Parameter inputs: The number of streams that the stage combines in addition to those of its arguments.
    init(
        _ old: Located<Taken>,
        _ new: Located<Taken>,
        _ parameters: (old: [Parameter], new: [Parameter]),
        inputs: Int,
        depth: Int,
        resets: (Parameter, Argument?, Argument?) -> Bool
    ) {
        guard old.part.name == new.part.name else {
            reason = "\(old.part.name) before"
            nested =
                old.listed(.dropped, parameters.old, depth: depth) + new.listed(.added, parameters.new, depth: depth)
            return
        }
        let combined = CombinedStreams(old, new, inputs: inputs)
        for parameter in parameters.new {
            let isTemplate = RequestTemplate.names.contains(parameter.name)
            let was = old.resolved(old.part.arguments[parameter.name], isTemplate: isTemplate)
            let now = new.resolved(new.part.arguments[parameter.name], isTemplate: isTemplate)
            if was == now { continue }
            let isStream = Self.isStream(was) || Self.isStream(now)
            if combined == nil || !isStream, resets(parameter, was, now) {
                reason = reason ?? "\(parameter.name) changed"
                changes.append(.init(parameter: parameter.name, old: Self.json(was), new: Self.json(now)))
            } else if !isStream {
                changes.append(.init(parameter: parameter.name, old: Self.json(was), new: Self.json(now)))
            }
        }
        compareTypes(old, new)
        readsState = new.trials[new.path.description]?.readsState ?? false
        if changes.contains(where: { ["expression", "condition"].contains($0.parameter) }) || typeReason != nil
            || combined?.isChanged == true
        {
            trial = new.trials[new.path.description]
        }
        if depth < StreamCompiler.Limits.depth { compareStreams(old, new, parameters.new, combined, depth) }
        if reason == nil, let combined, combined.isChanged { self.combined = combined }
        if reason != nil {
            for index in nested.indices { nested[index].comparison.lose(with: new.path.description) }
        }
    }

    /// Compares the types of an accumulator, whose value loses its meaning if its type changes.
    private mutating func compareTypes(_ old: Located<Taken>, _ new: Located<Taken>) {
        guard let type = new.accumulators[new.path.description], type != .dyn else { return }
        if let former = old.accumulators[old.path.description] {
            if type != former { typeReason = "the accumulator was \(former), is \(type)" }
        } else {
            typeReason = "the accumulator was of any type, is \(type)"
        }
    }

    private mutating func compareStreams(
        _ old: Located<Taken>,
        _ new: Located<Taken>,
        _ parameters: [Parameter],
        _ combined: CombinedStreams?,
        _ depth: Int
    ) {
        let (before, after) = (old.streams(parameters), new.streams(parameters))
        var free = Set(before.indices)
        func compare(_ index: Int, with match: Int?) {
            let (key, stream, isImplied) = after[index]
            guard let match else {
                var comparison = PipelineComparison(.added, all: stream, depth: depth + 1)
                comparison.source.isImplied = isImplied
                return nested.append(.init(oldKey: nil, newKey: key, comparison: comparison))
            }
            free.remove(match)
            var comparison = PipelineComparison(before[match].stream, stream, depth: depth + 1)
            comparison.source.isImplied = isImplied
            nested.append(.init(oldKey: before[match].key, newKey: key, comparison: comparison))
        }
        for index in after.indices {
            let match = combined.map { $0.matches[index] } ?? before.firstIndex { $0.key == after[index].key }
            compare(index, with: match)
        }
        for index in free.sorted() {
            var comparison = PipelineComparison(.dropped, all: before[index].stream, depth: depth + 1)
            comparison.source.isImplied = before[index].isImplied
            nested.append(.init(oldKey: before[index].key, newKey: nil, comparison: comparison))
        }
    }

    private static func isStream(_ argument: Argument?) -> Bool {
        switch argument {
        case .source, .sources, .operators, .items: true
        case .json, nil: false
        }
    }

    private static func json(_ argument: Argument?) -> JSON? {
        guard let argument else { return nil }
        var writer = JSONWriter()
        argument.write(to: &writer)
        return try? JSON(parsing: writer.text)
    }
}
