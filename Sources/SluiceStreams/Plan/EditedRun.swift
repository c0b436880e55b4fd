import SluiceJSON

/// The conversion of a run's state from one revision to another, according to a plan.
struct EditedRun {
    /// The shared streams of one item, or of the whole stream, before and after the edit.
    private final class Shared {
        var old: [String: SavedStateNode]
        var new: [String: SavedStateNode] = [:]
        /// The keys that were visited.
        var known: Set<String> = []
        /// The documents that are unchanged and still referred to, whose shared streams continue unchanged.
        private var unchanged: Set<String> = []
        private let around: Shared?

        init(_ old: [String: SavedStateNode], within around: Shared? = nil) {
            self.old = old
            self.around = around
        }

        /// The shared streams of the whole stream.
        var whole: Shared { around?.whole ?? self }

        /// Keeps the shared streams of documents unchanged.
        func keep(_ documents: Set<String>) {
            unchanged.formUnion(documents)
            around?.keep(documents)
        }

        /// The shared streams after the edit.
        var edited: [String: SavedStateNode] {
            old.filter { key, _ in
                !known.contains(key) && unchanged.contains { key.hasPrefix(StageKey.shared(in: $0, JSONPath())) }
            }.merging(new) { $1 }
        }
    }

    private let comparison: PipelineComparison

    init(_ comparison: PipelineComparison) { self.comparison = comparison }

    /// Returns the state that the run of the new revision resumes from.
    func edited(_ run: SavedRun) -> SavedRun {
        guard let root = run.root else { return run }
        var run = run
        run.root = whole(root, comparison)
        return run
    }

    /// Returns a stream with the shared streams of its children.
    private func whole(_ node: SavedStateNode, _ comparison: PipelineComparison) -> SavedStateNode {
        let shared = Shared(node.shared)
        // Also for streams that are yet to begin, since shared streams may have ended before them.
        shared.keep(comparison.unchangedDocuments)
        var result = stream(node, comparison, shared)
        result.shared = shared.edited
        return result
    }

    // MARK: Streams

    private func stream(_ node: SavedStateNode, _ comparison: PipelineComparison, _ shared: Shared) -> SavedStateNode {
        // All stages in one row, including shared ones.
        var old = node.children
        let stages = [comparison.source] + comparison.operators
        for key in stages.compactMap(\.oldShared) {
            shared.known.insert(key)
            if let node = shared.old[key] { old.merge(node.children) { $1 } }
        }
        if old.isEmpty { return node }
        let new = row(stages, old, shared)
        var result = node
        (result.children, result.inner) = (new.isEmpty ? [:] : new, node.inner)
        // The stages before a shared stage belong to it.
        var mine = new
        var before: [String] = []
        for stage in stages {
            if let key = stage.newShared, let stageKey = stage.newKey {
                var node =
                    stage.result == .kept
                    ? stage.oldShared.flatMap { shared.old[$0] } ?? SavedStateNode() : SavedStateNode()
                node.children = [:]
                for key in before { node.children[key] = mine.removeValue(forKey: key) }
                shared.new[key] = node
                before = [stageKey]
            } else if let key = stage.newKey {
                before.append(key)
            }
        }
        result.children = mine
        return result
    }

    /// Returns the stages of a new revision, by their keys: those that continue, those that begin, and a completion if
    /// no running stage is left.
    private func row(
        _ stages: [StageComparison],
        _ old: [String: SavedStateNode],
        _ shared: Shared
    ) -> [String: SavedStateNode] {
        var new: [String: SavedStateNode] = [:]
        var last = StageKey.source
        var before: String?
        for stage in stages {
            guard let key = stage.newKey else { continue }
            defer { last = key }
            let node = stage.oldKey.flatMap { old[$0] }
            stage.outcome.isKnown = true
            if stage.action == .kept, let node, let kept = keeping(node, stage) {
                if new.isEmpty, key != StageKey.source, isFed(stage, stages, old) { before = last }
                new[key] = self.stage(kept, stage, shared)
            } else if !new.isEmpty || (key == StageKey.source && node != nil) || (stage.action == .kept && node != nil)
            {
                new[key] = SavedStateNode(.fresh)
            } else {
                continue
            }
            stage.outcome.isRunning = true
        }
        if let before { new[before] = SavedStateNode(.completed) }
        if new.isEmpty { new[last] = SavedStateNode(.completed) }
        return new
    }

