import SluiceExpressions
import SluiceJSON

/// A comparison of the stages of a stream in two revisions.
struct PipelineComparison {
    var source: StageComparison
    /// The operators of the new stream in order; dropped ones precede the one that followed them.
    var operators: [StageComparison] = []

    /// - Parameters:
    ///   - old: The stream before the edit, with its place.
    ///   - new: The stream after the edit, with its place.
    init(_ old: Located<StreamPipeline>, _ new: Located<StreamPipeline>, depth: Int = 0) {
        source = StageComparison(source: old, new, depth: depth)
        let (before, after) = (old.part.operators, new.part.operators)
        let pairs = Self.pairs(before, after)
        let (oldKeys, newKeys) = (StageKey.keys(of: before), StageKey.keys(of: after))
        func located(_ index: Int, _ keys: [String], _ stream: Located<StreamPipeline>) -> Located<Operator> {
            let item = stream.part.operators[index]
            return stream.at(
                item,
                stream.path.appending("operators").appending(index).appending(item.name),
                keys[index]
            )
        }
        let unmoved = Self.longestRise(after.indices.compactMap { pairs[$0] })
        var next = 0
        func drop(until end: Int) {
            while next < end {
                if !before[next].isDisabled, !pairs.values.contains(next) {
                    operators.append(StageComparison(.dropped, located(next, oldKeys, old), depth: depth))
                }
                next += 1
            }
        }
        for (index, item) in after.enumerated() {
            guard let match = pairs[index] else {
                if item.isDisabled { continue }
                drop(until: (next..<before.count).first { pairs.values.contains($0) } ?? before.count)
                operators.append(StageComparison(.added, located(index, newKeys, new), depth: depth))
                continue
            }
            if unmoved.contains(match) { drop(until: match) }
            var stage = StageComparison(
                located(match, oldKeys, old),
                located(index, newKeys, new),
                depth: depth
            )
            stage.isMoved = !unmoved.contains(match)
            operators.append(stage)
        }
        drop(until: before.count)
    }

    /// Lists the stages of a stream that is added or dropped.
    init(_ action: StreamPlan.Action, all stream: Located<StreamPipeline>, depth: Int) {
        source = StageComparison(action, sourceOf: stream, depth: depth)
        let keys = StageKey.keys(of: stream.part.operators)
        for (index, item) in stream.part.operators.enumerated() where !item.isDisabled {
            let path = stream.path.appending("operators").appending(index).appending(item.name)
            operators.append(StageComparison(action, stream.at(item, path, keys[index]), depth: depth))
        }
    }

    /// Makes all stages lose their state, since the enclosing stage is reset.
    mutating func lose(with stage: String) {
        source.lose(with: stage)
        for index in operators.indices { operators[index].lose(with: stage) }
    }

    /// Returns the old operator for each new one: by the id, or without one by the kind and the order, disregarding
    /// disabled operators.
    private static func pairs(_ old: [Operator], _ new: [Operator]) -> [Int: Int] {
        var pairs: [Int: Int] = [:]
        var free = old.indices.filter { !old[$0].isDisabled }
        let wanted = new.indices.filter { !new[$0].isDisabled }
        for index in wanted {
            guard let id = new[index].id, let place = free.firstIndex(where: { old[$0].id == id }) else { continue }
            pairs[index] = free.remove(at: place)
        }
        for index in wanted where pairs[index] == nil {
            let match = free.firstIndex { candidate in
                old[candidate].name == new[index].name && (old[candidate].id == nil || new[index].id == nil)
            }
            if let match { pairs[index] = free.remove(at: match) }
        }
        return pairs
    }

