#if Hub
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The run of a document in virtual time, for a page: bounded in length, in work and in time.
struct PictureRun {
    let picture: MarblePicture
    let stages: [StageWatch.Stage]
    /// The number of marks up to the end of the picture, if it leaves out the rest of the run: the marks that its
    /// continuation skips.
    let next: Int?

    /// The largest number of marks in a picture.
    static let marks = 5000
    /// The largest size of the values in a picture, in bytes of their texts; one mark may exceed it.
    static let size = 8 << 20
    /// The largest number of steps, and the most processor time to compute them, in nanoseconds.
    private static let steps = 50_000
    private static let time: UInt64 = 300_000_000
    /// The most processor time to compute a continuation, which repeats the run up to its first mark.
    private static let longest: UInt64 = 900_000_000
    /// The largest number of marks that a continuation skips.
    static let skipped = 200_000
    /// The default end of a picture, in seconds.
    static let span = 3600.0

    /// Runs the document, and draws the marks after the first `skipped` ones: a run in virtual time is the same each time.
    ///
    /// - Parameter clock: A closure that returns the processor time of the thread, in nanoseconds.
    /// - Throws: `JSONErrors` when it cannot run.
    init(
        _ document: StreamDocument,
        in library: StreamLibrary,
        until limit: StreamTime?,
        skipping skipped: Int = 0,
        clock: @escaping @Sendable () -> UInt64 = { ProcessorTime.ofThread }
    ) throws {
        let watch = StageWatch()
        let (mostTime, mostSteps) =
            skipped == 0 ? (Self.time, Self.steps) : (Self.longest, Self.steps * (1 + skipped / Self.marks))
        let compiled = try CompiledDocument(document, in: library, isWatched: true)
        let start = clock()
        let run = try StreamRun(
            driving: compiled,
            from: nil,
            watch: watch,
            host: nil,
            limits: StreamLimits(eventsPerInstant: 20_000, heldItems: 20_000, valueSize: 1 << 20),
            // One instant may have many values.
            interruption: { clock() - start > mostTime }
        )
        let last = limit ?? StreamTime(seconds: Self.span) ?? .zero
        var marks: [StageWatch.Mark] = []
        var (left, size) = (skipped, 0)
        func keep(_ new: [StageWatch.Mark]) {
            let passed = min(left, new.count)
            left -= passed
            for mark in new.dropFirst(passed) {
                // The rest is of the continuation, as are the marks after the most.
                if size > Self.size || marks.count > Self.marks { return isFull = true }
                size += mark.mark.size
                marks.append(mark)
            }
        }
        var (isCut, isFull) = (false, false)
        for step in 0... {
            keep(watch.take())
            if run.isInterrupted {
                isCut = true
                break
            }
            while let event = run.next() {
                guard case .reported = event.kind else { continue }
                let mark = MarblePicture.Mark(time: event.time, kind: event.kind)
                keep([StageWatch.Mark(stage: max(0, watch.stages.count - 1), mark: mark)])
            }
            guard let due = run.nextDue, due <= last, !run.isEnded else { break }
            isCut = isFull || marks.count >= Self.marks || step >= mostSteps || clock() - start > mostTime
            if isCut { break }
            run.advance(to: due)
        }
        run.close()
        var rows = watch.stages.map { MarblePicture.Row(name: $0.name, expression: $0.expression, marks: []) }
        for mark in marks.prefix(Self.marks) where rows.indices.contains(mark.stage) {
            rows[mark.stage].marks.append(mark.mark)
        }
        let title = document.name ?? document.id ?? "stream"
        picture = MarblePicture(title: title, rows: rows, end: limit ?? .zero)
        stages = watch.stages
        // One that was cut before its first mark is repeated.
        next = isCut || isFull || marks.count > Self.marks ? skipped + min(marks.count, Self.marks) : nil
    }

    /// A Boolean value that indicates whether the picture leaves out part of the run.
    var isCut: Bool { next != nil }

    /// The run as the hub's answers have it: the stages, each with its marks.
    var json: JSON {
        let rows = zip(stages, picture.rows).map { stage, row in
            guard case .object(var object) = stage.json else { return stage.json }
            object["marks"] = .array(row.marks.map(\.json))
            return JSON.object(object)
        }
        var object: JSON.Object = [
            "title": .string(picture.title), "end": .number(picture.end), "isCut": .bool(isCut), "rows": .array(rows),
        ]
        object["next"] = next.map { .int(Int64($0)) }
        return .object(object)
    }
}

extension MarblePicture.Mark {
    /// The size of the text that it takes in an answer, in bytes, more or less.
    fileprivate var size: Int {
        let value = if case .value(let value) = kind { value.text().utf8.count } else { 0 }
        return 64 + value + origins.count * 8
    }

    fileprivate var json: JSON {
        var object: JSON.Object = ["time": .number(time)]
        switch kind {
        case .value(let value): object["value"] = value
        case .completed: object["completed"] = true
        case .failed(let error): object["error"] = .string(error.description)
        case .reported(let error): object["reported"] = .string(error.description)
        }
        object["origins"] = .array(origins.map { .int(Int64($0)) })
        return .object(object)
    }
}
#endif
