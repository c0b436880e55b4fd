import SluiceJSON

/// The state of a run before an edit: with it, the edit can be taken back.
public struct StreamRollback: Sendable {
    /// The document that ran before the edit.
    public let document: StreamDocument
    /// The state of the run at the edit.
    public let checkpoint: StreamCheckpoint
    /// The plan of the edit.
    public let plan: StreamPlan
}

/// An edit after which the run may fail because of a state that was kept.
struct LastEdit {
    let rollback: StreamRollback
    private let time: StreamTime
    /// The paths of the stages whose expressions read a state that was kept.
    private let paths: [String]

    /// - Returns: `nil` for an edit that changes nothing, and for one that keeps no state that an expression reads.
    init?(_ rollback: StreamRollback, _ comparison: PipelineComparison, at time: StreamTime) {
        guard !rollback.plan.isEmpty else { return nil }
        (self.rollback, self.time, paths) = (rollback, time, comparison.pathsOfKeptStates)
        if paths.isEmpty { return nil }
    }

    /// Returns a Boolean value that indicates whether a state that was kept may have caused an error: one of the
    /// expression that reads it, and not of a stream within the stage.
    func explains(_ error: StreamError) -> Bool {
        paths.contains { error.path == $0 || error.path == "\($0).expression" }
    }

    /// Returns the error with the edit that kept the state, and the offer to take it back.
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
    /// The paths of the stages that keep a state which an expression reads.
    fileprivate var pathsOfKeptStates: [String] {
        ([source] + operators).flatMap { stage -> [String] in
            if stage.result != .kept { return [] }
            let own = stage.readsState ? stage.newPath.map { [$0.description] } ?? [] : []
            return own + stage.nested.flatMap(\.comparison.pathsOfKeptStates)
        }
    }
}
