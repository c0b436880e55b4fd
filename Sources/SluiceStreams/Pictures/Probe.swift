import SluiceExpressions
import SluiceJSON

/// A probe that observes the stages of a running stream, and determines the origin of each value.
///
/// A value that a stage passes on while it takes another was made of that one, and so was a value of a stream that was
/// started for another. A value that it passes on later, by a timer, was made of the first earlier value that is equal
/// and has not been emitted yet; an array, of the values that its elements are equal to; otherwise of the last value.
final class Probe {
    /// A stage: its name, its inputs, and the marks that it has passed on.
    final class Stage {
        let name: String
        let expression: String?
        /// Its index among the stages.
        let index: Int
        /// Its id and its path in the document.
        let id: String?
        let path: String
        /// The stages that feed it; empty for a source.
        let inputs: [Stage]
        fileprivate(set) var marks: [MarblePicture.Mark] = []
        /// The sizes of the marks that are kept for comparison, in bytes.
        fileprivate var sizes: [Int] = []
        /// The origins of its last value; `nil` where they are not known.
        fileprivate var lastOrigins: [Int]?
        /// A Boolean value that indicates whether the last mark is an end.
        fileprivate var isEnded = false
        /// The number of earlier marks that have been dropped.
        fileprivate var forgotten = 0
        /// The unused marks of each input.
        fileprivate var unused: [UnusedMarks]

        fileprivate init(
            _ name: String,
            _ expression: String?,
            index: Int,
            id: String?,
            path: JSONPath,
            inputs: [Stage]
        ) {
            self.name = name
            self.expression = expression
            self.index = index
            self.id = id
            self.path = path.description
            self.inputs = inputs
            unused = inputs.map { _ in UnusedMarks() }
        }
    }

    /// The values of an input that nothing has been made of yet: found by hash, the oldest of equal ones first.
    fileprivate struct UnusedMarks {
        private var numbers: [JSON: [Int]] = [:]

        mutating func add(_ number: Int, _ value: JSON) { numbers[value, default: []].append(number) }

        func first(_ value: JSON) -> Int? { numbers[value]?.first }

        mutating func remove(_ number: Int, _ value: JSON) {
            guard let index = numbers[value]?.firstIndex(of: number) else { return }
            numbers[value]?.remove(at: index)
            if numbers[value]?.isEmpty ?? false { numbers[value] = nil }
        }

        /// Forgets the marks before a number.
        mutating func forget(before number: Int) {
            numbers = numbers.compactMapValues { list in
                let left = list.filter { $0 >= number }
                return left.isEmpty ? nil : left
            }
        }
    }

    /// A value that has passed while nobody looked, with the number that it has as the value of a source.
    struct Untraced {
        let stage: Int
        let time: StreamTime
        let value: CELValue
        let origins: [Int]
        let size: Int
    }

    /// A Boolean value that indicates whether it finds out what each value was made of. While it does not, a value costs
    /// next to nothing; values that were made of those are made of unknown ones later.
    var isTracing = true {
        didSet {
            guard isTracing != oldValue else { return }
            // Values that nobody looks at take no memory.
            for stage in stages {
                (stage.marks, stage.sizes, stage.lastOrigins, stage.isEnded) = ([], [], nil, false)
                stage.unused = stage.inputs.map { _ in UnusedMarks() }
            }
            keptSize = 0
        }
    }
    /// The sizes of all values that have passed, in bytes.
    private(set) var passedSize = 0

    private(set) var stages: [Stage] = []
    /// The number of the last value of a source.
    private(set) var lastOrigin: Int
    /// The origins of the values that are being taken, the innermost last.
    private var taken: [(stage: Stage, origins: [Int])] = []
    /// A closure that takes each mark. If it is set, only the latest marks are kept, for comparison with later ones.
    private var onMark: ((Stage, MarblePicture.Mark) -> Void)?
    /// Takes the values that pass while it does not trace.
    private var onUntraced: ((Untraced) -> Void)?
    /// The maximum number of marks of one stage; a picture shows fewer.
    private static let limit = 2_000
    /// The number of marks of one stage that are kept if `onMark` is set.
    private static let window = 256
    /// The size of the marks of all stages that are kept if `onMark` is set, in bytes.
    private static let largestSize = 4 << 20
    /// The size of the marks of all stages that are kept, in bytes.
    private(set) var keptSize = 0

    /// Creates a probe that keeps the marks.
    ///
    /// - Parameters:
    ///   - onMark: A closure that the run calls with each mark instead of keeping it.
    ///   - onUntraced: A closure that takes the values that pass while it does not trace.
    init(
        after lastOrigin: Int = -1,
        onMark: ((Stage, MarblePicture.Mark) -> Void)? = nil,
        onUntraced: ((Untraced) -> Void)? = nil
    ) {
        self.lastOrigin = lastOrigin
        self.onMark = onMark
        self.onUntraced = onUntraced
    }

    /// Counts values on from those of another probe, and passes marks on; called before the run begins.
    func attach(
        after lastOrigin: Int,
        onMark: @escaping (Stage, MarblePicture.Mark) -> Void,
        onUntraced: @escaping (Untraced) -> Void
    ) {
        (self.lastOrigin, self.onMark, self.onUntraced) = (lastOrigin, onMark, onUntraced)
    }

    /// Adds a stage.
    func add(
        _ name: String,
        expression: String? = nil,
        id: String? = nil,
        at path: JSONPath,
        inputs: [Stage]
    ) -> Stage {
        let stage = Stage(name, expression, index: stages.count, id: id, path: path, inputs: inputs)
        stages.append(stage)
        return stage
    }

