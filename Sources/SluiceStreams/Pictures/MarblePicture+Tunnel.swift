import SluiceJSON

extension MarblePicture {
    /// The default time span of a tunnel: 10 s.
    public static let tunnelWindow = StreamTime(nanoseconds: 10_000_000_000)

    /// Returns one frame of the picture as tunnels in a terminal: values enter at the right and travel to the left.
    ///
    /// ```swift
    /// let mark = MarblePicture.Mark(time: StreamTime(seconds: 1) ?? .zero, kind: .value(7), origins: [0])
    /// let picture = MarblePicture(title: "Run", rows: [.init(name: "numbers", marks: [mark])])
    /// for line in picture.tunnel(width: 24, at: StreamTime(seconds: 2) ?? .zero) { print(line) }
    /// // Run                  2 s
    /// // numbers
    /// // ╭──────────────────────╮
    /// // │                (7)   │
    /// // ╰──────────────────────╯
    /// ```
    ///
    /// Equal pictures, widths, and times give equal lines. The lines contain no control characters of values, and
    /// escapes for colors only on request.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal, from 20 to 400; a value outside of the range counts as the nearest.
    ///   - time: The current time: later marks are not visible yet.
    ///   - window: The time span that a tunnel shows; more than 0.
    ///   - isColored: A Boolean value that indicates whether the lines are for a terminal with colors.
    /// - Complexity: O(*n*) in the number of marks.
    public func tunnel(
        width: Int,
        at time: StreamTime,
        window: StreamTime = tunnelWindow,
        isColored: Bool = false
    ) -> [String] {
        let width = min(max(width, 20), 400)
        let pen = TunnelPen(isColored: isColored)
        var lines = [pen.ends(pen.bold, title, "\(TunnelPen.clock(time)) s", width)]
        for row in rows.prefix(Self.maximumRowCount) {
            let lanes = TunnelLanes(row.marks, inner: width - 2, at: time, window: window)
            let indent = String(repeating: "  ", count: min(max(row.depth, 0), 4))
            var label = indent + ShownText.cut(row.name, columns: width)
            if let expression = row.expression { label += "  " + expression }
            lines.append(pen.ends(nil, label, lanes.omitted > 0 ? "+\(lanes.omitted)" : "", width))
            let bar = String(repeating: "─", count: width - 2)
            lines.append(pen.colored(pen.soft, "╭\(bar)╮"))
            for lane in 0..<lanes.count {
                let edge = pen.colored(pen.soft, "│")
                lines.append(edge + lanes.line(lane, pen) + edge)
            }
            lines.append(pen.colored(pen.soft, "╰\(bar)╯"))
        }
        if rows.count > Self.maximumRowCount { lines.append("… \(rows.count - Self.maximumRowCount) more stages") }
        return lines
    }
}

/// A terminal screen on which each frame of a tunnel replaces the previous one.
///
/// ```swift
/// let picture = MarblePicture(title: "Run", rows: [])
/// var screen = TunnelScreen()
/// for seconds in 0..<3 {
///     let time = StreamTime(seconds: Double(seconds)) ?? .zero
///     print(screen.update(picture.tunnel(width: 80, at: time)), terminator: "")
/// }
/// ```
public struct TunnelScreen: Sendable {
    private var height = 0

    /// Creates a screen without a frame.
    public init() {}

    /// Returns the text that shows this frame: it moves up to the start of the last one, writes each line, and erases
    /// the rest of longer lines.
    public mutating func update(_ lines: [String]) -> String {
        var text = height > 0 ? "\u{1B}[\(height)F" : ""
        for line in lines { text += line + "\u{1B}[K\n" }
        if height > lines.count { text += "\u{1B}[J" }
        height = lines.count
        return text
    }
}

/// The colors of a terminal, if it has any.
struct TunnelPen {
    let isColored: Bool
    let bold = "1"
    let soft = "2"
    let good = "1;32"
    let bad = "1;31"
    /// The colors of ``SVGStyle``, from the 256 terminal colors; white letters are readable on each.
    private static let origins = [25, 130, 29, 90, 94, 24, 125, 240]

