import SluiceJSON

/// The conversion of a run's state from one revision to another, according to a plan.
struct EditedRun {
    /// The shared streams of one item, or of the whole stream, before and after the edit.
    private final class Shared {
        var old: [String: SavedPart]
        var new: [String: SavedPart] = [:]
        /// The keys that were visited.
        var known: Set<String> = []
        /// The documents that are unchanged and still referred to, whose shared streams continue unchanged.
        private var unchanged: Set<String> = []
        private let around: Shared?

        init(_ old: [String: SavedPart], within around: Shared? = nil) {
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
        var edited: [String: SavedPart] {
            old.filter { key, _ in
                !known.contains(key) && unchanged.contains { key.hasPrefix(StageKey.shared(in: $0, JSONPath())) }
            }.merging(new) { $1 }
        }
    }

    private let comparison: PipelineComparison

    init(_ comparison: PipelineComparison) { self.comparison = comparison }

    /// Returns the state that the run of the new revision resumes from.
    func edited(_ run: SavedRun) -> SavedRun {
        guard let parts = run.parts else { return run }
        var run = run
        run.parts = whole(parts, comparison)
        return run
    }

    /// Returns a stream with the shared streams of its parts.
    private func whole(_ part: SavedPart, _ comparison: PipelineComparison) -> SavedPart {
        let shared = Shared(part.shared)
        // Also for streams that are yet to begin, since shared streams may have ended before them.
        shared.keep(comparison.unchangedDocuments)
        var result = stream(part, comparison, shared)
        result.shared = shared.edited
        return result
    }

    // MARK: Streams

    private func stream(_ part: SavedPart, _ comparison: PipelineComparison, _ shared: Shared) -> SavedPart {
        // All stages in one row, including shared ones.
        var old = part.parts
        let stages = [comparison.source] + comparison.operators
        for key in stages.compactMap(\.oldShared) {
            shared.known.insert(key)
            if let part = shared.old[key] { old.merge(part.parts) { $1 } }
        }
        if old.isEmpty { return part }
        let new = row(stages, old, shared)
        var result = part
        (result.parts, result.inner) = (new.isEmpty ? [:] : new, part.inner)
        // The stages before a shared stage belong to it.
        var mine = new
        var before: [String] = []
        for stage in stages {
            if let key = stage.newShared, let stageKey = stage.newKey {
                var part =
                    stage.result == .kept ? stage.oldShared.flatMap { shared.old[$0] } ?? SavedPart() : SavedPart()
                part.parts = [:]
                for key in before { part.parts[key] = mine.removeValue(forKey: key) }
                shared.new[key] = part
                before = [stageKey]
            } else if let key = stage.newKey {
                before.append(key)
            }
        }
        result.parts = mine
        return result
    }

    /// Returns the stages of a new revision, by their keys: those that continue, those that begin, and a completion if
    /// no running stage is left.
    private func row(
        _ stages: [StageComparison],
        _ old: [String: SavedPart],
        _ shared: Shared
    ) -> [String: SavedPart] {
        var new: [String: SavedPart] = [:]
        var last = StageKey.source
        var before: String?
        for stage in stages {
            guard let key = stage.newKey else { continue }
            defer { last = key }
            let part = stage.oldKey.flatMap { old[$0] }
            stage.outcome.isKnown = true
            if stage.action == .kept, let part, let kept = keeping(part, stage) {
                if new.isEmpty, key != StageKey.source, isFed(stage, stages, old) { before = last }
                new[key] = self.stage(kept, stage, shared)
            } else if !new.isEmpty || (key == StageKey.source && part != nil) || (stage.action == .kept && part != nil)
            {
                new[key] = SavedPart(.fresh)
            } else {
                continue
            }
            stage.outcome.isRunning = true
        }
        if let before { new[before] = SavedPart(.completed) }
        if new.isEmpty { new[last] = SavedPart(.completed) }
        return new
    }

    /// Returns a Boolean value that indicates whether the stage before this one was running.
    private func isFed(_ stage: StageComparison, _ stages: [StageComparison], _ old: [String: SavedPart]) -> Bool {
        let before = stages.filter { $0.oldKey != nil && old[$0.oldKey ?? ""] != nil }
        return before.contains { other in
            guard let path = other.oldPath, let own = stage.oldPath, other.oldKey != stage.oldKey else { return false }
            if other.oldKey == StageKey.source { return true }
            return (path.lastIndex ?? 0) < (own.lastIndex ?? 0)
        }
    }

    // MARK: Stages

    /// Returns a part with a place for each stream that its stage combines; `nil` if a changed expression doesn't
    /// accept the state.
    private func keeping(_ part: SavedPart, _ stage: StageComparison) -> SavedPart? {
        var part = part
        do {
            if let combined = stage.combined {
                let dropped = stage.nested.count { $0.newKey == nil && $0.oldKey.flatMap { part.parts[$0] } != nil }
                part.states = try combined.states(part.states, dropped: dropped)
            }
            switch stage.trial?.run(part.states) {
            case .passed?: stage.outcome.isTried = true
            case .failed(let reason)?: throw StreamError(message: "the expression fails on its state: \(reason)")
            case .untested?, nil: break
            }
        } catch {
            stage.outcome.failure = stage.outcome.failure ?? StreamError(error).message
        }
        if stage.result != .kept { return nil }
        part.outcome = stage.outcome
        return part
    }

    private func stage(_ part: SavedPart, _ stage: StageComparison, _ shared: Shared) -> SavedPart {
        var result = part
        if stage.isStream {
            return stage.nested.first.map { stream(part, $0.comparison, shared) } ?? part
        }
        shared.keep(stage.unchangedDocuments)
        let own = Shared(part.shared, within: shared)
        for key in stage.nested.compactMap(\.oldKey) { result.parts[key] = nil }
        for stream in stage.nested {
            guard let key = stream.newKey else { continue }
            guard let oldKey = stream.oldKey else {
                if stage.combined != nil { result.parts[key] = begun(stream.comparison) }
                continue
            }
            guard let nested = part.parts[oldKey] else { continue }
            let shared = stream.isForItem ? own : stream.isReference ? shared.whole : shared
            result.parts[key] = self.stream(nested, stream.comparison, shared)
        }
        result.inner = part.inner.map { inner in
            var inner = inner
            let shared = Shared(inner.part.shared, within: shared)
            for stream in stage.nested {
                guard let oldKey = stream.oldKey, let nested = inner.part.parts.removeValue(forKey: oldKey) else {
                    continue
                }
                if let key = stream.newKey { inner.part.parts[key] = self.stream(nested, stream.comparison, shared) }
            }
            inner.part.shared = shared.edited
            return inner
        }
        result.shared = own.edited
        if let items = stage.items {
            // The streams of items have no plan of their own.
            result.shared = part.shared
            item(&result, items.old, items.new)
        }
        return result
    }

    /// Returns the part of a stream that begins next to others of its stage.
    private func begun(_ comparison: PipelineComparison) -> SavedPart {
        comparison.begin()
        return SavedPart(.fresh)
    }

    /// Continues the stream of an armed item if its operators are unchanged; otherwise it begins when it is due.
    private func item(_ part: inout SavedPart, _ old: [StreamItem<JSON>], _ new: [StreamItem<JSON>]) {
        guard let next = part.states["state"]?["next"]?.int else { return }
        let isSame = old.indices.contains(next) && new.indices.contains(next) && old[next] == new[next]
        if isSame { return }
        part.parts[StageKey.item] = nil
        part.shared = [:]
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
