import SluiceJSON

/// The events of a diagram, grouped by moment, ready to be laid out on a line.
struct MarbleLayout {
    /// The events of one moment.
    struct Cell {
        let time: Int64
        /// The marks, each one frame wide.
        var marks: [String]
        /// The number of frames that it takes on the line, including the parentheses of a group.
        var frames: Int64 { marks.count == 1 ? 1 : Int64(marks.count) + 2 }

        /// Returns the time after the cell; for a late cell, the greatest possible time.
        func end(frame: Int64) -> Int64 {
            let (span, isTooWide) = frames.multipliedReportingOverflow(by: frame)
            let (end, isTooLate) = time.addingReportingOverflow(span)
            return isTooWide || isTooLate ? .max : end
        }
    }

    let cells: [Cell]
    /// The minimum length of the line.
    let length: Int64

    /// Creates the layout of events that are known to be in order.
    init(cells: [Cell], subscription: Int64? = nil, length: Int64 = 0) {
        var cells = cells
        if let subscription {
            let place = cells.firstIndex { $0.time > subscription } ?? cells.count
            cells.insert(Cell(time: subscription, marks: ["^"]), at: place)
        }
        self.cells = cells
        self.length = length
    }

    init(_ events: [StreamEvent<JSON>], subscription: Int64?, length: Int64?) throws(MarbleError) {
        for (event, next) in zip(events, events.dropFirst()) {
            guard event.time <= next.time else {
                throw MarbleError(
                    message: "the event at \(next.time) seconds comes after one at \(event.time)",
                    hint: "sort the events by their times"
                )
            }
            guard !event.isLast else {
                throw MarbleError(message: "an event at \(next.time) seconds follows the end of the stream")
            }
        }
        self.init(cells: Self.cells(events), subscription: subscription, length: length ?? 0)
    }

    /// Returns the events of each moment together, with their marks cut to a number of columns.
    static func cells(_ events: some Sequence<StreamEvent<JSON>>, columns: Int? = nil) -> [Cell] {
        var cells: [Cell] = []
        for event in events {
            // A diagram has no mark for an item that was omitted.
            guard var mark = mark(event.kind) else { continue }
            if let columns { mark = ShownText.cut(mark, columns: columns) }
            if let last = cells.last, last.time == event.time.nanoseconds {
                cells[cells.count - 1].marks.append(mark)
            } else {
                cells.append(Cell(time: event.time.nanoseconds, marks: [mark]))
            }
        }
        return cells
    }

    static func mark(_ kind: StreamEvent<JSON>.Kind) -> String? {
        switch kind {
        case .reported: nil
        case .value(let value): MarbleValue.text(value)
        case .completed: "|"
        case .failed: "#"
        }
    }

    /// Returns the length of the line, at least to the end of its last event.
    func length(frame: Int64) throws(MarbleError) -> Int64 {
        let end = max(cells.last?.end(frame: frame) ?? 0, length)
        guard end <= MarbleClock.limit else {
            throw MarbleError(message: "the diagram is longer than \(MarbleClock.limitText)")
        }
        return end
    }

    /// Returns the line for a frame that fits.
    func text(frame: Int64) -> String {
        var line = MarbleLine(frame: frame)
        for cell in cells { line.append(cell) }
        line.fill(to: length)
        return line.text
    }
}

extension MarbleLayout {
    /// The longest frame at which every event has its place, and the two cells that bound it; `nil` if all frames fit.
    var widestFrame: (frame: Int64, first: Cell, second: Cell)? {
        var widest: (frame: Int64, first: Cell, second: Cell)?
        for (cell, next) in zip(cells, cells.dropFirst()) {
            let frame = (next.time - cell.time) / cell.frames
            if frame < widest?.frame ?? .max { widest = (frame, cell, next) }
        }
        return widest
    }

    /// Returns the requested frame, or the best one.
    func fitting(_ asked: Int64?) throws(MarbleError) -> Int64 {
        if let asked, asked <= 0 { throw MarbleError(message: "a frame lasts more than 0 seconds") }
        let widest = widestFrame
        if let widest, widest.frame < asked ?? 1 {
            let (first, second) = (
                StreamTime(nanoseconds: widest.first.time), StreamTime(nanoseconds: widest.second.time)
            )
            guard widest.frame > 0 else {
                throw MarbleError(
                    message: "the events at \(second) seconds follow those at \(first) too soon for any diagram",
                    hint: "a mark takes a frame, and a frame at least a nanosecond"
                )
            }
            let frame = StreamTime(nanoseconds: asked ?? 1)
            throw MarbleError(
                message: "the events at \(second) seconds have no place behind those at \(first), which take "
                    + "\(widest.first.frames) frames of \(frame) seconds",
                hint: "a frame of at most \(StreamTime(nanoseconds: widest.frame)) seconds fits"
            )
        }
        // The last mark has its place before the end of all diagrams.
        let room = cells.last.map { (MarbleClock.limit - $0.time) / $0.frames } ?? .max
        return asked ?? best(max(1, min(widest?.frame ?? .max, room)))
    }

    /// Returns the frame, up to `limit`, with the shortest line; of several, the longest frame.
    private func best(_ limit: Int64) -> Int64 {
        // The beginning is representative of the rest, and the work is bounded.
        let sample = MarbleLayout(cells: Array(cells.prefix(200)))
        var candidates = Set<Int64>()
        var power: Int64 = 1
        while power <= 100_000_000_000 {
            for step: Int64 in [1, 2, 5] { candidates.insert(step * power) }
            power *= 10
        }
        let step = sample.cells.reduce(0) { gcd($0, $1.time) }
        if step > 0 {
            for parts: Int64 in [1, 2, 3, 4, 5, 6, 8, 10, 12, 20] where step % parts == 0 {
                candidates.insert(step / parts)
            }
        } else {
            candidates = [Marbles.defaultFrame.nanoseconds]
        }
        var best: (frame: Int64, count: Int)?
        for frame in candidates.sorted(by: >) where frame <= limit {
            let count = sample.gapCount(frame: frame)
            if count < best?.count ?? .max { best = (frame, count) }
        }
        return best?.frame ?? limit
    }

    /// Returns the number of characters for the time between the events; the rest is the same for all frames.
    private func gapCount(frame: Int64) -> Int {
        var (count, time): (Int, Int64) = (0, 0)
        for cell in cells {
            let gap = cell.time - time
            if gap > 0 { count += MarbleLine.dashes(gap, frame) ?? MarbleDuration.text(gap).utf8.count + 2 }
            time = cell.end(frame: frame)
        }
        return count
    }

    private func gcd(_ a: Int64, _ b: Int64) -> Int64 {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}
