import SluiceJSON

extension MarblePicture {
    /// Returns the picture as SVG; equal pictures give the same bytes.
    ///
    /// Each stage is a row, with time from left to right, overlapping values one above the other, `|` for completion, ✕
    /// for failure, and each value in the color of its origin; text that was cut appears in a tooltip. If there are
    /// many rows and marks, the first are drawn, with the number of those that are omitted.
    ///
    /// - Parameter animated: A Boolean value that indicates whether the values travel through the rows as through
    ///   tunnels. The picture plays in any browser, for 4 to 20 seconds, and is static for readers who prefer reduced
    ///   motion.
    /// - Complexity: O(*n*) in the number of marks; the size is bounded.
    public func svg(animated: Bool = false) -> String {
        var drawing = SVGDrawing(self, animated: animated)
        return drawing.draw()
    }
}

private struct SVGDrawing {
    private let picture: MarblePicture
    private let animated: Bool
    private let span: Int64
    private var svg = SVGText()

    // In tenths of a pixel.
    private let width = 9600
    private let margin = 280
    private let inset = 300
    private let lane = 360
    private let label = 300

    private var tubeWidth: Int { width - 2 * margin }

    init(_ picture: MarblePicture, animated: Bool) {
        self.picture = picture
        self.animated = animated
        span = max(1, picture.span.nanoseconds)
    }

    private func x(_ time: StreamTime) -> Int {
        let inner = Int128(tubeWidth - 2 * inset)
        return inset + Int(Int128(min(time.nanoseconds, span)) * inner / Int128(span))
    }

    /// Returns the start of a row, from the left end of the others.
    private func start(_ row: MarblePicture.Row) -> Int { x(row.start) - inset }

