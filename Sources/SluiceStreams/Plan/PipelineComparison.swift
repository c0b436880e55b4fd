import SluiceExpressions
import SluiceJSON

/// What becomes of the stages of a stream in another revision of it.
struct PipelineComparison {
    var source: StageComparison
    /// The operators of the new stream in order; with those that are dropped, before the one that followed them.
    var operators: [StageComparison] = []

    /// - Parameters:
    ///   - old: the stream as it is, and where it stands.
    ///   - new: the stream as it will be, and where.
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

    /// Makes all stages lose what they would keep: the stage around is reset.
    mutating func lose(with stage: String) {
        source.lose(with: stage)
        for index in operators.indices { operators[index].lose(with: stage) }
    }

    /// Which operator each goes on for: by the id, where one has none by the kind and the order; those that are
    /// disabled are not there.
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

    /// The numbers of a longest row that rises, the first of several: those that have not moved.
    ///
    /// - Complexity: O(*n*²), of operators one after another.
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

/// A part of a document at its place.
struct Located<Part> {
    let part: Part
    /// The path in its document.
    let path: JSONPath
    /// The name of the document, as it is known to references.
    let document: String?
    /// Where references lead.
    let library: StreamLibrary
    /// The types of the accumulators of the document, by the paths of their operators.
    let accumulators: [String: CELType]
    /// The trials of expressions that read a state, by the paths of their stages.
    let trials: [String: StateTrial]
    /// The values of the parameters of the document.
    let parameters: [String: JSON]
    /// The key of the part in what is saved.
    var key = ""

    func at<Other>(_ part: Other, _ path: JSONPath, _ key: String = "") -> Located<Other> {
        Located<Other>(
            part: part,
            path: path,
            document: document,
            library: library,
            accumulators: accumulators,
            trials: trials,
            parameters: parameters,
            key: key
        )
    }
}

extension Located<StreamSource> {
    /// A source by its name is a stream without operators.
    var stream: Located<StreamPipeline> {
        switch part {
        case .pipeline(let pipeline): at(pipeline, path)
        case .named: at(StreamPipeline(source: part), path, Self.bare)
        }
    }

    /// Marks a stream whose source stands at the path of the stream itself.
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
    /// The stream of a document.
    ///
    /// - Parameters:
    ///   - name: the name by which it is known to references.
    ///   - given: what stands for its parameters, in place of what it says itself.
    init(_ document: StreamDocument, _ name: String?, _ library: StreamLibrary, _ given: [String: JSON] = [:]) {
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
            accumulators: traits.accumulators,
            trials: traits.trials,
            parameters: document.parameters.merging(given) { $1 }
        )
    }
}

extension PipelineComparison {
    /// The difference of two revisions of a document.
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
