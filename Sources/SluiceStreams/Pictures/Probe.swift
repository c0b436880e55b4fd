import SluiceExpressions
import SluiceJSON

/// Watches the stages of a stream while it runs, and finds out what each value was made of.
///
/// A value that a stage passes on while it takes another was made of that. One that it passes on later, by a timer, was
/// made of the first of those before it that is equal and has not come out yet; an array of those that its elements are
/// equal to; else of the last.
final class Probe {
    /// A stage: what it is called, what feeds it, and what it has passed on.
    final class Stage {
        let name: String
        let expression: String?
        /// The stages that feed it; none for a source.
        let inputs: [Stage]
        fileprivate(set) var marks: [MarblePicture.Mark] = []
        /// The marks of the inputs that nothing has been made of yet, per input.
        fileprivate var unused: [[Int]]

        init(name: String, expression: String?, inputs: [Stage]) {
            self.name = name
            self.expression = expression
            self.inputs = inputs
            unused = inputs.map { _ in [] }
        }
    }

    private(set) var stages: [Stage] = []
    private var lastOrigin = -1
    /// The origins of the values that are being taken, the innermost last.
    private var taken: [(stage: Stage, origins: [Int])] = []
    /// What one stage may remember: a picture shows less.
    private static let limit = 2_000

    /// Adds a stage.
    func add(_ name: String, expression: String? = nil, inputs: [Stage]) -> Stage {
        let stage = Stage(name: name, expression: expression, inputs: inputs)
        stages.append(stage)
        return stage
    }

    /// The stream with a look at what passes.
    func watched(_ flow: Flow<CELValue>, _ stage: Stage) -> Flow<CELValue> {
        // The closure is called by the one run that the probe was made for.
        nonisolated(unsafe) let watch = (self, stage)
        return flow.lift { scope, sink in
            let (probe, stage) = watch
            let run = scope.run
            return Sink<CELValue>(
                lifetime: sink.lifetime,
                end: { end in
                    let kind: StreamEvent<JSON>.Kind =
                        switch end {
                        case .completed: .completed
                        case .failed(let error): .failed(StreamError(error))
                        }
                    if stage.marks.last?.kind.isEnd != true { stage.marks.append(.init(time: run.now, kind: kind)) }
                    sink.end(end)
                },
                receive: { value in
                    let origins = probe.note(value, at: run.now, stage)
                    probe.taken.append((stage, origins))
                    sink.receive(value)
                    probe.taken.removeLast()
                }
            )
        }
    }

    private func note(_ value: CELValue, at time: StreamTime, _ stage: Stage) -> [Int] {
        guard stage.marks.count < Self.limit, let json = try? value.json() else { return [] }
        let origins = origins(of: json, stage)
        stage.marks.append(.init(time: time, kind: .value(json), origins: origins))
        for next in stages {
            for (index, input) in next.inputs.enumerated() where input === stage {
                next.unused[index].append(stage.marks.count - 1)
            }
        }
        return origins
    }

    private func origins(of value: JSON, _ stage: Stage) -> [Int] {
        if stage.inputs.isEmpty {
            lastOrigin += 1
            return [lastOrigin]
        }
        let current = taken.last { entry in stage.inputs.contains { $0 === entry.stage } }?.origins
        if case .array(let elements) = value {
            let parts = elements.flatMap { element in match(element, stage, isUsed: false) ?? [] }
            if !parts.isEmpty { return unique(parts) }
        }
        if let current { return current }
        if let match = match(value, stage, isUsed: true) { return match }
        return stage.inputs.compactMap { $0.marks.last { !$0.kind.isEnd }?.origins }.last ?? []
    }

    /// The origins of the first value before this one that is equal; forgets it if it is used up.
    private func match(_ value: JSON, _ stage: Stage, isUsed: Bool) -> [Int]? {
        for (index, input) in stage.inputs.enumerated() {
            let found = stage.unused[index].firstIndex { input.marks[$0].kind == .value(value) }
            guard let found else { continue }
            let mark = input.marks[stage.unused[index][found]]
            if isUsed { stage.unused[index].remove(at: found) }
            return mark.origins
        }
        return nil
    }

    private func unique(_ origins: [Int]) -> [Int] {
        var seen: Set<Int> = []
        return origins.filter { seen.insert($0).inserted }
    }
}
