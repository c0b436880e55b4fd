public import SluiceJSON

/// A comparison of the expected and the actual events of a stream, for the message of a failed test.
///
/// ```swift
/// let expected = try Marbles(parsing: "--a-b|").events
/// let actual = try Marbles(parsing: "--a--c|").events
/// let comparison = MarbleComparison(expected: expected, actual: actual)
/// comparison.isEqual   // false
/// print(comparison)
/// // expected  --a-b|
/// // actual    --a--c|
/// //               ^
/// // first difference at 0.004 s
/// //     0.002 s  "a"
/// //   - 0.004 s  "b"
/// //   - 0.005 s  completed
/// //   + 0.005 s  "c"
/// //   + 0.006 s  completed
/// ```
///
/// Any failure matches an expected failure with ``Marbles/defaultError``, since a diagram cannot specify the error.
public struct MarbleComparison: Sendable, CustomStringConvertible {
    /// The expected events.
    public let expected: [StreamEvent<JSON>]
    /// The actual events.
    public let actual: [StreamEvent<JSON>]
    /// The duration of a character of the diagrams, unless the events need a shorter frame.
    public let frame: StreamTime
    /// The number of equal events from the start.
    public let agreement: Int

    /// Compares two runs.
    ///
    /// - Complexity: O(*n*) in the number of events.
    public init(
        expected: [StreamEvent<JSON>],
        actual: [StreamEvent<JSON>],
        frame: StreamTime = Marbles.defaultFrame
    ) {
        self.expected = expected
        self.actual = actual
        self.frame = frame
        agreement = zip(expected, actual).prefix { Self.agree($0, $1) }.count
    }

    /// A Boolean value that indicates whether both are equal: the same events at the same times.
    public var isEqual: Bool { agreement == expected.count && agreement == actual.count }

    private static func agree(_ expected: StreamEvent<JSON>, _ actual: StreamEvent<JSON>) -> Bool {
        guard expected.time == actual.time else { return false }
        if case .failed(Marbles.defaultError) = expected.kind, case .failed = actual.kind { return true }
        if case .value(let expected) = expected.kind, case .value(let actual) = actual.kind {
            return agree(expected, actual)
        }
        return expected.kind == actual.kind
    }

    /// Returns whether two values are equal. As in expressions, an int is equal to the double of the same value.
    private static func agree(_ expected: JSON, _ actual: JSON) -> Bool {
        switch (expected, actual) {
        case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy { agree($0, $1) }
        case (.object(let a), .object(let b)):
            a.count == b.count && a.allSatisfy { member in b[member.key].map { agree(member.value, $0) } ?? false }
        case (.int, .double), (.double, .int): expected.double == actual.double
        default: expected == actual
        }
    }

    /// Both diagrams, one below the other, with a caret under the first difference, and the events around it in words.
    ///
    /// Of long runs, only the part near the difference is shown.
    public var description: String {
        guard !isEqual else { return "both are alike" }
        return (diagrams + words).joined(separator: "\n")
    }

    private static let reach = (before: 24, after: 24)
    private static let listed = (before: 3, after: 8)
}

extension MarbleComparison {
    private var firstDifference: StreamTime {
        let times = [expected, actual].compactMap { $0.indices.contains(agreement) ? $0[agreement].time : nil }
        return times.min() ?? .zero
    }

    // MARK: Words

    private var words: [String] {
        var lines = ["first difference at \(firstDifference) s"]
        let first = max(0, agreement - Self.listed.before)
        if first > 0 { lines.append("    … \(first) before, alike") }
        for event in expected[first..<agreement] { lines.append("    " + Self.words(event)) }
        lines += list(expected, "  - ", "nothing more was expected")
        lines += list(actual, "  + ", "nothing more came")
        return lines
    }

    /// The first difference in one line.
    var firstDifferenceInWords: String {
        func words(_ events: [StreamEvent<JSON>]) -> String {
            events.indices.contains(agreement) ? Self.words(events[agreement]) : "nothing more"
        }
        return "expected \(words(expected)), found \(words(actual))"
    }

