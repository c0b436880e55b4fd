/// A line of marbles that is being written.
struct MarbleLine {
    let frame: Int64
    /// The time at the end of the line.
    private(set) var time: Int64
    private var pieces: [String] = []
    /// The pieces that could be read as the start of a duration: digits at the start or after a space.
    private var risks: [Int] = []
    private var endsWithSpace = false
    private var endsWithQuote = false

    init(frame: Int64, from start: Int64 = 0) {
        self.frame = frame
        time = start
    }

    /// Writes the events of one moment, and the time before them.
    mutating func append(_ cell: MarbleLayout.Cell) {
        fill(to: cell.time)
        if cell.marks.count == 1 {
            mark(cell.marks[0])
        } else {
            put("(")
            for mark in cell.marks { self.mark(mark) }
            put(")")
        }
        time = cell.end(frame: frame)
    }

    /// The number of dashes that can be read at a glance.
    private static let shownDashes = 12

    /// Writes the time until `end` as dashes, if they are few or no longer than a duration, otherwise as a duration.
    mutating func fill(to end: Int64) {
        let gap = end - time
        guard gap > 0 else { return }
        time = end
        if let dashes = Self.dashes(gap, frame) {
            put(String(repeating: "-", count: dashes))
        } else {
            put((pieces.isEmpty || endsWithSpace ? "" : " ") + MarbleDuration.text(gap) + " ")
        }
    }

    /// Returns the number of dashes for a span; `nil` if a duration is used.
    static func dashes(_ gap: Int64, _ frame: Int64) -> Int? {
        let (dashes, rest) = gap.quotientAndRemainder(dividingBy: frame)
        guard rest == 0 else { return nil }
        // With its spaces.
        return dashes <= shownDashes || dashes <= MarbleDuration.text(gap).utf8.count + 2 ? Int(dashes) : nil
    }

    /// Writes spaces, which take no time.
    mutating func pad(_ count: Int) {
        if count > 0 { put(String(repeating: " ", count: count)) }
    }

    private mutating func mark(_ mark: String) {
        // Two adjacent quoted values would be read as one with a quote in it.
        if endsWithQuote, mark.utf8.first == UInt8(ascii: "'") { put(" ") }
        if pieces.isEmpty || endsWithSpace, let first = mark.utf8.first, (48...57).contains(first) {
            risks.append(pieces.count)
        }
        put(mark)
    }

    private mutating func put(_ text: String) {
        pieces.append(text)
        // By bytes: an accent after a quote makes one Character of the two.
        endsWithSpace = text.utf8.last == UInt8(ascii: " ")
        endsWithQuote = text.utf8.last == UInt8(ascii: "'")
    }

    /// The width in columns.
    var width: Int { pieces.reduce(0) { $0 + ShownText.width($1) } }

    /// The text so far.
    var text: String {
        guard !risks.isEmpty else { return pieces.joined() }
        let scalars = pieces.map { Array($0.unicodeScalars) }
        let all = Array(scalars.joined())
        var pieces = pieces
        var (place, piece) = (0, 0)
        for risk in risks {
            while piece < risk { (place, piece) = (place + scalars[piece].count, piece + 1) }
            if MarbleDuration(all, at: place) != nil { pieces[risk] = MarbleValue.quoted(pieces[risk]) }
        }
        return pieces.joined()
    }
}
