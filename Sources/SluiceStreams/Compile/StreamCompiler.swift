import SluiceExpressions
import SluiceJSON

/// A compiler of streams as data to streams that run. It checks every argument and expression, and collects all errors.
final class StreamCompiler {
    /// An error in a document.
    struct Issue: Equatable {
        let path: JSONPath
        /// The line within the text at the path, for an expression.
        var line = 1
        var column = 1
        let message: String
        let hint: String?
    }

    /// The limits of a document, so that compiling and running it stay within a thread's stack and a second.
    enum Limits {
        static let operators = 10_000
        static let chain = 256
        static let depth = 32
        static let issues = 100
    }

    private(set) var issues: [Issue] = []
    /// The budget that the expressions of the document and of its references share.
    let budget = CompilationBudget()
    /// The documents that references lead to; `nil` when a document is checked alone, and they may lead anywhere.
    let library: StreamLibrary?
    /// The cycles that subscriptions close, by the id of the stream that is subscribed to: `a → b → a`.
    let cycles: [String: String]
    /// The probe of the outermost pipeline's stages.
    var probe: Probe?
    /// The probe of the operators that are being compiled, if they belong to the outermost pipeline.
    private(set) var operatorProbe: Probe?
    /// The probe that measures the values of streams within stages, which are no stages of the outermost pipeline.
    private var meter: Probe?
    /// A Boolean value that indicates whether the source that is compiled next is a stage of the outermost pipeline.
    private var isWatchedSource = false
    private var operatorCount = 0
    /// The streams that are being compiled, the outermost first.
    private var entered: [String] = []
    /// The streams that were referred to, so that all references to one share its shared streams.
    private var references: [ReferencedDocument: TypedFlow] = [:]
    /// A closure that adds a probe to a stream that the source of the outermost pipeline combines.
    private var combining: ((TypedFlow, String, JSONPath) -> TypedFlow)?
    /// The number of hot sources so far.
    private var hotCount = 0
    private var isFull = false
    /// A Boolean value that indicates whether the stream is to run so that it can be saved: each stage is known by its
    /// key.
    private let isSaved: Bool
    /// A Boolean value that indicates whether the errors of the document were recorded when it was read.
    var isChecked = false
    /// The facts that comparisons take from the documents that are being compiled, the outermost first.
    private var facts = [DocumentFacts()]
    /// The facts of the documents that references lead to.
    private(set) var referencedFacts: [ReferencedDocument: DocumentFacts] = [:]
    /// The inputs of a test that replace something.
    let inputs = UsedInputs()
    /// The filter stacks that were found, by their ids.
    var stacks: [ConnectorStack.Use: [String: StreamLibrary.NamedStack]] = [:]
    /// The sinks of the outermost document.
    var compiledSinks: [CompiledSink] = []
    /// The fields that expressions may name, by the paths of the expressions; `nil` unless they are wanted.
    var fieldNames: [String: [String]]?
    /// The closures that start the shared streams, by their keys.
    var sharedStarts: [String: @Sendable (Scope) -> Void] = [:]

    init(library: StreamLibrary? = nil, isSaved: Bool = false, cycles: [String: String] = [:]) {
        self.library = library
        self.cycles = library?.cycles ?? cycles
        self.isSaved = isSaved
    }

    /// Records an error.
    func note(_ path: JSONPath, _ message: String, hint: String? = nil, line: Int = 1, column: Int = 1) {
        guard issues.count < Limits.issues else { return }
        let issue = Issue(path: path, line: line, column: column, message: message, hint: hint)
        // A part that is compiled in several steps may be read in each of them.
        if !issues.contains(issue) { issues.append(issue) }
    }

    /// Records that an expression can't be compiled because the budget is used up; only the first such error is kept.
    func noteExhaustion(_ path: JSONPath) {
        guard
            !issues.contains(where: {
                $0.message.hasPrefix("the expressions have more than")
                    || $0.message.hasPrefix("the regular expressions have more than")
            })
        else { return }
        note(path, "the expressions of the document take too much to compile", hint: "split the document")
    }

    /// The number of issues so far, for discarding later ones.
    var issueCount: Int { issues.count }

    /// Discards the issues after the first `count`, which came from a failed attempt.
    func forget(after count: Int) { issues.removeSubrange(count...) }

    /// Returns the number of the next hot source, in the order of the document: hot sources come first at an instant.
    func nextHot() -> Int {
        hotCount += 1
        return hotCount - 1
    }

