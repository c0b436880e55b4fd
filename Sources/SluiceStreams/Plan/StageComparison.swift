import SluiceExpressions
import SluiceJSON

/// What becomes of a stage.
struct StageComparison {
    /// A parameter that differs.
    struct Change {
        let parameter: String
        let old: JSON?
        let new: JSON?
    }

    /// A stream within the stage.
    struct Nested {
        /// The key in what is saved.
        let key: String
        let comparison: PipelineComparison
        /// Whether its expressions see an item for which it is started, once, by the stage itself.
        var isForItem = false
        /// Whether it is another document, whose streams are the same wherever they are referred to.
        var isReference = false
    }

    let action: StreamPlan.Action
    /// The key of the stage in what is saved; `nil` where it is not there.
    var oldKey: String?
    var newKey: String?
    var oldPath: JSONPath?
    var newPath: JSONPath?
    var id: String?
    var name = ""
    var changes: [Change] = []
    /// Why it is reset.
    var reason: String?
    var isMoved = false
    /// Whether nobody has written it: the input of operators.
    var isImplied = false
    /// Whether it is a stream of its own.
    var isStream = false
    var nested: [Nested] = []
    /// The keys of the stream that several read, for a stage that shares.
    var oldShared: String?
    var newShared: String?
    /// The documents that a reference leads to, where they have not changed.
    var unchangedDocuments: Set<String> = []
    /// The items of a `stream` source, before and after.
    var items: (old: [StreamItem<JSON>], new: [StreamItem<JSON>])?

    // MARK: Operators

    /// An operator that was not there.
    init(added new: Located<Operator>) {
        action = .added
        (newKey, newPath, id, name) = (new.key, new.path, new.part.id, new.part.name)
        newShared = Self.shared(new)
    }

    /// An operator that will not be there.
    init(dropped old: Located<Operator>) {
        action = .dropped
        (oldKey, oldPath, id, name) = (old.key, old.path, old.part.id, old.part.name)
        oldShared = Self.shared(old)
    }

    /// An operator that goes on for another.
    init(_ old: Located<Operator>, _ new: Located<Operator>, depth: Int) {
        let arguments = ComparedArguments(
            old.at(Taken(name: old.part.name, arguments: old.part.arguments), old.path),
            new.at(Taken(name: new.part.name, arguments: new.part.arguments), new.path),
            new.part.kind?.parameters ?? [],
            depth: depth
        ) { Compatibility.resets($0, ofOperator: new.part.name, $1, $2) }
        action = arguments.reason == nil ? .kept : .reset
        (oldKey, newKey, oldPath, newPath) = (old.key, new.key, old.path, new.path)
        (id, name) = (new.part.id ?? old.part.id, new.part.name)
        (changes, reason, nested) = (arguments.changes, arguments.reason, arguments.nested)
        if name == OperatorKind.catch.name { for index in nested.indices { nested[index].isForItem = true } }
        (oldShared, newShared) = (Self.shared(old), Self.shared(new))
    }

    private static func shared(_ item: Located<Operator>) -> String? {
        let isSharing = [OperatorKind.share.name, OperatorKind.shareReplay.name].contains(item.part.name)
        return isSharing ? StageKey.shared(in: item.document, item.path) : nil
    }

    // MARK: Sources

    /// The source of a stream.
    init(source old: Located<StreamPipeline>, _ new: Located<StreamPipeline>, depth: Int) {
        (oldKey, newKey) = (StageKey.source, StageKey.source)
        let typeChange = Change(
            parameter: "item",
            old: (old.part.item?.rawValue).map { .string($0) },
            new: (new.part.item?.rawValue).map { .string($0) }
        )
        let typeChanges = old.part.item == new.part.item ? [] : [typeChange]
        let (before, after) = (old.source, new.source)
        switch (before.part, after.part) {
        case (.named(let was), .named(let now)):
            (oldPath, newPath) = (before.path.appending(was.name), after.path.appending(now.name))
            name = now.name
            let arguments = ComparedArguments(
                old.at(Taken(name: was.name, arguments: was.arguments), before.path.appending(was.name)),
                new.at(Taken(name: now.name, arguments: now.arguments), after.path.appending(now.name)),
                now.kind?.parameters ?? [],
                depth: depth
            ) { Compatibility.resets($0, ofSource: now.name, $1, $2) }
            action = arguments.reason == nil ? .kept : .reset
            (changes, reason, nested) = (typeChanges + arguments.changes, arguments.reason, arguments.nested)
            if case .items(let was) = was.arguments["items"], case .items(let now) = now.arguments["items"] {
                items = (was, now)
            }
            if now.name == SourceKind.reference.name, action == .kept { refer(was, old, now, new, depth) }
        case (.pipeline, .pipeline):
            action = .kept
            (oldPath, newPath, name, changes) = (before.path, after.path, "stream", typeChanges)
            let inner = PipelineComparison(before.stream, after.stream, depth: depth + 1)
            (nested, isStream) = ([Nested(key: "", comparison: inner)], true)
        default:
            action = .reset
            (oldPath, newPath, name) = (before.path, after.path, "source")
            (changes, reason) = (typeChanges, "another kind of source")
        }
    }

