/// What passes between the stages of a run, as it goes: what a page draws its tunnels of.
///
/// It belongs to one run, and is used as the run is: by one caller at a time.
package final class StageWatch {
    /// A stage of the pipeline, or a stream that its source combines.
    package struct Stage: Sendable, Equatable {
        package let name: String
        package let id: String?
        package let path: String
        package let expression: String?
        /// The stages that feed it, by their places; none for a source.
        package let inputs: [Int]
    }

    /// What a stage passed on.
    package struct Mark: Sendable, Equatable {
        package let stage: Int
        package let mark: MarblePicture.Mark

        package init(stage: Int, mark: MarblePicture.Mark) {
            self.stage = stage
            self.mark = mark
        }
    }

    /// What watches the pipeline as it is now.
    var probe: Probe?
    private var marks: [Mark] = []
    /// How many marks wait at most; who does not take them loses the older ones.
    private static let limit = 100_000

    package init() {}

    /// The stages, the output last.
    package var stages: [Stage] {
        (probe?.stages ?? []).map(Stage.init)
    }

    /// Takes what came since it was last asked.
    package func take() -> [Mark] {
        defer { marks = [] }
        return marks
    }

    /// Receives the marks of the next pipeline of the run: its values are counted on from those of this one.
    func attach(_ next: Probe?) {
        next?.attach(after: probe?.lastOrigin ?? -1) { [unowned self] stage, mark in
            if marks.count >= Self.limit { marks.removeFirst(Self.limit / 2) }
            marks.append(Mark(stage: stage.index, mark: mark))
        }
    }
}

extension StageWatch.Stage {
    init(_ stage: Probe.Stage) {
        self.init(
            name: stage.name,
            id: stage.id,
            path: stage.path,
            expression: stage.expression,
            inputs: stage.inputs.map(\.index)
        )
    }
}
