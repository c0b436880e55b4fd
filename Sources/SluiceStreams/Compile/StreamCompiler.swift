import SluiceExpressions
import SluiceJSON

/// Makes of a stream as data one that runs: checks every argument and expression, and notes everything that is wrong.
final class StreamCompiler {
    /// What was found wrong.
    struct Issue {
        let path: JSONPath
        /// The place within the text that stands at the path, for an expression.
        var line = 1
        var column = 1
        let message: String
        let hint: String?
    }

    /// How much a document may hold, so that compiling and running it stay within a thread's stack and a second.
    enum Limits {
        static let operators = 10_000
        static let chain = 256
        static let depth = 32
        static let issues = 100
    }

    private(set) var issues: [Issue] = []
    /// The budget that the expressions of the document and of its references share.
    let budget = CompilationBudget()
    /// Where references lead; `nil` when a document is checked alone, and they may lead anywhere.
    let library: StreamLibrary?
    /// What watches the stages of the outermost pipeline.
    var probe: Probe?
    /// What watches the operators that are being compiled, where they are of the outermost pipeline.
    private(set) var operatorProbe: Probe?
    private var operatorCount = 0
    /// The streams that are being compiled, the outermost first.
    private var entered: [String] = []
    /// The streams that were referred to, so that all who refer to one share what it shares.
    private var references: [Reference: TypedFlow] = [:]
    /// Watches a stream that the source of the outermost pipeline combines.
    private var combining: ((TypedFlow, String, JSONPath) -> TypedFlow)?
    /// How many hot sources there are so far.
    private var hotCount = 0
    private var isFull = false
    /// Whether the stream is to run so that it can be saved: each stage is known by its key.
    private let isSaved: Bool
    /// A Boolean value that indicates whether the errors of the document were noted when it was read.
    var isChecked = false
    /// The types of the accumulators that are known, by the paths of their operators.
    private(set) var accumulators: [String: CELType] = [:]
    /// The trials of expressions that read a state, by the paths of their stages.
    private(set) var trials: [String: StateTrial] = [:]
    /// The number of references around the stage that is being compiled.
    private var referenceDepth = 0
    /// What starts the streams that several read, by their keys.
    var sharedStarts: [String: @Sendable (Scope) -> Void] = [:]

    init(library: StreamLibrary? = nil, isSaved: Bool = false) {
        self.library = library
        self.isSaved = isSaved
    }

    /// Notes something that is wrong.
    func note(_ path: JSONPath, _ message: String, hint: String? = nil, line: Int = 1, column: Int = 1) {
        guard issues.count < Limits.issues else { return }
        issues.append(Issue(path: path, line: line, column: column, message: message, hint: hint))
    }

    /// Notes that an expression can't be compiled because those before it took too much; the first such note is kept.
    func noteExhaustion(_ path: JSONPath) {
        guard
            !issues.contains(where: {
                $0.message.hasPrefix("the expressions have more than")
                    || $0.message.hasPrefix("the regular expressions have more than")
            })
        else { return }
        note(path, "the expressions of the document take too much to compile", hint: "split the document")
    }

    /// How many issues there are, to forget later ones.
    var issueCount: Int { issues.count }

    /// Forgets the issues after the first `count`: of a try that failed.
    func forget(after count: Int) { issues.removeSubrange(count...) }

    /// Forgets the issues after the first `count`, and returns them.
    func takeIssues(after count: Int) -> [Issue] {
        defer { forget(after: count) }
        return Array(issues[count...])
    }

    /// Notes issues again.
    func note(_ issues: [Issue]) { self.issues += issues }

    /// The number of the next hot source, in the order of the document: they come before all else at one instant.
    func nextHot() -> Int {
        hotCount += 1
        return hotCount - 1
    }

    /// Remembers how an edit of the document tries an expression on a state.
    func tries(_ trial: StateTrial, at path: JSONPath) {
        if referenceDepth == 0 { trials[path.description] = trial }
    }