    /// Records how an edit of the document tries an expression on a state.
    func tries(_ trial: StateTrial, at path: JSONPath) { facts[facts.count - 1].trials[path.description] = trial }

    /// Records the type of an accumulator of the document.
    func accumulates(_ type: CELType, at path: JSONPath) {
        facts[facts.count - 1].accumulators[path.description] = type
    }

    /// The facts of the outermost document.
    var documentFacts: DocumentFacts { facts[0] }

    // MARK: What can be saved

    /// Returns a stage of a stream, under its key.
    ///
    /// - Parameters:
    ///   - name: The name of its kind.
    ///   - migrations: The steps between the versions of its state.
    func staged(
        _ flow: Flow<CELValue>,
        _ key: String,
        _ name: String,
        _ migrations: [StateMigration] = []
    ) -> Flow<CELValue> {
        isSaved ? flow.staged(key, StateKind(name: name, migrations: migrations)) : flow
    }

    /// Returns a stream within a stage, under its key; `isSource` for the source of the enclosing stream.
    func nested(_ flow: Flow<CELValue>, _ key: String, isSource: Bool = false) -> Flow<CELValue> {
        isSaved ? flow.nested(key, isSource: isSource) : flow
    }

    /// Returns the beginning of the keys of the shared streams within a stage.
    func sharedPrefix(_ scope: CompilationScope) -> String { StageKey.shared(in: entered.last, scope.path) }

    /// Returns the key of a shared stream.
    func sharedKey(_ scope: CompilationScope) -> String {
        let key = StageKey.shared(in: entered.last, scope.path)
        var number = 1
        // A reference with an item as a parameter makes a new stream at each scope.
        while sharedStarts[number == 1 ? key : "\(key)-\(number)"] != nil { number += 1 }
        return number == 1 ? key : "\(key)-\(number)"
    }

    // MARK: Parts