    /// Returns the numbers of a longest increasing subsequence, the first of several: the operators that have not
    /// moved.
    ///
    /// - Complexity: O(*n*²) in the number of operators in a row.
    private static func longestRise(_ numbers: [Int]) -> Set<Int> {
        var lengths = Array(repeating: 1, count: numbers.count)
        var before = Array(repeating: -1, count: numbers.count)
        for index in numbers.indices {
            for earlier in 0..<index where numbers[earlier] < numbers[index] && lengths[earlier] + 1 > lengths[index] {
                (lengths[index], before[index]) = (lengths[earlier] + 1, earlier)
            }
        }
        var rise: Set<Int> = []
        var place = lengths.indices.max { lengths[$0] < lengths[$1] } ?? -1
        while place >= 0 {
            rise.insert(numbers[place])
            place = before[place]
        }
        return rise
    }
}

/// A part of a document with its place.
struct Located<Part> {
    let part: Part
    /// The path in its document.
    let path: JSONPath
    /// The name of the document for references.
    let document: String?
    /// The documents that references lead to.
    let library: StreamLibrary
    /// The facts of the document, and of those that it refers to.
    let traits: CompiledTraits
    /// The values of the parameters of the document.
    let parameters: [String: JSON]
    /// The key of the part in a saved run.
    var key = ""

    func at<Other>(_ part: Other, _ path: JSONPath, _ key: String = "") -> Located<Other> {
        Located<Other>(
            part: part,
            path: path,
            document: document,
            library: library,
            traits: traits,
            parameters: parameters,
            key: key
        )
    }
}

extension Located {
    /// The types of the accumulators of the document, by the paths of their operators.
    var accumulators: [String: CELType] { traits.document.accumulators }
    /// The trials of expressions that read a state, by the paths of their stages.
    var trials: [String: StateTrial] { traits.document.trials }
}

extension Located<StreamSource> {
    /// The source as a stream without operators, if it is named.
    var stream: Located<StreamPipeline> {
        switch part {
        case .pipeline(let pipeline): at(pipeline, path)
        case .named: at(StreamPipeline(source: part), path, Self.bare)
        }
    }

    /// The mark of a stream whose source is at the path of the stream itself.
    static var bare: String { "bare" }
}

extension Located<StreamPipeline> {
    /// The source of the stream.
    var source: Located<StreamSource> {
        at(
            part.source,
            part.isShort || key == Located<StreamSource>.bare ? path : path.appending("source"),
            StageKey.source
        )
    }
}

extension Located<StreamPipeline> {
    /// Creates the stream of a document.
    ///
    /// - Parameters:
    ///   - name: The name of the document for references.
    ///   - given: The values of its parameters, in place of its defaults.
    ///   - around: The facts of the document that refers to it; `nil` where it is not known to have been compiled.
    init(
        _ document: StreamDocument,
        _ name: String?,
        _ library: StreamLibrary,
        _ given: [String: JSON] = [:],
        in around: CompiledTraits? = nil
    ) {
        if let name, let known = around?.traits(of: ReferencedDocument(name: name, parameters: given)) {
            self.init(document, name, library, known, given)
            return
        }
        let compiler = StreamCompiler(library: library)
        _ = try? document.compiled(compiler, given)
        self.init(document, name, library, CompiledTraits(compiler), given)
    }

    /// The stream of a document that was compiled.
    init(
        _ document: StreamDocument,
        _ library: StreamLibrary,
        _ traits: CompiledTraits,
        _ given: [String: JSON]
    ) {
        self.init(document, document.id ?? document.name, library, traits, given)
    }

    private init(
        _ document: StreamDocument,
        _ name: String?,
        _ library: StreamLibrary,
        _ traits: CompiledTraits,
        _ given: [String: JSON]
    ) {
        self.init(
            part: document.pipeline,
            path: JSONPath(),
            document: name,
            library: library,
            traits: traits,
            parameters: document.parameters.merging(given) { $1 }
        )
    }
}

extension PipelineComparison {
    /// Creates the difference of two revisions of a document.
    init(
        _ old: StreamDocument,
        _ oldLibrary: StreamLibrary,
        _ new: StreamDocument,
        _ newLibrary: StreamLibrary,
        _ given: [String: JSON] = [:]
    ) {
        self.init(
            Located<StreamPipeline>(old, old.id ?? old.name, oldLibrary, given),
            Located<StreamPipeline>(new, new.id ?? new.name, newLibrary, given)
        )
    }
}