    /// Remembers the type of an accumulator of the document.
    func accumulates(_ type: CELType, at path: JSONPath) {
        if referenceDepth == 0 { accumulators[path.description] = type }
    }

    // MARK: What can be saved

    /// A stage of a stream, under its key.
    ///
    /// - Parameters:
    ///   - name: the name of its kind.
    ///   - migrations: the steps from the versions of its state.
    func staged(
        _ flow: Flow<CELValue>,
        _ key: String,
        _ name: String,
        _ migrations: [StateMigration] = []
    ) -> Flow<CELValue> {
        isSaved ? flow.staged(key, StateKind(name: name, migrations: migrations)) : flow
    }

    /// A stream within a stage, under its key; `isSource` for the source of the stream around.
    func nested(_ flow: Flow<CELValue>, _ key: String, isSource: Bool = false) -> Flow<CELValue> {
        isSaved ? flow.nested(key, isSource: isSource) : flow
    }

    /// The key of a stream that several read.
    func sharedKey(_ place: Place) -> String {
        let key = StageKey.shared(in: entered.last, place.path)
        var number = 1
        // One with an item for a parameter is made anew at each place.
        while sharedStarts[number == 1 ? key : "\(key)-\(number)"] != nil { number += 1 }
        return number == 1 ? key : "\(key)-\(number)"
    }

    // MARK: Parts

    /// The stream of a pipeline.
    func pipeline(_ pipeline: StreamPipeline, _ place: Place) -> TypedFlow {
        let place = place.deeper()
        guard place.depth <= Limits.depth else {
            noteOnce(place.path, "streams are nested more than \(Limits.depth) deep")
            return TypedFlow(.never)
        }
        let path = pipeline.isShort ? place.path : place.path.appending("source")
        // The probe is for this pipeline alone, and for the streams that its source combines.
        let (watching, around) = (probe, operatorProbe)
        probe = nil
        operatorProbe = nil
        defer { (probe, operatorProbe) = (watching, around) }
        var parts: [Probe.Stage] = []
        combining = watching.map { probe in
            { flow, name, path in
                let stage = probe.add(name, at: path, inputs: [])
                parts.append(stage)
                return TypedFlow(probe.watched(flow.flow, stage), flow.item)
            }
        }
        var flow = source(pipeline.source, place.at(path))
        if case .pipeline = pipeline.source { flow.flow = nested(flow.flow, StageKey.source, isSource: true) }
        combining = nil
        if let item = pipeline.item { flow = declare(item, flow) }
        var last: Probe.Stage?
        if let watching {
            let stage = watching.add(name(of: pipeline.source), at: path.appending(pipeline.source.key), inputs: parts)
            flow.flow = watching.watched(flow.flow, stage)
            last = stage
        }
        let steps = place.at(place.path.appending("operators"))
        guard let watching else { return operators(pipeline.operators, on: flow, steps) }
        operatorProbe = watching
        return operators(pipeline.operators, on: flow, steps) { item, path, flow in
            let inputs = last.map { [$0] } ?? []
            let stage = watching.add(
                item.name,
                expression: item.expression,
                id: item.id,
                at: path.appending(item.name),
                inputs: inputs
            )
            last = stage
            return TypedFlow(watching.watched(flow.flow, stage), flow.item)
        }
    }

    /// The stream of a source.
    func source(_ source: StreamSource, _ place: Place) -> TypedFlow {
        switch source {
        case .pipeline(let inner): return pipeline(inner, place)
        case .named(let named):
            guard let kind = named.kind else {
                noteUnknown("source", named.name, place.path)
                return TypedFlow(.never)
            }
            guard count(place) else { return TypedFlow(.never) }
            var stage = Stage(
                compiler: self,
                place: place.at(place.path.appending(named.name)),
                parameters: kind.parameters,
                arguments: named.arguments,
                input: .never,
                item: .dyn
            )
            let flow = kind.make(&stage)
            return TypedFlow(staged(flow, StageKey.source, kind.name, kind.migrations), stage.item)
        }
    }

