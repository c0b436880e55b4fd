import SluiceJSON

/// The state of a run before an edit, with which the edit can be undone.
public struct StreamRollback: Sendable {
    /// The document that ran before the edit.
    public let document: StreamDocument
    /// The state of the run at the edit.
    public let checkpoint: StreamCheckpoint
    /// The plan of the edit.
    public let plan: StreamPlan
}

/// An edit after which the run may fail because a state was kept.
struct LastEdit {
    let rollback: StreamRollback
    private let time: StreamTime
    /// The paths of the stages whose expressions read a state that was kept.
    private let paths: [String]

    /// - Returns: `nil` for an edit that changes nothing, or that keeps no state that an expression reads.
    init?(_ rollback: StreamRollback, _ comparison: PipelineComparison, at time: StreamTime) {
        guard !rollback.plan.isEmpty else { return nil }
        (self.rollback, self.time, paths) = (rollback, time, comparison.pathsOfKeptStates)
        if paths.isEmpty { return nil }
    }

    /// Returns a Boolean value that indicates whether a kept state may have caused an error: the error is from the
    /// expression that reads it, and not from a stream within the stage.
    func explains(_ error: StreamError) -> Bool {
        paths.contains { error.path == $0 || error.path == "\($0).expression" }
    }

    /// Returns the error with a description of the edit that kept the state, and the offer to undo the edit.
    func explained(_ error: StreamError) -> StreamError {
        let revision = rollback.document.revision.map { " to revision \($0)" } ?? ""
        let changes = rollback.plan.steps.filter { step in
            paths.contains { step.newPath == $0 } && !step.changes.isEmpty
        }
        let edit = changes.first.map { ": \($0.changes.map(\.description).joined(separator: ", "))" } ?? ""
        return StreamError(
            path: error.path,
            message:
                "\(error.message); the edit at \(time) s kept the state\(edit); roll back\(revision) to resume from "
                + "before the edit"
        )
    }
}

extension PipelineComparison {
    /// The paths of the stages that keep a state that an expression reads.
    fileprivate var pathsOfKeptStates: [String] {
        ([source] + operators).flatMap { stage -> [String] in
            if stage.result != .kept { return [] }
            let own = stage.readsState ? stage.newPath.map { [$0.description] } ?? [] : []
            return own + stage.nested.flatMap(\.comparison.pathsOfKeptStates)
        }
    }
}
