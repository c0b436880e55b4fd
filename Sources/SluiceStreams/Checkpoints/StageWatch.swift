/// A recorder of the values that pass between the stages of a run, which a page draws as tunnels.
///
/// It belongs to one run, and like the run it is used by one caller at a time.
package final class StageWatch {
    /// A stage of the pipeline, or a stream that its source combines.
    package struct Stage: Sendable, Equatable {
        package let name: String
        package let id: String?
        package let path: String
        package let expression: String?
        /// The stages that feed it, by their positions; empty for a source.
        package let inputs: [Int]
    }

    /// An event that a stage passed on.
    package struct Mark: Sendable, Equatable {
        package let stage: Int
        package let mark: MarblePicture.Mark

        package init(stage: Int, mark: MarblePicture.Mark) {
            self.stage = stage
            self.mark = mark
        }
    }

    /// The probe of the current pipeline.
    var probe: Probe?
    private var marks: [Mark] = []
    /// The maximum number of waiting marks; if they aren't taken, the oldest are dropped.
    private static let limit = 100_000

    package init() {}

    /// The stages, with the output last.
    package var stages: [Stage] {
        (probe?.stages ?? []).map { stage in
            Stage(
                name: stage.name,
                id: stage.id,
                path: stage.path,
                expression: stage.expression,
                inputs: stage.inputs.map(\.index)
            )
        }
    }

    /// Returns the marks since the last call.
    package func take() -> [Mark] {
        defer { marks = [] }
        return marks
    }

    /// A probe for the next pipeline of the run, which continues the number of values.
    var next: Probe {
        Probe(after: probe?.lastOrigin ?? -1) { [unowned self] stage, mark in
            if marks.count >= Self.limit { marks.removeFirst(Self.limit / 2) }
            marks.append(Mark(stage: stage.index, mark: mark))
        }
    }
}
