#if Hub
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The run of a document in virtual time, for a page: bounded in length, in work and in time.
struct PictureRun {
    let picture: MarblePicture
    let stages: [StageWatch.Stage]
    /// A Boolean value that indicates whether the picture leaves out part of the run.
    let isCut: Bool

    /// The largest number of marks in a picture.
    static let marks = 5000
    /// The largest number of steps, and the longest time to compute them.
    private static let steps = 50_000
    private static let time = Duration.milliseconds(300)
    /// The default end of a picture, in seconds.
    static let span = 3600.0

    /// Runs the document.
    ///
    /// - Throws: `JSONErrors` when it cannot run.
    init(_ document: StreamDocument, in library: StreamLibrary, until limit: StreamTime?) throws {
        let watch = StageWatch()
        let limits = StreamLimits(eventsPerInstant: 20_000, heldItems: 20_000)
        let run = try StreamRun(driving: document, from: nil, watch: watch, in: library, host: nil, limits: limits)
        let last = limit ?? StreamTime(seconds: Self.span) ?? .zero
        let start = ContinuousClock.now
        var marks: [StageWatch.Mark] = []
        var isCut = false
        for step in 0... {
            marks += watch.take()
            while let event = run.next() {
                guard case .reported = event.kind else { continue }
                let mark = MarblePicture.Mark(time: event.time, kind: event.kind)
                marks.append(StageWatch.Mark(stage: max(0, watch.stages.count - 1), mark: mark))
            }
            guard let due = run.nextDue, due <= last, !run.isEnded else { break }
            isCut = marks.count >= Self.marks || step >= Self.steps || start.duration(to: .now) > Self.time
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
        self.isCut = isCut
    }

    /// The run as the hub's answers have it: the stages, each with its marks.
    var json: JSON {
        let rows = zip(stages, picture.rows).map { stage, row in
            guard case .object(var object) = stage.json else { return stage.json }
            object["marks"] = .array(row.marks.map(\.json))
            return JSON.object(object)
        }
        return [
            "title": .string(picture.title), "end": .number(picture.end), "isCut": .bool(isCut), "rows": .array(rows),
        ]
    }
}

extension MarblePicture.Mark {
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