    func ball(_ origins: [Int]) -> String {
        let colors = Self.origins
        let color = origins.first.map { colors[(($0 % colors.count) + colors.count) % colors.count] } ?? 238
        return "1;97;48;5;\(color)"
    }

    func colored(_ code: String?, _ text: String) -> String {
        guard isColored, let code, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    /// Returns a line with one text at the left and one at the right end.
    func ends(_ code: String?, _ left: String, _ right: String, _ width: Int) -> String {
        let room = width - (right.isEmpty ? 0 : ShownText.width(right) + 1)
        let shown = ShownText.cut(left, columns: room)
        guard !right.isEmpty else { return colored(code, shown) }
        let space = String(repeating: " ", count: room - ShownText.width(shown) + 1)
        return colored(code, shown) + space + colored(soft, right)
    }

    /// Returns seconds, with a tenth if it isn't 0.
    static func clock(_ time: StreamTime) -> String {
        StreamTime(nanoseconds: time.nanoseconds / 100_000_000 * 100_000_000).description
    }
}

extension MarblePicture.Mark {
    fileprivate var isEnd: Bool {
        if case .value = kind { false } else { true }
    }
}

/// The marks of a row that are currently in the tunnel.
private struct TunnelLanes {
    private struct Ball {
        let column: Int
        let width: Int
        let text: String
        let mark: MarblePicture.Mark
    }

    private static let deepest = 4

    let inner: Int
    private var lanes: [[Ball]] = []
    private(set) var omitted = 0
    var count: Int { max(1, lanes.count) }

    init(_ marks: [MarblePicture.Mark], inner: Int, at time: StreamTime, window: StreamTime) {
        self.inner = inner
        let window = Int128(max(1, window.nanoseconds))
        // The column of a moment on an endless line, so that all balls move alike.
        func column(_ time: StreamTime) -> Int128 { Int128(time.nanoseconds) * Int128(inner) / window }
        let left = column(time) - Int128(inner) + 1
        let present = marks.prefix { $0.time <= time }
        for mark in present.suffix(MarblePicture.maximumMarkCount) {
            let text = Self.text(mark.kind)
            let width = ShownText.width(text)
            // A ball is to the left of its moment, so that an end of the same moment is behind it.
            let start = column(mark.time) - left - (mark.isEnd ? 0 : Int128(width))
            guard start > -Int128(width) else { continue }
            let ball = Ball(column: Int(start), width: width, text: text, mark: mark)
            let lane = lanes.firstIndex { $0.last.map { $0.column + $0.width <= ball.column } ?? true } ?? lanes.count
            guard lane < Self.deepest else {
                omitted += 1
                continue
            }
            if lane == lanes.count { lanes.append([]) }
            lanes[lane].append(ball)
        }
    }

    private static func text(_ kind: StreamEvent<JSON>.Kind) -> String {
        switch kind {
        case .value(let value): "(\(ShownText.text(value, columns: 12)))"
        case .completed: "|"
        case .reported: "!"
        case .failed: "✕"
        }
    }

    func line(_ lane: Int, _ pen: TunnelPen) -> String {
        guard lane < lanes.count else { return String(repeating: " ", count: inner) }
        var (line, at) = ("", 0)
        // A ball that is leaving, or wider than the tunnel, is shown in part.
        for ball in lanes[lane] where ball.column >= 0 && ball.column + ball.width <= inner {
            line += String(repeating: " ", count: ball.column - at)
            line += drawn(ball, pen)
            at = ball.column + ball.width
        }
        return line + String(repeating: " ", count: inner - at)
    }

    private func drawn(_ ball: Ball, _ pen: TunnelPen) -> String {
        switch ball.mark.kind {
        case .value:
            // On a colored ball, the color is the shape.
            let text = pen.isColored ? " \(ball.text.dropFirst().dropLast()) " : ball.text
            return pen.colored(pen.ball(ball.mark.origins), text)
        case .completed: return pen.colored(pen.good, ball.text)
        case .failed, .reported: return pen.colored(pen.bad, ball.text)
        }
    }
}