    /// The stream that a reference leads to, where that differs.
    private mutating func refer(
        _ was: NamedSource,
        _ old: Located<StreamPipeline>,
        _ now: NamedSource,
        _ new: Located<StreamPipeline>,
        _ depth: Int
    ) {
        guard depth < StreamCompiler.Limits.depth,
            case .json(let before) = was.arguments["id"], case .json(let after) = now.arguments["id"],
            let oldID = before.string, let newID = after.string,
            case .document(let from) = old.library.find(oldID), case .document(let to) = new.library.find(newID)
        else { return }
        if from.fingerprint(in: old.library) == to.fingerprint(in: new.library) {
            unchangedDocuments = Self.documents(from: newID, in: new.library)
            return
        }
        let inner = PipelineComparison(
            Located(from, from.id ?? from.name ?? oldID, old.library),
            Located(to, to.id ?? to.name ?? newID, new.library),
            depth: depth + 1
        )
        let isReference = now.arguments["parameters"] == nil
        nested.append(Nested(key: StageKey.reference, comparison: inner, isReference: isReference))
    }

    /// The names of the documents that a reference leads to, also by way of others.
    private static func documents(from id: String, in library: StreamLibrary) -> Set<String> {
        var (names, waiting): (Set<String>, [String]) = ([], [id])
        while let id = waiting.popLast() {
            guard case .document(let document) = library.find(id) else { continue }
            guard names.insert(document.id ?? document.name ?? id).inserted else { continue }
            waiting += document.pipeline.references
        }
        return names
    }
}

/// What a stage takes.
private struct Taken {
    let name: String
    let arguments: [String: Argument]
}

extension Located<Taken> {
    /// An argument with the document's parameters put in.
    fileprivate func resolved(_ name: String) -> Argument? {
        guard case .json(.string(let text)) = part.arguments[name], text.contains("${") else {
            return part.arguments[name]
        }
        var result = text
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            if text == "${\(name)}" { return .json(value) }
            result = result.replacing("${\(name)}", with: "(\(value))")
        }
        return .json(.string(result))
    }
}

/// The arguments of a stage, compared.
private struct ComparedArguments {
    private(set) var changes: [StageComparison.Change] = []
    private(set) var reason: String?
    private(set) var nested: [StageComparison.Nested] = []

    init(
        _ old: Located<Taken>,
        _ new: Located<Taken>,
        _ parameters: [Parameter],
        depth: Int,
        resets: (Parameter, Argument?, Argument?) -> Bool
    ) {
        guard old.part.name == new.part.name else {
            reason = "\(old.part.name) before"
            return
        }
        for parameter in parameters {
            let (was, now) = (old.resolved(parameter.name), new.resolved(parameter.name))
            if was == now, !isNested(now) { continue }
            if was != now, resets(parameter, was, now) {
                reason = reason ?? "\(parameter.name) changed"
                changes.append(.init(parameter: parameter.name, old: Self.json(was), new: Self.json(now)))
            } else if was != now, !isNested(now), !isNested(was) {
                changes.append(.init(parameter: parameter.name, old: Self.json(was), new: Self.json(now)))
            }
        }
        if let type = new.accumulators[new.path.description], let former = old.accumulators[old.path.description] {
            if type != .dyn, type != former { reason = reason ?? "the accumulator was \(former), is \(type)" }
        } else if let type = new.accumulators[new.path.description], type != .dyn {
            reason = reason ?? "the accumulator was of any type, is \(type)"
        }
        guard reason == nil, depth < StreamCompiler.Limits.depth else { return }
        for parameter in parameters {
            let paths = (old.path.appending(parameter.name), new.path.appending(parameter.name))
            func add(_ key: String, _ was: StreamSource, _ now: StreamSource, _ paths: (JSONPath, JSONPath)) {
                let (before, after) = (old.at(was, paths.0).stream, new.at(now, paths.1).stream)
                let inner = PipelineComparison(before, after, depth: depth + 1)
                nested.append(.init(key: key, comparison: inner))
            }
            switch (old.part.arguments[parameter.name], new.part.arguments[parameter.name]) {
            case (.source(let was), .source(let now)): add(parameter.name, was, now, paths)
            case (.sources(let was), .sources(let now)):
                for (index, pair) in zip(was, now).enumerated() {
                    let places = (paths.0.appending(index), paths.1.appending(index))
                    add(StageKey.source(index), pair.0, pair.1, places)
                }
            case (.operators(let was), .operators(let now)):
                // What they read is the stage itself.
                func located(_ operators: [Operator], _ side: Located<Taken>) -> Located<StreamPipeline> {
                    side.at(StreamPipeline(source: .named(NamedSource(.never)), operators: operators), side.path)
                }
                var inner = PipelineComparison(located(was, old), located(now, new), depth: depth + 1)
                inner.source.isImplied = true
                nested.append(.init(key: parameter.name, comparison: inner))
            default: break
            }
        }
    }

    private func isNested(_ argument: Argument?) -> Bool {
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
