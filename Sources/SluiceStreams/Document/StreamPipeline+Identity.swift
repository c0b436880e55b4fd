import SluiceJSON

extension StreamPipeline {
    /// Returns the pipeline with an id for every operator: an operator without one gets an id from its name, `filter`,
    /// `filter-2`.
    ///
    /// An operator that keeps its id through an edit keeps its state, so ids are assigned when a document is first
    /// saved.
    /// - Complexity: O(*n*) in the number of operators.
    public func identified() -> StreamPipeline {
        var names = Naming()
        collect(into: &names)
        var copy = self
        copy.identify(&names)
        return copy
    }

    private func collect(into names: inout Naming) {
        forEachOperator { if let id = $0.id { names.taken.insert(id) } }
    }

    private mutating func identify(_ names: inout Naming) {
        source.identify(&names)
        for index in operators.indices { operators[index].identify(&names) }
    }

    /// Calls `body` for every operator, including those of nested streams.
    func forEachOperator(_ body: (Operator) -> Void) {
        source.forEachPart(source: { _ in }, operator: body)
        for item in operators { item.forEachPart(source: { _ in }, operator: body) }
    }

    /// Calls `body` for every source and operator, including those of nested streams.
    package func forEachStage(_ body: () -> Void) {
        source.forEachPart(source: { _ in body() }, operator: { _ in body() })
        for item in operators { item.forEachPart(source: { _ in body() }, operator: { _ in body() }) }
    }

    /// The ids of the referenced streams, in the order of the document.
    public var references: [String] { texts(of: "id", ofSource: SourceKind.reference.name) }

    /// The names of its sources, in order, each once.
    var sourceNames: [String] {
        var names: Set<String> = []
        let note: (NamedSource) -> Void = { names.insert($0.name) }
        source.forEachPart(source: note, operator: { _ in })
        for item in operators { item.forEachPart(source: note, operator: { _ in }) }
        return names.sorted()
    }

    /// Returns the texts that an argument of all sources of a kind has, each once, in the order of the document.
    func texts(of argument: String, ofSource kind: String) -> [String] {
        var found: [String] = []
        var known: Set<String> = []
        let note: (NamedSource) -> Void = { source in
            guard source.name == kind, case .json(let json) = source.arguments[argument], let text = json.string,
                known.insert(text).inserted
            else { return }
            found.append(text)
        }
        source.forEachPart(source: note, operator: { _ in })
        for item in operators { item.forEachPart(source: note, operator: { _ in }) }
        return found
    }
}

/// The ids of operators and sinks that are in use.
struct Naming {
    var taken: Set<String> = []
    /// The last number of each name; all before it are taken.
    private var last: [String: Int] = [:]

    /// Takes the first id that is free, of a name, then `name-2`, and so on.
    mutating func id(for name: String) -> String {
        var number = last[name, default: 0]
        var id: String
        repeat {
            number += 1
            id = number == 1 ? name : "\(name)-\(number)"
        } while taken.contains(id)
        last[name] = number
        taken.insert(id)
        return id
    }
}

extension StreamSource {
    fileprivate mutating func identify(_ names: inout Naming) {
        switch self {
        case .pipeline(var pipeline):
            pipeline.source.identify(&names)
            for index in pipeline.operators.indices { pipeline.operators[index].identify(&names) }
            self = .pipeline(pipeline)
        case .named(var source):
            for key in source.arguments.keys.sorted() { source.arguments[key]?.identify(&names) }
            self = .named(source)
        }
    }

    fileprivate func forEachPart(source: (NamedSource) -> Void, operator body: (Operator) -> Void) {
        switch self {
        case .pipeline(let pipeline):
            pipeline.source.forEachPart(source: source, operator: body)
            for item in pipeline.operators { item.forEachPart(source: source, operator: body) }
        case .named(let named):
            source(named)
            for key in named.arguments.keys.sorted() {
                named.arguments[key]?.forEachPart(source: source, operator: body)
            }
        }
    }
}

extension Operator {
    fileprivate mutating func identify(_ names: inout Naming) {
        if unknown == nil, id == nil { id = names.id(for: name) }
        for key in arguments.keys.sorted() { arguments[key]?.identify(&names) }
    }

    fileprivate func forEachPart(source: (NamedSource) -> Void, operator body: (Operator) -> Void) {
        body(self)
        for key in arguments.keys.sorted() { arguments[key]?.forEachPart(source: source, operator: body) }
    }
}

extension Argument {
    /// Gives ids to the operators of the streams in the argument. Operators of items need none, since they have no
    /// state that outlives the item.
    fileprivate mutating func identify(_ names: inout Naming) {
        switch self {
        case .source(var source):
            source.identify(&names)
            self = .source(source)
        case .sources(var sources):
            for index in sources.indices { sources[index].identify(&names) }
            self = .sources(sources)
        case .operators(var operators):
            for index in operators.indices { operators[index].identify(&names) }
            self = .operators(operators)
        case .items, .json: break
        }
    }

    fileprivate func forEachPart(source: (NamedSource) -> Void, operator body: (Operator) -> Void) {
        switch self {
        case .source(let inner): inner.forEachPart(source: source, operator: body)
        case .sources(let sources): for inner in sources { inner.forEachPart(source: source, operator: body) }
        case .operators(let operators): for item in operators { item.forEachPart(source: source, operator: body) }
        case .items(let items):
            for item in items { for step in item.operators { step.forEachPart(source: source, operator: body) } }
        case .json: break
        }
    }
}