    /// Returns the stream of a pipeline.
    func pipeline(_ pipeline: StreamPipeline, _ scope: CompilationScope) -> TypedFlow {
        let scope = scope.deeper()
        guard scope.depth <= Limits.depth else {
            noteOnce(scope.path, "streams are nested more than \(Limits.depth) deep")
            return TypedFlow(.never)
        }
        let path = pipeline.isShort ? scope.path : scope.path.appending("source")
        // The probe is for this pipeline alone, and for the streams that its source combines.
        let (watching, around) = (probe, operatorProbe)
        probe = nil
        operatorProbe = nil
        defer { (probe, operatorProbe) = (watching, around) }
        if let watching { (meter, isWatchedSource) = (watching, true) }
        var parts: [Probe.Stage] = []
        combining = watching.map { probe in
            { flow, name, path in
                let stage = probe.add(name, at: path, inputs: [])
                parts.append(stage)
                return TypedFlow(probe.watched(flow.flow, stage), flow.item)
            }
        }
        var flow = source(pipeline.source, scope.at(path), declared: pipeline.item)
        if case .pipeline = pipeline.source { flow.flow = nested(flow.flow, StageKey.source, isSource: true) }
        combining = nil
        if let item = pipeline.item { flow = declare(item, flow, scope.path) }
        var last: Probe.Stage?
        if let watching {
            let stage = watching.add(name(of: pipeline.source), at: path.appending(pipeline.source.key), inputs: parts)
            flow.flow = watching.watched(flow.flow, stage)
            last = stage
        }
        let steps = scope.at(scope.path.appending("operators"))
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

    /// Returns the stream of a source.
    ///
    /// - Parameter declared: The declared type of its items.
    func source(_ source: StreamSource, _ scope: CompilationScope, declared: ItemType? = nil) -> TypedFlow {
        let isWatched = isWatchedSource
        isWatchedSource = false
        switch source {
        case .pipeline(let inner): return pipeline(inner, scope)
        case .named(let named):
            guard let kind = named.kind else {
                noteUnknown("source", named.name, scope.path)
                return TypedFlow(.never)
            }
            guard count(scope) else { return TypedFlow(.never) }
            var stage = Stage(
                compiler: self,
                scope: scope.at(scope.path.appending(named.name)),
                parameters: kind.parameters,
                arguments: named.arguments,
                input: .never,
                item: .dyn
            )
            if case .schema = declared { stage.declared = declared?.expressionType ?? .dyn }
            let flow = kind.make(&stage)
            let whole = TypedFlow(staged(flow, StageKey.source, kind.name, kind.migrations), stage.item)
            return isWatched ? whole : measured(whole, scope.path.appending(named.name))
        }
    }

    /// Returns a stream within a stage whose values are measured, if the values of the stages are.
    private func measured(_ flow: TypedFlow, _ path: JSONPath) -> TypedFlow {
        guard let meter else { return flow }
        return TypedFlow(meter.measured(flow.flow, path), flow.item)
    }

    /// Returns the stream of an input with operators applied.
    ///
    /// - Parameter watch: A closure that takes each enabled operator, its path, and its stream, and returns the stream
    ///   to continue with; by default they are measured.
    func operators(
        _ operators: [Operator],
        on input: TypedFlow,
        _ scope: CompilationScope,
        watch: ((Operator, JSONPath, TypedFlow) -> TypedFlow)? = nil
    ) -> TypedFlow {
        var flow = input
        let scope = scope.adding(operators.count)
        guard scope.chain <= Limits.chain else {
            noteOnce(scope.path, "more than \(Limits.chain) operators one after another")
            return TypedFlow(.never)
        }
        let keys = isSaved ? StageKey.keys(of: operators) : []
        for (index, item) in operators.enumerated() where !item.isDisabled {
            let path = scope.path.appending(index)
            guard let kind = item.kind else {
                noteUnknown("operator", item.name, path)
                flow.item = .dyn
                continue
            }
            guard count(scope) else { return TypedFlow(.never) }
            var stage = Stage(
                compiler: self,
                scope: scope.at(path.appending(item.name)),
                parameters: kind.parameters,
                arguments: item.arguments,
                input: flow.flow,
                item: flow.item
            )
            let next = kind.apply(&stage)
            let stream = isSaved ? staged(next, keys[index], kind.name, kind.migrations) : next
            let whole = TypedFlow(stream, stage.item)
            flow = watch?(item, path, whole) ?? measured(whole, path.appending(item.name))
        }
        return flow
    }

    /// Returns a stream that a source combines, with a probe if it belongs to the outermost pipeline.
    func part(_ source: StreamSource, _ scope: CompilationScope) -> TypedFlow {
        let watch = combining
        combining = nil
        defer { combining = watch }
        isWatchedSource = watch != nil
        let flow = self.source(source, scope)
        return watch?(flow, name(of: source), scope.path.appending(source.key)) ?? flow
    }

    /// Returns the display name of a source.
    private func name(of source: StreamSource) -> String {
        switch source {
        case .pipeline(let pipeline): return name(of: pipeline.source)
        case .named(let named):
            guard case .json(let json) = named.arguments["id"], let id = json.string else { return named.name }
            return library?.name(of: id) ?? id
        }
    }

    /// Returns the stream that a reference leads to.
    func reference(_ id: String, _ parameters: GivenParameters, _ scope: CompilationScope) -> TypedFlow {
        guard let library else { return TypedFlow(.never) }
        inputs.know(id)
        switch library.find(id) {
        case .none:
            note(scope.path, "there is no stream \(JSON.string(id))", hint: library.hint(for: id))
        case .several(let count):
            note(scope.path, "\(count) streams are named \(JSON.string(id))", hint: "refer to one by its id")
        case .document(let document):
            let key = document.id ?? document.name ?? id
            if let index = entered.firstIndex(of: key) {
                let cycle = (entered[index...] + [key]).map { library.name(of: $0) }.joined(separator: " → ")
                note(scope.path, "streams refer to each other in a circle: \(cycle)")
                break
            }
            if let error = document.errors?.errors.first {
                note(scope.path, "the stream \(JSON.string(id)) has errors: \(error)")
                break
            }
            // A reference with an item as a parameter is another stream at each scope.
            let cached =
                parameters.items.isEmpty ? ReferencedDocument(name: key, parameters: parameters.values) : nil
            if let cached, let flow = references[cached] { return flow }
            entered.append(key)
            facts.append(DocumentFacts())
            defer {
                entered.removeLast()
                let found = facts.removeLast()
                if let cached { referencedFacts[cached] = found }
            }
            let inner = scope.entering(document, parameters, compiler: self)
            let known = issues.count
            let flow = pipeline(document.pipeline, inner)
            if let cached { references[cached] = flow }
            // Errors of another document are reported at the reference to it.
            let found = issues[known...]
            issues.removeSubrange(known...)
            for issue in found {
                let path = issue.path.isEmpty ? "" : "\(issue.path): "
                note(scope.path, "in the stream \(JSON.string(id)): \(path)\(issue.message)", hint: issue.hint)
            }
            return flow
        case .flow(let flow):
            inputs.use(id)
            return TypedFlow(flow)
        }
        return TypedFlow(.never)
    }

    /// Records the name under which references know the whole document.
    func enter(_ document: StreamDocument) {
        if let key = document.id ?? document.name { entered.append(key) }
    }

    private func declare(_ item: ItemType, _ flow: TypedFlow, _ path: JSONPath) -> TypedFlow {
        if case .schema(let schema) = item {
            return TypedFlow(flow.flow.meeting(schema, path.appending("item")), item.expressionType)
        }
        // If the type of a source's items is known, they need no check.
        if flow.item == item.expressionType { return flow }
        return TypedFlow(flow.flow.declared(item), item.expressionType)
    }

    private func count(_ scope: CompilationScope) -> Bool {
        operatorCount += 1
        if operatorCount > Limits.operators {
            noteOnce(scope.path, "more than \(Limits.operators) operators and sources in all")
        }
        return operatorCount <= Limits.operators
    }

    /// Records an unknown operator or source, unless reading the document has done so already.
    func noteUnknown(_ what: String, _ name: String, _ path: JSONPath) {
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
    /// The key that identifies the reference.
    fileprivate var key: String {
        switch self {
        case .named(let source): source.name
        case .pipeline: "source"
        }
    }
}

/// A stream with the type of its items, as far as it is known.
struct TypedFlow {
    var flow: Flow<CELValue>
    var item: CELType

    init(_ flow: Flow<CELValue>, _ item: CELType = .dyn) {
        self.flow = flow
        // A chain of operators could nest the type without end, and every check takes as long as the type is deep.
        self.item = item.isDeeper(than: CELType.deepestItem) ? .dyn : item
    }
}

/// The compiler's scope in a document.
struct CompilationScope {
    /// The path of the part.
    private(set) var path = JSONPath()
    /// The names and types of the items for which the enclosing streams were started, the innermost first.
    private(set) var outer: [(name: String, type: CELType)] = []
    /// The values of the document's parameters.
    var parameters: [String: JSON] = [:]
    /// The parameters that represent items for which streams around the document were started.
    private(set) var items: [String: OuterItem] = [:]
    private(set) var depth = 0
    /// The number of operators in a row at this scope.
    private(set) var chain = 0

    func at(_ path: JSONPath) -> CompilationScope {
        var scope = self
        scope.path = path
        return scope
    }

    func deeper() -> CompilationScope {
        var scope = self
        scope.depth += 1
        return scope
    }

    func adding(_ operators: Int) -> CompilationScope {
        var scope = self
        scope.chain += operators
        return scope
    }

    /// Returns the scope within a stream that is started for each item of another, which its expressions see as `name`.
    func inside(_ name: String, _ type: CELType) -> CompilationScope {
        var scope = self
        scope.outer.insert((name, type), at: 0)
        scope.items = items.mapValues { OuterItem(type: $0.type, distance: $0.distance + 1) }
        return scope
    }

    /// A Boolean value that indicates whether the streams here may differ from item to item of an enclosing stream.
    var isInner: Bool { !outer.isEmpty || !items.isEmpty }

    /// Returns the scope in another document.
    func entering(_ document: StreamDocument, _ given: GivenParameters, compiler: StreamCompiler) -> CompilationScope {
        var scope = deeper()
        for name in given.names where document.parameters[name] == nil {
            let known = document.parameters.keys.sorted().joined(separator: ", ")
            compiler.note(
                path.appending("parameters").appending(name),
                "the stream has no parameter \(JSON.string(name))",
                hint: known.isEmpty ? nil : "known: \(known)"
            )
        }
        scope.path = JSONPath()
        scope.outer = []
        scope.items = given.items
        scope.parameters = document.parameters.merging(given.values) { $1 }
        for name in given.items.keys { scope.parameters[name] = nil }
        return scope
    }
}

/// An item for which an enclosing stream was started: its type, and its distance, from 0.
struct OuterItem {
    let type: CELType
    let distance: Int
}

/// The values that a reference gives to the parameters of its document.
struct GivenParameters {
    /// The values that are known before anything runs.
    var values: [String: JSON] = [:]
    /// The items that are known when the stream is started.
    var items: [String: OuterItem] = [:]

    /// The parameters, in the order of their names.
    var names: [String] { (Array(values.keys) + Array(items.keys)).sorted() }
}
