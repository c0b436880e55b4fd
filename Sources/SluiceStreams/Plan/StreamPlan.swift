public import SluiceJSON

/// The effects of an edit on a running stream: the stages that are kept, reset, added, and dropped.
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
/// Stages are matched by their ids, or without ids by kind and order. The same documents always give the same plan.
public struct StreamPlan: Sendable, Hashable, Codable {
    /// The effect of an edit on a stage.
    public enum Action: String, Sendable, Hashable, Codable, CaseIterable {
        /// It continues with its state.
        case kept
        /// It continues without its state, from the beginning.
        case reset
        /// It is new, and begins.
        case added
        /// It ends, and its held items are lost.
        case dropped
    }

    /// A remark on the effect of an edit on a stage.
    public enum Note: String, Sendable, Hashable, Codable, CaseIterable {
        /// A changed expression reads the state that is kept, and was not tried on it, since no item has come.
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
        /// The value before the edit; `nil` without one.
        public let old: JSON?
        /// The value after the edit; `nil` without one.
        public let new: JSON?
    }

    /// The effect of an edit on one stage.
    public struct Step: Sendable, Hashable, Codable {
        /// The effect of the edit.
        public let action: Action
        /// The name of its operator or source.
        public let name: String
        /// Its id, if it has one.
        public let id: String?
        /// Its path in the old document; `nil` if it is new.
        public let oldPath: String?
        /// Its path in the new document; `nil` if it is dropped.
        public let newPath: String?
        /// A Boolean value that indicates whether it was moved among the other stages.
        public let isMoved: Bool
        /// The parameters that differ.
        public let changes: [Change]
        /// The reason why it is reset.
        public let reason: String?
        /// The remarks on it, in the order of ``Note``.
        public let notes: [Note]
    }

    /// A Boolean value that indicates whether the run has ended, so that nothing is running and an edit changes
    /// nothing.
    public let isEnded: Bool

    /// The stages in the order of the new document, each followed by the streams within it, and then the sinks; dropped
    /// stages are at their old places, dropped sinks come last. A sink that is kept keeps its cursor.
    public let steps: [Step]

    /// The effects of a change of `partition`, where workers run the stream; `nil` for an edit that does not change it.
    public let division: Division?

    /// Creates the difference of two revisions of a document.
    ///
    /// - Parameters:
    ///   - old: The document that is running.
    ///   - new: The new document.
    ///   - oldLibrary: The documents that references of the old document lead to.
    ///   - newLibrary: The documents that references of the new document lead to; these documents are compared too.
    /// - Complexity: O(*n*²) in the number of operators in a row.
    public init(
        from old: StreamDocument,
        in oldLibrary: StreamLibrary = StreamLibrary(),
        to new: StreamDocument,
        in newLibrary: StreamLibrary = StreamLibrary()
    ) {
        self.init(
            PipelineComparison(old, oldLibrary, new, newLibrary),
            sinks: Self.steps(from: old.sinks, to: new.sinks),
            division: Division(from: old, to: new, in: newLibrary)
        )
    }

    /// Creates the difference of two revisions, with the effects of an edit on a run.
    ///
    /// - Parameters:
    ///   - isEnded: A Boolean value that indicates whether the run has ended.
    ///   - sinks: The effects on the sinks, which deliver what an ended run has put out too.
    ///   - division: The effects of a change of `partition`.
    init(_ comparison: PipelineComparison, isEnded: Bool = false, sinks: [Step], division: Division?) {
        var steps: [Step] = []
        if !isEnded { comparison.collect(into: &steps) }
        (self.steps, self.isEnded, self.division) = (steps + sinks, isEnded, division)
    }

    /// A Boolean value that indicates whether all stages keep their state, and no stage is new.
    public var keepsAll: Bool { steps.allSatisfy { $0.action == .kept } }

    /// A Boolean value that indicates whether the revisions are equal.
    public var isEmpty: Bool { division == nil && keepsAll && steps.allSatisfy { $0.changes.isEmpty && !$0.isMoved } }
}

extension StreamPlan: CustomStringConvertible {
    /// The plan as text, with one line for each stage: the effect, its path, and its changes.
    public var description: String {
        ((isEnded ? ["nothing runs: the run has ended"] : []) + steps.map(\.description)
            + (division.map { [$0.description] } ?? [])).joined(separator: "\n")
    }
}

extension StreamPlan.Step: CustomStringConvertible {
    /// The step as text, such as `keep   operators[1].scan (sum): expression "acc + x" → "acc + 2 * x"`.
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
    /// The change as text, such as `seconds 1 → 2`.
    public var description: String {
        "\(parameter) \(old.map { "\($0)" } ?? "none") → \(new.map { "\($0)" } ?? "none")"
    }
}

extension PipelineComparison {
    /// - Parameter lost: The enclosing stage that is reset, if any.
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
