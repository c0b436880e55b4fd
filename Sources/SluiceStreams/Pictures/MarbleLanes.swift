/// The marks of a row at their positions; overlapping ones are placed one above the other.
struct MarbleLanes {
    struct Position {
        let mark: MarblePicture.Mark
        /// The middle, in tenths of a pixel.
        let x: Int
        let width: Int
        let lane: Int
        /// The number of lanes that overlapping marks take.
        var laneCount: Int
        let text: String
    }

    static let ball = 300
    private static let deepest = 8
    /// The number of marks of a row that are considered, so that marks without a place do not immediately exclude
    /// others.
    static let examined = 4 * MarblePicture.maximumMarkCount

    private(set) var places: [Position] = []
    private(set) var end: (mark: MarblePicture.Mark, x: Int)?
    /// The number of used lanes, at least one.
    private(set) var count = 1
    /// The number of values without a place.
    private(set) var omitted = 0

    /// - Parameter bounds: The extent of the row; a mark that is too wide for its place at an end moves inward.
    init(_ marks: [MarblePicture.Mark], within bounds: Range<Int>, x: (StreamTime) -> Int) {
        var ends: [Int] = []
        // The marks from here on touch each other, and are centered together.
        var first = 0
        for mark in marks.prefix(Self.examined) {
            guard case .value(let value) = mark.kind else {
                if end == nil { end = (mark, x(mark.time)) }
                continue
            }
            guard places.count < MarblePicture.maximumMarkCount else {
                omitted += 1
                continue
            }
            let text = ShownText.text(value, columns: 12)
            let width = max(Self.ball, ShownText.width(text) * 80 + 150)
            let room = width / 2 + 60
            let x = max(bounds.lowerBound + room, min(x(mark.time), bounds.upperBound - room))
            if ends.allSatisfy({ $0 <= x - width / 2 }) { (first, ends) = (places.count, []) }
            let lane = ends.firstIndex { $0 <= x - width / 2 } ?? ends.count
            guard lane < Self.deepest else {
                omitted += 1
                continue
            }
            let end = x + width / 2 + 20
            if lane < ends.count { ends[lane] = end } else { ends.append(end) }
            places.append(Position(mark: mark, x: x, width: width, lane: lane, laneCount: ends.count, text: text))
            for index in first..<places.count { places[index].laneCount = ends.count }
            count = max(count, ends.count)
        }
        let rest = marks.dropFirst(Self.examined)
        guard let last = rest.last else { return }
        if case .value = last.kind { omitted += rest.count } else { omitted += rest.count - 1 }
    }
}
