import SluiceExpressions

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
    private var marks: [Entry] = []
    private var untracedSize = 0
    /// The number of values of sources that were asked for.
    private var takenItems = 0
    /// The maximum number of waiting marks; if they aren't taken, the oldest are dropped.
    private static let limit = 100_000
    /// The maximum number of values that are kept while nobody subscribes.
    private static let untracedLimit = 2048

    /// The maximum size of the values that are kept while nobody subscribes, in bytes.
    package var keptSize = 1 << 20

    private enum Entry {
        case mark(Mark)
        case untraced(Probe.Untraced)

        /// The memory that it takes, in bytes.
        var size: Int { if case .untraced(let value) = self { value.size + 128 } else { 0 } }
    }

    package init() {}

    /// A Boolean value that indicates whether the watch finds out what each value was made of: while somebody looks.
    package var isTracing = true { didSet { probe?.isTracing = isTracing } }

    /// The sizes of all values that have passed between the stages, in bytes.
    package var passedSize: Int { probe?.passedSize ?? 0 }

    /// Returns the number of values that the sources of the run have put in since the last call.
    package func takeItemCount() -> Int {
        let count = (probe?.lastOrigin ?? -1) + 1
        defer { takenItems = max(takenItems, count) }
        return max(0, count - takenItems)
    }

    /// The stages, with the output last.
    package var stages: [Stage] {
        (probe?.stages ?? []).map(Stage.init)
    }

    /// Returns the marks since the last call.
    package func take() -> [Mark] {
        defer { discard() }
        return marks.compactMap { entry in
            switch entry {
            case .mark(let mark): return mark
            case .untraced(let passed):
                guard let json = try? passed.value.json() else { return nil }
                return Mark(
                    stage: passed.stage,
                    mark: .init(time: passed.time, kind: .value(json), origins: passed.origins)
                )
            }
        }
    }

    /// Discards what came since it was last asked.
    package func discard() {
        marks = []
        untracedSize = 0
    }

    /// Adds a mark that the stages did not pass on themselves.
    package func add(_ mark: Mark) { keep(.mark(mark)) }

    private func keep(_ entry: Entry) {
        marks.append(entry)
        untracedSize += entry.size
        let limit = isTracing ? Self.limit : Self.untracedLimit * 2
        guard marks.count >= limit || untracedSize > keptSize * 2 else { return }
        // The newest half stays.
        var (left, size) = (marks.count / 2, 0)
        var kept = 0
        while kept < left, size + marks[marks.count - 1 - kept].size <= keptSize {
            size += marks[marks.count - 1 - kept].size
            kept += 1
        }
        left = kept
        marks.removeFirst(marks.count - left)
        untracedSize = size
    }

    /// Receives the marks of the next pipeline of the run, which continues the number of values.
    func attach(_ next: Probe?) {
        next?.attach(
            after: probe?.lastOrigin ?? -1,
            onMark: { [unowned self] stage, mark in keep(.mark(Mark(stage: stage.index, mark: mark))) },
            onUntraced: { [unowned self] value in keep(.untraced(value)) }
        )
        next?.isTracing = isTracing
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
