import SluiceExpressions
import SluiceJSON

extension StageComparison {
    /// Lists the source of a stream that is added or dropped.
    init(_ action: StreamPlan.Action, sourceOf stream: Located<StreamPipeline>, depth: Int) {
        self.action = action
        let source = stream.source
        switch source.part {
        case .named(let named):
            name = named.name
            let path = source.path.appending(name)
            (oldPath, newPath) = action == .dropped ? (path, nil) : (nil, path)
            let taken = source.at(Taken(name: name, arguments: named.arguments), path)
            nested = taken.listed(action, named.kind?.parameters ?? [], depth: depth)
        case .pipeline:
            (name, isStream) = ("stream", true)
            let inner = PipelineComparison(action, all: source.stream, depth: depth + 1)
            nested = [Nested(oldKey: "", newKey: "", comparison: inner)]
        }
        (oldKey, newKey) = action == .dropped ? (StageKey.source, nil) : (nil, StageKey.source)
    }

    /// Compares the sources of two streams.
    init(source old: Located<StreamPipeline>, _ new: Located<StreamPipeline>, depth: Int) {
        action = .kept
        (oldKey, newKey) = (StageKey.source, StageKey.source)
        if old.part.item != new.part.item {
            changes = [Change(parameter: "item", old: old.part.item?.json, new: new.part.item?.json)]
        }
        let (before, after) = (old.source, new.source)
        switch (before.part, after.part) {
        case (.named(let was), .named(let now)):
            (oldPath, newPath) = (before.path.appending(was.name), after.path.appending(now.name))
            name = now.name
            let arguments = ComparedArguments(
                old.at(Taken(name: was.name, arguments: was.arguments), before.path.appending(was.name)),
                new.at(Taken(name: now.name, arguments: now.arguments), after.path.appending(now.name)),
                (was.kind?.parameters ?? [], now.kind?.parameters ?? []),
                inputs: 0,
                depth: depth
            ) { parameter, was, now in
                if parameter.name == "id", old.leads(was, toSameAs: now, in: new) { return false }
                return Compatibility.resets(parameter, ofSource: name, was, now)
            }
            if arguments.reason != nil { action = .reset }
            take(arguments)
            if case .items(let was) = was.arguments["items"], case .items(let now) = now.arguments["items"] {
                items = (was, now)
            }
            if now.name == SourceKind.reference.name, was.name == now.name, action == .kept {
                refer(was, old, now, new, depth)
            }
        case (.pipeline, .pipeline):
            (oldPath, newPath, name) = (before.path, after.path, "stream")
            let inner = PipelineComparison(before.stream, after.stream, depth: depth + 1)
            (nested, isStream) = ([Nested(oldKey: "", newKey: "", comparison: inner)], true)
        default:
            action = .reset
            (oldPath, newPath, name, reason) = (before.path, after.path, "source", "another kind of source")
            let lost = PipelineComparison(.dropped, all: before.stream, depth: depth + 1)
            let begun = PipelineComparison(.added, all: after.stream, depth: depth + 1)
            nested = [
                Nested(oldKey: "", newKey: nil, comparison: lost), Nested(oldKey: nil, newKey: "", comparison: begun),
            ]
        }
    }

    /// Compares the streams that a reference leads to, if they differ.
    private mutating func refer(
        _ was: NamedSource,
        _ old: Located<StreamPipeline>,
        _ now: NamedSource,
        _ new: Located<StreamPipeline>,
        _ depth: Int
    ) {
        guard depth < StreamCompiler.Limits.depth, let from = old.target(of: was.arguments["id"]),
            let to = new.target(of: now.arguments["id"])
        else { return }
        let (before, after) = (old.given(was.arguments["parameters"]), new.given(now.arguments["parameters"]))
        if from.document.fingerprint(in: old.library, parameters: before)
            == to.document.fingerprint(in: new.library, parameters: after)
        {
            unchangedDocuments = Self.documents(from: to.id, in: new.library)
            return
        }
        let inner = PipelineComparison(
            Located(from.document, from.name, old.library, before, in: old.traits),
            Located(to.document, to.name, new.library, after, in: new.traits),
            depth: depth + 1
        )
        let isReference = now.arguments["parameters"] == nil
        let key = StageKey.reference
        nested.append(Nested(oldKey: key, newKey: key, comparison: inner, isReference: isReference))
    }

    /// Returns the names of the documents that a reference leads to, directly or by way of others.
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

extension Located<StreamPipeline> {
    /// Returns the document that a reference leads to, with its name for references.
    fileprivate func target(of id: Argument?) -> (document: StreamDocument, name: String, id: String)? {
        guard case .json(let json) = resolved(id), let id = json.string, case .document(let document) = library.find(id)
        else { return nil }
        return (document, document.id ?? document.name ?? id, id)
    }

    /// Returns a Boolean value that indicates whether two references lead to the same document, by its id or by its
    /// name.
    fileprivate func leads(_ id: Argument?, toSameAs other: Argument?, in new: Located<StreamPipeline>) -> Bool {
        guard let from = target(of: id), let to = new.target(of: other) else { return false }
        return from.name == to.name
    }

    /// Returns the values that a reference gives to the parameters of its document.
    fileprivate func given(_ argument: Argument?) -> [String: JSON] {
        guard case .json(.object(let object)) = argument else { return [:] }
        let values = object.map { member -> (String, JSON) in
            guard case .json(let value) = resolved(.json(member.value)) else { return (member.key, member.value) }
            return (member.key, value)
        }
        return Dictionary(values) { first, _ in first }
    }
}