    /// Returns the stream with its events observed.
    func watched(_ flow: Flow<CELValue>, _ stage: Stage) -> Flow<CELValue> {
        // The closure is called by the one run for which the probe was created.
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
                    if !stage.isEnded { probe.keep(.init(time: run.now, kind: kind), stage, 0) }
                    sink.end(end)
                },
                receive: { value in
                    let size = probe.onMark == nil ? 0 : value.estimatedSize
                    guard probe.pass(size, at: stage.path, run) else { return }
                    if !probe.isTracing {
                        probe.noteUntraced(value, at: run.now, stage, size)
                        return sink.receive(value)
                    }
                    let origins = probe.note(value, at: run.now, stage, size)
                    probe.taken.append((stage, origins))
                    sink.receive(value)
                    probe.taken.removeLast()
                }
            )
        }
    }

    /// Returns a stream within a stage with its values measured.
    ///
    /// - Parameter path: The path of the part that gives the values, for the error of one that is too large.
    func measured(_ flow: Flow<CELValue>, _ path: JSONPath) -> Flow<CELValue> {
        // The closure is called by the one run for which the probe was created.
        nonisolated(unsafe) let probe = self
        let path = path.description
        return flow.lift { scope, sink in
            let (probe, run) = (probe, scope.run)
            if probe.onMark == nil { return sink }
            return sink.receiving { (value: CELValue) in
                if probe.pass(value.estimatedSize, at: path, run) { sink.receive(value) }
            }
        }
    }

    /// Returns a function that wraps the sink of a stream that is started for a value, so that everything from that
    /// stream has the value as its origin.
    ///
    /// The stage is the next one that is added.
    func starting() -> @Sendable (CELValue, Sink<CELValue>) -> Sink<CELValue> {
        guard let input = stages.last else { return { $1 } }
        // The closure is called by the one run for which the probe was created.
        nonisolated(unsafe) let watch = (self, input)
        return { value, sink in
            let (probe, input) = watch
            guard probe.isTracing,
                let stage = probe.stages.first(where: { next in next.inputs.contains { $0 === input } }),
                let json = try? value.json(), let origins = probe.match(json, stage, isUsed: true)
            else { return sink }
            return sink.receiving { (value: CELValue) in
                probe.taken.append((input, origins))
                sink.receive(value)
                probe.taken.removeLast()
            }
        }
    }

    /// Counts a value; answers `false`, and aborts the run, where it is too large.
    private func pass(_ size: Int, at path: String, _ run: Run) -> Bool {
        passedSize &+= size
        return run.pass(size, at: path)
    }

    private func noteUntraced(_ value: CELValue, at time: StreamTime, _ stage: Stage, _ size: Int) {
        var origins: [Int] = []
        if stage.inputs.isEmpty {
            lastOrigin += 1
            origins = [lastOrigin]
        }
        onUntraced?(Untraced(stage: stage.index, time: time, value: value, origins: origins, size: size))
    }

    private func note(_ value: CELValue, at time: StreamTime, _ stage: Stage, _ size: Int) -> [Int] {
        guard onMark != nil || stage.marks.count < Self.limit, let json = try? value.json() else { return [] }
        let origins = origins(of: json, stage)
        for next in stages {
            for (index, input) in next.inputs.enumerated() where input === stage {
                next.unused[index].add(stage.forgotten + stage.marks.count, json)
            }
        }
        stage.lastOrigins = origins
        keep(.init(time: time, kind: .value(json), origins: origins), stage, size + origins.count * 8)
        return origins
    }

    private func keep(_ mark: MarblePicture.Mark, _ stage: Stage, _ size: Int) {
        stage.marks.append(mark)
        stage.isEnded = mark.kind.isEnd
        guard let onMark else { return }
        stage.sizes.append(size)
        keptSize += size
        onMark(stage, mark)
        if stage.marks.count >= Self.window * 2 { forget(Self.window, of: stage) }
        // The oldest half is forgotten: a later value that equals one of it gets the origins of the last value.
        while keptSize > Self.largestSize {
            for stage in stages { forget((stage.marks.count + 1) / 2, of: stage) }
        }
    }

    /// Forgets the oldest marks of a stage.
    private func forget(_ count: Int, of stage: Stage) {
        if count == 0 { return }
        keptSize -= stage.sizes.prefix(count).reduce(0, +)
        stage.marks.removeFirst(count)
        stage.sizes.removeFirst(count)
        stage.forgotten += count
        for next in stages {
            for (index, input) in next.inputs.enumerated() where input === stage {
                next.unused[index].forget(before: stage.forgotten)
            }
        }
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
        return stage.inputs.compactMap(\.lastOrigins).last ?? []
    }

    /// Returns the origins of the first earlier value that is equal, and removes it if it is used up.
    private func match(_ value: JSON, _ stage: Stage, isUsed: Bool) -> [Int]? {
        for (index, input) in stage.inputs.enumerated() {
            guard let number = stage.unused[index].first(value) else { continue }
            let mark = input.marks[number - input.forgotten]
            if isUsed { stage.unused[index].remove(number, value) }
            return mark.origins
        }
        return nil
    }

    private func unique(_ origins: [Int]) -> [Int] {
        var seen: Set<Int> = []
        return origins.filter { seen.insert($0).inserted }
    }
}

extension Int {
    /// A number of bytes, as megabytes that people read.
    package var inMegabytes: String {
        let tenths = (Double(self) / Double(1 << 20) * 10).rounded(.up) / 10
        return tenths == tenths.rounded() ? "\(Int(tenths)) MB" : "\(tenths) MB"
    }
}
