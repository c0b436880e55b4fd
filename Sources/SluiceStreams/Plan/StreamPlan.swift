public import SluiceJSON

/// What an edit of a stream does to a run of it: what is kept, reset, added and dropped.
///
/// ```swift
/// let old = try StreamDocument(parsing: #"{"source": {"values": [1]}, "operators": [{"scan": {"expression": "acc + x"}}]}"#)
/// let new = try StreamDocument(parsing: #"{"source": {"values": [1]}, "operators": [{"count": {}}]}"#)
/// print(StreamPlan(from: old, to: new))
/// // keep   source.values
/// // drop   operators[0].scan
/// // add    operators[0].count
/// ```
///
/// Stages are matched by their ids, where one has none by kind and order. The same documents give the same plan.
public struct StreamPlan: Sendable, Hashable, Codable {
    /// What becomes of a stage.
    public enum Action: String, Sendable, Hashable, Codable, CaseIterable {
        /// It goes on with its state.
        case kept
        /// It goes on without its state: it begins afresh.
        case reset
        /// It was not there, and begins.
        case added
        /// It ends, with what it holds.
        case dropped
    }

    /// A remark on what becomes of a stage.
    public enum Note: String, Sendable, Hashable, Codable, CaseIterable {
        /// A changed expression reads the state that is kept, and was not tried on it: no item was seen.
        case untested
        /// Waiting items are due at the instant of the edit.
        case dueNow = "due now"
        /// The stage has ended, or the input on which it would begin has.
        case ended
    }

    /// A parameter that differs.
    public struct Change: Sendable, Hashable, Codable {
        /// The name of the parameter.
        public let parameter: String
        /// What stood there; `nil` for nothing.
        public let old: JSON?
        /// What will stand there; `nil` for nothing.
        public let new: JSON?
    }

    /// What becomes of one stage.
    public struct Step: Sendable, Hashable, Codable {
        /// What becomes of it.
        public let action: Action
        /// The name of its operator or source.
        public let name: String
        /// Its id, where it has one.
        public let id: String?
        /// Where it stands in the old document; `nil` where it does not.
        public let oldPath: String?
        /// Where it stands in the new document; `nil` where it does not.
        public let newPath: String?
        /// Whether it stands among other stages than before.
        public let isMoved: Bool
        /// The parameters that differ.
        public let changes: [Change]
        /// The reason that it is reset.
        public let reason: String?
        /// The remarks on it, in the order of ``Note``.
        public let notes: [Note]
    }

    /// A Boolean value that indicates whether the run has ended: nothing runs, and an edit changes nothing.
    public let isEnded: Bool

    /// The stages in the order of the new document, streams within a stage after it; those that are dropped where they
    /// were.
    public let steps: [Step]

    /// The difference of two revisions of a document.
    ///
    /// - Parameters:
    ///   - old: the document as it runs.
    ///   - new: the document as it will run.
    ///   - oldLibrary: where the references of the old document lead.
    ///   - newLibrary: where those of the new one lead: streams that differ are compared too.
    /// - Complexity: O(*n*²) in the number of operators one after another.
    public init(
        from old: StreamDocument,
        in oldLibrary: StreamLibrary = StreamLibrary(),
        to new: StreamDocument,
        in newLibrary: StreamLibrary = StreamLibrary()
    ) {
        self.init(PipelineComparison(old, oldLibrary, new, newLibrary))
    }

    /// The difference of two revisions, with what an edit does to a run.
    ///
    /// - Parameter isEnded: whether the run has ended.
    init(_ comparison: PipelineComparison, isEnded: Bool = false) {
        var steps: [Step] = []
        if !isEnded { comparison.collect(into: &steps) }
        (self.steps, self.isEnded) = (steps, isEnded)
    }

    /// Whether nothing loses its state, and nothing begins.
    public var keepsAll: Bool { steps.allSatisfy { $0.action == .kept } }

    /// Whether nothing differs.
    public var isEmpty: Bool { keepsAll && steps.allSatisfy { $0.changes.isEmpty && !$0.isMoved } }
}

extension StreamPlan: CustomStringConvertible {
    /// A line for each stage: what becomes of it, where it stands, what differs.
    public var description: String {
        isEnded ? "nothing runs: the run has ended" : steps.map(\.description).joined(separator: "\n")
    }
}

extension StreamPlan.Step: CustomStringConvertible {
    /// `keep   operators[1].scan (sum): expression "acc + x" → "acc + 2 * x"`
    public var description: String {
        let verb =
            switch action {
            case .kept: notes.contains(.untested) ? "keep (untested) " : "keep   "
            case .reset: "reset  "
            case .added: "add    "
            case .dropped: "drop   "
            }
        var text = verb + (newPath ?? oldPath ?? name)
        if let id { text += " (\(id))" }
        if isMoved, let oldPath { text += ", moved from \(oldPath)" }
        if let reason { text += ", \(reason)" }
        let differences = changes.map(\.description).joined(separator: ", ")
        if !differences.isEmpty { text += ": \(differences)" }
        for note in notes where note != .untested { text += " (\(note.rawValue))" }
        return text
    }
}

extension StreamPlan.Change: CustomStringConvertible {
    /// `seconds 1 → 2`
    public var description: String {
        "\(parameter) \(old.map { "\($0)" } ?? "none") → \(new.map { "\($0)" } ?? "none")"
    }
}

extension PipelineComparison {
    /// - Parameter lost: the stage around that is reset, if one is.
    fileprivate func collect(into steps: inout [StreamPlan.Step], with lost: String? = nil) {
        for stage in [source] + operators { stage.collect(into: &steps, with: lost) }
    }
}

extension StageComparison {
    fileprivate func collect(into steps: inout [StreamPlan.Step], with lost: String?) {
        var action = result
        if lost != nil, action == .kept { action = .reset }
        if !isImplied, !isStream {
            let changes = changes.map { StreamPlan.Change(parameter: $0.parameter, old: $0.old, new: $0.new) }
            var reason = resultReason
            if reason == nil, action == .reset, let lost { reason = "with \(lost)" }
            steps.append(
                StreamPlan.Step(
                    action: action,
                    name: name,
                    id: id,
                    oldPath: oldPath?.description,
                    newPath: newPath?.description,
                    isMoved: isMoved,
                    changes: changes + itemChanges,
                    reason: reason,
                    notes: notes(action)
                )
            )
        }
        let reset = action == .reset && self.action == .kept ? newPath?.description ?? name : nil
        for stream in nested { stream.comparison.collect(into: &steps, with: lost ?? reset) }
    }

    private func notes(_ action: StreamPlan.Action) -> [StreamPlan.Note] {
        var notes: [StreamPlan.Note] = []
        let isEnded = outcome.isKnown && !outcome.isRunning
        if action == .kept, trial != nil, !outcome.isTried, !isEnded { notes.append(.untested) }
        if outcome.isDueNow { notes.append(.dueNow) }
        if isEnded { notes.append(.ended) }
        return notes
    }

    /// The items of a `stream` source that differ, by their index.
    private var itemChanges: [StreamPlan.Change] {
        guard let items else { return [] }
        func json(_ items: [StreamItem<JSON>], _ index: Int) -> JSON? {
            guard items.indices.contains(index) else { return nil }
            var writer = JSONWriter()
            writer.value(items[index])
            return try? JSON(parsing: writer.text)
        }
        return (0..<max(items.old.count, items.new.count)).compactMap { index in
            let (was, now) = (json(items.old, index), json(items.new, index))
            return was == now ? nil : StreamPlan.Change(parameter: "[\(index)]", old: was, new: now)
        }
    }
}