    mutating func draw() -> String {
        let rows = picture.rows.prefix(MarblePicture.maximumRowCount)
        let lanes = rows.map { row in MarbleLanes(row.marks, within: start(row)..<tubeWidth) { x($0) } }
        var y = 640
        var tops: [Int] = []
        for lanes in lanes {
            tops.append(y)
            y += label + height(lanes) + 160
        }
        let axis = y
        let omittedRows = picture.rows.count - rows.count
        let total = axis + 420 + (omittedRows > 0 ? 240 : 0)
        open(height: total)
        for (index, row) in rows.enumerated() { draw(row, lanes[index], top: tops[index]) }
        drawAxis(top: axis)
        if omittedRows > 0 {
            let more = omittedRows == 1 ? "1 more stage is" : "\(omittedRows) more stages are"
            svg.line(#"<text class="soft" x="\#(px(margin))" y="\#(px(total - 220))">… \#(more) not drawn</text>"#)
        }
        svg.line("</svg>")
        return svg.text
    }

    private func px(_ tenths: Int) -> String { SVGText.px(tenths) }
    private func height(_ lanes: MarbleLanes) -> Int { lanes.count * lane + 180 }

    private mutating func open(height: Int) {
        let title = SVGText.escaped(ShownText.cut(picture.title, columns: 90))
        let (w, h) = (px(width), px(height))
        svg.line(
            #"<svg xmlns="http://www.w3.org/2000/svg" class="sluice-marbles" role="img" width="\#(w)" height="\#(h)" "#
                + #"viewBox="0 0 \#(w) \#(h)">"#
        )
        svg.line("<title>\(title)</title>")
        svg.line("<desc>\(SVGText.escaped(summary))</desc>")
        svg.line("<style>\n\(SVGStyle.sheet(animated ? duration : nil, width: tubeWidth / 10))</style>")
        svg.line(
            #"<defs><radialGradient id="sluice-shine" cx=".34" cy=".26" r=".8"><stop offset="0" stop-color="white" "#
                + #"stop-opacity=".5"/><stop offset=".45" stop-color="white" stop-opacity=".08"/><stop offset="1" "#
                + #"stop-color="black" stop-opacity=".16"/></radialGradient>"#
                + #"<linearGradient id="sluice-glass" x2="0" y2="1"><stop offset="0" stop-color="white" stop-opacity=".55"/>"#
                + #"<stop offset=".3" stop-color="white" stop-opacity="0"/><stop offset="1" stop-color="black" "#
                + #"stop-opacity=".07"/></linearGradient></defs>"#
        )
        svg.line(
            #"<rect class="ground" x=".5" y=".5" width="\#(px(width - 10))" height="\#(px(height - 10))" rx="14"/>"#
        )
        svg.line(#"<text class="title" x="\#(px(margin))" y="40">\#(title)</text>"#)
    }

    /// The description of the picture for screen readers.
    private var summary: String {
        let rows = picture.rows.prefix(12).map { row in
            let values = row.marks.filter { if case .value = $0.kind { true } else { false } }
            let shown = values.prefix(12).map { mark in
                if case .value(let value) = mark.kind {
                    "\(ShownText.text(value, columns: 20)) at \(mark.time) s"
                } else {
                    ""
                }
            }
            let more = values.count > 12 ? ", and \(values.count - 12) more" : ""
            return ShownText.cut(row.name, columns: 40) + ": "
                + (shown.isEmpty ? "no values" : shown.joined(separator: ", ") + more)
        }
        return rows.joined(separator: "; ")
    }

    /// The duration of one cycle of the animation, a fifth of which is a pause.
    private var duration: String {
        let played = min(max(span, 4_000_000_000), 20_000_000_000)
        return "\(StreamTime(nanoseconds: played / 1_000_000 * 1_250_000))"
    }

    private mutating func draw(_ row: MarblePicture.Row, _ lanes: MarbleLanes, top: Int) {
        let indent = min(max(row.depth, 0), 4) * 220
        let start = start(row)
        let left = margin + start
        let height = height(lanes)
        drawLabel(row, lanes, x: margin + indent, y: top + 170)
        let tube = top + label
        svg.line(
            #"<svg x="\#(px(left))" y="\#(px(tube))" width="\#(px(tubeWidth - start))" height="\#(px(height))">"#
        )
        let frame =
            #"x=".5" y=".5" width="\#(px(tubeWidth - start - 10))" height="\#(px(height - 10))" rx="\#(px(min(height / 2, 270)))""#
        svg.line("<rect class=\"tube\" \(frame)/>")
        svg.line("<rect class=\"glass\" fill=\"url(#sluice-glass)\" \(frame)/>")
        svg.line(animated ? #"<g class="flow">"# : "<g>")
        for tick in axis.ticks {
            let x = px(x(StreamTime(nanoseconds: tick)) - start)
            svg.line(#"<path class="grid" d="M\#(x) 0V\#(px(height))"/>"#)
        }
        if let end = lanes.end { drawEnd(end.mark, x: end.x - start, height: height) }
        for place in lanes.places { draw(place, x: place.x - start, height: height) }
        svg.line("</g>")
        svg.line("</svg>")
    }

    private mutating func drawLabel(_ row: MarblePicture.Row, _ lanes: MarbleLanes, x: Int, y: Int) {
        let name = SVGText.escaped(ShownText.cut(row.name, columns: 40))
        var text = #"<text class="name" x="\#(px(x))" y="\#(px(y))">\#(name)"#
        if let expression = row.expression {
            let shown = SVGText.escaped(ShownText.cut(expression, columns: 70))
            text += #"<tspan class="code" dx="10">\#(shown)</tspan>"#
        }
        if lanes.omitted > 0 {
            let more = lanes.omitted == 1 ? "1 more value is" : "\(lanes.omitted) more values are"
            text += #"<tspan class="soft" dx="10">… \#(more) not drawn</tspan>"#
        }
        let whole = row.name + (row.expression.map { " " + $0 } ?? "")
        text += "<title>\(SVGText.escaped(ShownText.cut(whole, columns: 400)))</title></text>"
        svg.line(text)
    }

    private mutating func draw(_ place: MarbleLanes.Position, x: Int, height: Int) {
        // The first of the overlapping marks is at the top.
        let middle = (height - (place.laneCount - 1) * lane) / 2 + place.lane * lane
        let (ball, width) = (MarbleLanes.ball, place.width)
        let (left, top) = (x - width / 2, middle - ball / 2)
        let shape =
            #"x="\#(px(left))" y="\#(px(top))" width="\#(px(width))" height="\#(px(ball))" rx="\#(px(ball / 2))""#
        guard case .value(let value) = place.mark.kind else { return }
        let tooltip = "\(ShownText.cut(value.description, columns: 400)) at \(place.mark.time) s"
        var text = "<g><title>\(SVGText.escaped(tooltip))</title>"
        let colors = place.mark.origins.prefix(4).map {
            "c\((($0 % SVGStyle.colorCount) + SVGStyle.colorCount) % SVGStyle.colorCount)"
        }
        text += #"<rect class="\#(colors.first ?? "plain")" \#(shape)/>"#
        // A value with several origins shows a band of each color.
        let bands = min(Set(colors).count > 1 ? colors.count : 1, width / (ball / 2))
        for index in 1..<max(bands, 2) where bands > 1 {
            let (from, to) = (width * index / bands, width * (index + 1) / bands)
            let isLast = index == bands - 1
            let straight = to - from - (isLast ? ball / 2 : 0)
            let round = #"a\#(px(ball / 2)) \#(px(ball / 2)) 0 0 1 0 \#(px(ball))"#
            text +=
                #"<path class="\#(colors[index])" d="M\#(px(left + from)) \#(px(top))h\#(px(straight))"#
                + (isLast ? round : "v\(px(ball))") + #"h-\#(px(straight))z"/>"#
        }
        text += #"<rect fill="url(#sluice-shine)" \#(shape)/>"#
        text += #"<text class="value" x="\#(px(x))" y="\#(px(middle + 46))">\#(SVGText.escaped(place.text))</text></g>"#
        svg.line(text)
    }

    private mutating func drawEnd(_ mark: MarblePicture.Mark, x: Int, height: Int) {
        let isFailure: Bool
        let words: String
        switch mark.kind {
        case .failed(let error):
            (isFailure, words) = (true, "failed: \(ShownText.cut(error.description, columns: 400))")
        default: (isFailure, words) = (false, "completed")
        }
        let at = px(x)
        // After its end, a stream is dry.
        let dry = #"<path class="dry" d="M\#(at) 0H\#(px(2 * width))V\#(px(height))H\#(at)z"/>"#
        var text =
            dry
            + #"<g class="\#(isFailure ? "bad" : "good")"><title>\#(SVGText.escaped(words)) at \#(mark.time) s</title>"#
        if isFailure {
            let y = height / 2
            text += #"<path stroke-width="3" stroke-linecap="round" d="M\#(at) 5V\#(px(height - 50))"/>"#
            text += #"<circle cx="\#(at)" cy="\#(px(y))" r="13" stroke="none"/>"#
            text += #"<path class="sign" d="M\#(px(x - 50)) \#(px(y - 50))l10 10m0 -10l-10 10"/>"#
        } else {
            text += #"<path stroke-width="4.5" stroke-linecap="round" d="M\#(at) 5V\#(px(height - 50))"/>"#
        }
        svg.line(text + "</g>")
    }

    private var axis: TimeAxis { TimeAxis(span: span, count: 10) }

    private mutating func drawAxis(top: Int) {
        svg.line(#"<svg x="\#(px(margin))" y="\#(px(top - 40))" width="\#(px(tubeWidth))" height="30">"#)
        svg.line(animated ? #"<g class="flow">"# : "<g>")
        for tick in axis.ticks {
            let at = px(x(StreamTime(nanoseconds: tick)))
            svg.line(
                #"<path class="grid" d="M\#(at) 0V6"/><text class="tick" x="\#(at)" y="20">\#(axis.label(tick))</text>"#
            )
        }
        svg.line("</g>")
        svg.line("</svg>")
    }
}