    /// What operators make of a stream.
    ///
    /// - Parameter watch: given each operator that is not disabled, its path and its stream; answers the stream to go on with.
    func operators(
        _ operators: [Operator],
        on input: TypedFlow,
        _ place: Place,
        watch: (Operator, JSONPath, TypedFlow) -> TypedFlow = { $2 }
    ) -> TypedFlow {
        var flow = input
        let place = place.adding(operators.count)
        guard place.chain <= Limits.chain else {
            noteOnce(place.path, "more than \(Limits.chain) operators one after another")
            return TypedFlow(.never)
        }
        let keys = isSaved ? StageKey.keys(of: operators) : []
        for (index, item) in operators.enumerated() where !item.isDisabled {
            let path = place.path.appending(index)
            guard let kind = item.kind else {
                noteUnknown("operator", item.name, path)
                flow.item = .dyn
                continue
            }
            guard count(place) else { return TypedFlow(.never) }
            var stage = Stage(
                compiler: self,
                place: place.at(path.appending(item.name)),
                parameters: kind.parameters,
                arguments: item.arguments,
                input: flow.flow,
                item: flow.item
            )
            let next = kind.apply(&stage)
            let stream = isSaved ? staged(next, keys[index], kind.name, kind.migrations) : next
            flow = watch(item, path, TypedFlow(stream, stage.item))
        }
        return flow
    }

    /// A stream that a source combines; watched where it belongs to the outermost pipeline.
    func part(_ source: StreamSource, _ place: Place) -> TypedFlow {
        let watch = combining
        combining = nil
        defer { combining = watch }
        let flow = self.source(source, place)
        return watch?(flow, name(of: source), place.path.appending(source.key)) ?? flow
    }

    /// What people call a source.
    private func name(of source: StreamSource) -> String {
        switch source {
        case .pipeline(let pipeline): return name(of: pipeline.source)
        case .named(let named):
            guard case .json(let json) = named.arguments["id"], let id = json.string else { return named.name }
            return library?.name(of: id) ?? id
        }
    }

    /// The stream that a reference leads to.
    func reference(_ id: String, _ parameters: GivenParameters, _ place: Place) -> TypedFlow {
        guard let library else { return TypedFlow(.never) }
        switch library.find(id) {
        case .none:
            note(place.path, "there is no stream \(JSON.string(id))", hint: library.hint(for: id))
        case .several(let count):
            note(place.path, "\(count) streams are named \(JSON.string(id))", hint: "refer to one by its id")
        case .document(let document):
            let key = document.id ?? document.name ?? id
            if let index = entered.firstIndex(of: key) {
                let cycle = (entered[index...] + [key]).map { library.name(of: $0) }.joined(separator: " → ")
                note(place.path, "streams refer to each other in a circle: \(cycle)")
                break
            }
            if let error = document.errors?.errors.first {
                note(place.path, "the stream \(JSON.string(id)) has errors: \(error)")
                break
            }
            // One with an item for a parameter is another stream at each place.
            let cached = parameters.items.isEmpty ? Reference(key: key, parameters: parameters.values) : nil
            if let cached, let flow = references[cached] { return flow }
            entered.append(key)
            referenceDepth += 1
            defer {
                entered.removeLast()
                referenceDepth -= 1
            }
            let inner = place.entering(document, parameters, compiler: self)
            let known = issues.count
            let flow = pipeline(document.pipeline, inner)
            if let cached { references[cached] = flow }
            // Errors of another document are reported at the reference to it.
            let found = issues[known...]
            issues.removeSubrange(known...)
            for issue in found {
                let path = issue.path.isEmpty ? "" : "\(issue.path): "
                note(place.path, "in the stream \(JSON.string(id)): \(path)\(issue.message)", hint: issue.hint)
            }
            return flow
        case .flow(let flow): return TypedFlow(flow)
        }
        return TypedFlow(.never)
    }

    /// The name by which the whole document is known to references.
    func enter(_ document: StreamDocument) {
        if let key = document.id ?? document.name { entered.append(key) }
    }