    /// Returns a Boolean value that indicates whether the stage before this one was running.
    private func isFed(_ stage: StageComparison, _ stages: [StageComparison], _ old: [String: SavedStateNode]) -> Bool {
        let before = stages.filter { $0.oldKey != nil && old[$0.oldKey ?? ""] != nil }
        return before.contains { other in
            guard let path = other.oldPath, let own = stage.oldPath, other.oldKey != stage.oldKey else { return false }
            if other.oldKey == StageKey.source { return true }
            return (path.lastIndex ?? 0) < (own.lastIndex ?? 0)
        }
    }

    // MARK: Stages

    /// Returns a node with a place for each stream that its stage combines; `nil` if a changed expression doesn't
    /// accept the state.
    private func keeping(_ node: SavedStateNode, _ stage: StageComparison) -> SavedStateNode? {
        var node = node
        do {
            if let combined = stage.combined {
                let dropped = stage.nested.count { $0.newKey == nil && $0.oldKey.flatMap { node.children[$0] } != nil }
                node.states = try combined.states(node.states, dropped: dropped)
            }
            switch stage.trial?.run(node.states) {
            case .passed?: stage.outcome.isTried = true
            case .failed(let reason)?: throw StreamError(message: "the expression fails on its state: \(reason)")
            case .untested?, nil: break
            }
        } catch {
            stage.outcome.failure = stage.outcome.failure ?? StreamError(error).message
        }
        if stage.result != .kept { return nil }
        node.outcome = stage.outcome
        return node
    }

    private func stage(_ node: SavedStateNode, _ stage: StageComparison, _ shared: Shared) -> SavedStateNode {
        var result = node
        if stage.isStream {
            return stage.nested.first.map { stream(node, $0.comparison, shared) } ?? node
        }
        shared.keep(stage.unchangedDocuments)
        let own = Shared(node.shared, within: shared)
        for key in stage.nested.compactMap(\.oldKey) { result.children[key] = nil }
        for stream in stage.nested {
            guard let key = stream.newKey else { continue }
            guard let oldKey = stream.oldKey else {
                if stage.combined != nil { result.children[key] = begun(stream.comparison) }
                continue
            }
            guard let nested = node.children[oldKey] else { continue }
            let shared = stream.isForItem ? own : stream.isReference ? shared.whole : shared
            result.children[key] = self.stream(nested, stream.comparison, shared)
        }
        result.inner = node.inner.map { inner in
            var inner = inner
            let shared = Shared(inner.node.shared, within: shared)
            for stream in stage.nested {
                guard let oldKey = stream.oldKey, let nested = inner.node.children.removeValue(forKey: oldKey) else {
                    continue
                }
                if let key = stream.newKey { inner.node.children[key] = self.stream(nested, stream.comparison, shared) }
            }
            inner.node.shared = shared.edited
            return inner
        }
        result.shared = own.edited
        if let items = stage.items {
            // The streams of items have no plan of their own.
            result.shared = node.shared
            item(&result, items.old, items.new)
        }
        return result
    }

    /// Returns the node of a stream that begins next to others of its stage.
    private func begun(_ comparison: PipelineComparison) -> SavedStateNode {
        comparison.begin()
        return SavedStateNode(.fresh)
    }

    /// Continues the stream of an armed item if its operators are unchanged; otherwise it begins when it is due.
    private func item(_ node: inout SavedStateNode, _ old: [StreamItem<JSON>], _ new: [StreamItem<JSON>]) {
        guard let next = node.states["state"]?["next"]?.int else { return }
        let isSame = old.indices.contains(next) && new.indices.contains(next) && old[next] == new[next]
        if isSame { return }
        node.children[StageKey.item] = nil
        node.shared = [:]
    }
}

extension PipelineComparison {
    /// Records for the plan that all stages begin.
    fileprivate func begin() {
        for stage in [source] + operators {
            (stage.outcome.isKnown, stage.outcome.isRunning) = (true, true)
            for stream in stage.nested where stream.newKey != nil { stream.comparison.begin() }
        }
    }

    /// The documents that a stage refers to and that have not changed.
    fileprivate var unchangedDocuments: Set<String> {
        ([source] + operators).reduce(into: []) { documents, stage in
            documents.formUnion(stage.unchangedDocuments)
            for stream in stage.nested { documents.formUnion(stream.comparison.unchangedDocuments) }
        }
    }
}

extension JSONPath {
    /// The index of the operator that a path leads to.
    fileprivate var lastIndex: Int? {
        for case .index(let index) in components.reversed() { return index }
        return nil
    }
}