    private func list(_ events: [StreamEvent<JSON>], _ sign: String, _ nothing: String) -> [String] {
        let rest = events[agreement...]
        if rest.isEmpty { return [sign + nothing] }
        let lines = rest.prefix(Self.listed.after).map { sign + Self.words($0) }
        let more = rest.count - lines.count
        return more > 0 ? lines + ["\(sign)… \(more) more"] : lines
    }

    private static func words(_ event: StreamEvent<JSON>) -> String {
        let what =
            switch event.kind {
            case .value(let value): ShownText.cut(value.description, columns: 60)
            case .completed: "completed"
            case .reported(let error): "reported: " + ShownText.cut(error.description, columns: 60)
            case .failed(let error): "failed: " + ShownText.cut(error.description, columns: 60)
            }
        return "\(event.time) s  \(what)"
    }
}

extension MarbleComparison {
    // MARK: Diagrams

    private var diagrams: [String] {
        let start = max(0, agreement - Self.reach.before)
        let cells = [expected, actual].map { events in
            MarbleLayout.cells(Array(events.dropFirst(start).prefix(agreement - start + Self.reach.after)), columns: 24)
        }
        let frames = cells.compactMap { MarbleLayout(cells: $0).widestFrame?.frame }
        guard let frame = Self.frame(frame.nanoseconds, atMost: frames.min() ?? .max) else { return [] }
        let isCut = start > 0
        let base = isCut ? cells.compactMap { $0.first?.time }.min() ?? 0 : 0
        let lines = AlignedLines(cells, frame: frame, start: base)
        let names = ["expected  ", "actual    "].map { $0 + (isCut ? "…" : "") }
        let place = agreement - start
        let found = lines.columns.compactMap { $0.indices.contains(place) ? $0[place] : nil }
        let column = names[0].count + (found.min() ?? 0)
        var text = zip(names, lines.texts).map { $0 + $1 }
        text.append(String(repeating: " ", count: column) + "^")
        if frame != self.frame.nanoseconds { text.append("a character is \(StreamTime(nanoseconds: frame)) s") }
        return text
    }

    /// Returns the requested frame or, if it is too long, a shorter round one.
    private static func frame(_ asked: Int64, atMost limit: Int64) -> Int64? {
        if asked <= limit, asked > 0 { return asked }
        guard limit > 0 else { return nil }
        var power: Int64 = 1
        while power <= limit / 10 { power *= 10 }
        return [5, 2, 1].map { $0 * power }.first { $0 <= limit }
    }
}

/// Two lines of marbles with the same moment in the same column.
private struct AlignedLines {
    /// The columns in which the events begin, for each line.
    private(set) var columns: [[Int]] = [[], []]
    private var lines: [MarbleLine]
    private let frame: Int64

    var texts: [String] { lines.map(\.text) }

    init(_ cells: [[MarbleLayout.Cell]], frame: Int64, start: Int64) {
        self.frame = frame
        lines = [MarbleLine(frame: frame, from: start), MarbleLine(frame: frame, from: start)]
        var rest = cells.map { $0[...] }
        let times = Set(cells.joined().map(\.time)).sorted()
        for time in times {
            // Both lines meet where neither is within a group.
            let open = lines.map(\.time).max() ?? start
            if open <= time { meet(at: time, rest.map { !$0.isEmpty }) }
            for side in 0...1 where rest[side].first?.time == time {
                append(rest[side].removeFirst(), to: side)
            }
        }
    }

    private mutating func append(_ cell: MarbleLayout.Cell, to side: Int) {
        lines[side].fill(to: cell.time)
        let column = lines[side].width
        lines[side].append(cell)
        // The marks of a group follow its parenthesis; if a space precedes a group, the space counts.
        var place = lines[side].width - cell.marks.reduce(cell.marks.count > 1 ? 1 : 0) { $0 + ShownText.width($1) }
        place = max(place, column)
        for mark in cell.marks {
            columns[side].append(place)
            place += ShownText.width(mark)
        }
    }

    /// Extends the lines that continue to a moment, and pads them to the same width.
    private mutating func meet(at time: Int64, _ goOn: [Bool]) {
        for side in 0...1 where goOn[side] { lines[side].fill(to: time) }
        let width = lines.map(\.width).max() ?? 0
        for side in 0...1 where goOn[side] { lines[side].pad(width - lines[side].width) }
    }
}