    private func declare(_ item: ItemType, _ flow: TypedFlow) -> TypedFlow {
        // What a source is known to give needs no look at each item.
        if flow.item == item.expressionType { return flow }
        return TypedFlow(flow.flow.declared(item), item.expressionType)
    }

    private func count(_ place: Place) -> Bool {
        operatorCount += 1
        if operatorCount > Limits.operators {
            noteOnce(place.path, "more than \(Limits.operators) operators and sources in all")
        }
        return operatorCount <= Limits.operators
    }

    /// Whoever read the document for a check has noted it already.
    private func noteUnknown(_ what: String, _ name: String, _ path: JSONPath) {
        if library != nil, !isChecked || entered.count > 1 {
            note(path.appending(name), "unknown \(what) \(JSON.string(name))")
        }
    }

    private func noteOnce(_ path: JSONPath, _ message: String) {
        if !isFull { note(path, message) }
        isFull = true
    }
}

extension StreamSource {
    /// The key that names it.
    fileprivate var key: String {
        switch self {
        case .named(let source): source.name
        case .pipeline: "source"
        }
    }
}

/// A document that is referred to, with what stands for its parameters.
private struct Reference: Hashable {
    let key: String
    let parameters: [String: JSON]
}

/// A stream with the type of its items, as far as it is known.
struct TypedFlow {
    var flow: Flow<CELValue>
    var item: CELType

    init(_ flow: Flow<CELValue>, _ item: CELType = .dyn) {
        self.flow = flow
        // A chain of operators could nest the type without end, and every check takes as long as it is deep.
        self.item = item.isDeeper(than: CELType.deepestItem) ? .dyn : item
    }
}

/// Where in a document the compiler is.
struct Place {
    /// The way to the part.
    private(set) var path = JSONPath()
    /// What the stream around this one was started for: the names and types, the innermost first.
    private(set) var outer: [(name: String, type: CELType)] = []
    /// The values of the document's parameters.
    var parameters: [String: JSON] = [:]
    /// The parameters that stand for items that streams around the document were started for.
    private(set) var items: [String: OuterItem] = [:]
    private(set) var depth = 0
    /// How many operators stand one after another down to here.
    private(set) var chain = 0

    func at(_ path: JSONPath) -> Place {
        var place = self
        place.path = path
        return place
    }

    func deeper() -> Place {
        var place = self
        place.depth += 1
        return place
    }

    func adding(_ operators: Int) -> Place {
        var place = self
        place.chain += operators
        return place
    }

    /// Within a stream that is started for each item of another, which its expressions see as `name`.
    func inside(_ name: String, _ type: CELType) -> Place {
        var place = self
        place.outer.insert((name, type), at: 0)
        place.items = items.mapValues { OuterItem(type: $0.type, distance: $0.distance + 1) }
        return place
    }

    /// Whether the streams here may differ from item to item of a stream around.
    var isInner: Bool { !outer.isEmpty || !items.isEmpty }

    /// In another document.
    func entering(_ document: StreamDocument, _ given: GivenParameters, compiler: StreamCompiler) -> Place {
        var place = deeper()
        for name in given.names where document.parameters[name] == nil {
            let known = document.parameters.keys.sorted().joined(separator: ", ")
            compiler.note(
                path.appending("parameters").appending(name),
                "the stream has no parameter \(JSON.string(name))",
                hint: known.isEmpty ? nil : "known: \(known)"
            )
        }
        place.path = JSONPath()
        place.outer = []
        place.items = given.items
        place.parameters = document.parameters.merging(given.values) { $1 }
        for name in given.items.keys { place.parameters[name] = nil }
        return place
    }
}

/// An item that a stream around was started for: its type, and how far out it is, from 0.
struct OuterItem {
    let type: CELType
    let distance: Int
}

/// What a reference gives for the parameters of its document.
struct GivenParameters {
    /// What is known before anything runs.
    var values: [String: JSON] = [:]
    /// What is known when the stream is started.
    var items: [String: OuterItem] = [:]

    /// The parameters, in the order of their names.
    var names: [String] { (Array(values.keys) + Array(items.keys)).sorted() }
}
